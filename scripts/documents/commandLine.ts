import {
  formatArgument,
  formatOption,
  listCommands,
  type CommandDescription,
  type OptionDescription,
} from './commandTree.js';
import { commandTexts } from '../../src/cli/commandTexts.js';
import { errorCodes } from '../../src/cli/errorCodes.js';
import { exitStatuses, exitStatusOfCode } from '../../src/cli/exitStatus.js';

const introduction = `# Command line

\`npx voucherd\` starts the program of a checkout or of a package in the folder; where it is installed on the \`PATH\`,
\`voucherd\` is enough. Hints that commands print can be pasted as they are.

Each command has \`--help\` and \`--json\`, and works while the service runs. Results go to standard output, everything else to
standard error, so \`KEY=$(npx voucherd key create …)\` holds the key alone. Times in JSON are RFC 3339 in UTC.

## Where commands work

A command needs the same \`DATA_DIR\`, \`DATABASE_URL\` and \`SECRET_KEY\` as the service: see
[configuration.md](configuration.md#data). Without them it uses \`./data\`, and says so. \`doctor\` also needs \`HOST\` and
\`PORT\`, and the webhook commands \`WEBHOOK_ALLOW_PRIVATE\`.

\`serve\` creates the SQLite database. Without one, other commands are refused, so that they do not create one that the
service does not use. \`controller add\`, \`key create\`, \`user create\`, \`config import\`, \`import php-tool\` and \`migrate\` ask whether to create
one when they run at a terminal, or take \`--yes\`; \`migrate\` needs neither where \`DATA_DIR\` is set.
`;

function toTable(): string {
  const rows = Object.values(exitStatuses).map(({ status, meaning }) => `| ${String(status)} | ${meaning} |`);
  return ['| status | meaning |', '|---|---|', ...rows].join('\n');
}

function toCodeTable(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, { kind, meaning }]) => `| \`${code}\` | ${String(exitStatusOfCode(code, kind))} | ${meaning} |`,
  );
  return ['| code | status | meaning |', '|---|---|---|', ...rows].join('\n');
}

const endings = `## Exit status

${toTable()}

The number is stable: a script can tell what to do by it. The text of an error is not.

## Errors as JSON

An error is one line on standard error. With \`--json\` that line is JSON, also when the command line itself is wrong:

\`\`\`json
{"error":{"code":"unknown-site","message":"there is no site 7","remedy":"see npx voucherd site list","status":4}}
\`\`\`

It is the last line there: notices, such as the one that \`DATA_DIR\` is not set, may stand before it. Standard output has the
result and nothing else, so \`jq\` reads nothing when a command fails before it has one. Commands that report on several
things, such as \`doctor\` and \`sync\`, print their report there and end with 1 when something in it failed:

<!-- not run: fails on purpose -->
\`\`\`sh
npx voucherd voucher list 7 --json 2> error.json | jq length
tail -n 1 error.json | jq -r .error.code
\`\`\`

The same mistake has the same code and the same status in every command. Besides \`usage\` (2) for what is no command line,
\`setting-…\` (3) for a setting, and \`internal\` (70), there are these, which are as stable as the numbers, and some that only
say more of one command:

${toCodeTable()}
`;

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/<(?=[a-z])/g, '\\<');

const describeValue = ({ isRequired, standard }: OptionDescription): string => {
  if (isRequired) return '; required';
  return standard === undefined ? '' : `; default: \`${standard}\``;
};

const endSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The usage line: what has to be given, and what may be. */
export const formatUsage = ({ path, arguments: given, options }: CommandDescription): string =>
  [
    'voucherd',
    ...path,
    ...options.filter(({ isRequired }) => isRequired).map(formatOption),
    ...(options.some(({ isRequired }) => !isRequired) ? ['[options]'] : []),
    ...given.map(formatArgument),
  ].join(' ');

const toRows = (command: CommandDescription): string[] => [
  ...command.arguments.map(
    (argument) => `| \`${formatArgument(argument)}\` | ${escapeCell(argument.description)} |`,
  ),
  ...command.options.map(
    (option) => `| \`${formatOption(option)}\` | ${escapeCell(option.description)}${describeValue(option)} |`,
  ),
];

const toSection = (command: CommandDescription, heading: string): string => {
  const { notes, examples = [] } = commandTexts[command.path.join(' ')] ?? {};
  return [
    `${heading} ${command.path.join(' ')}`,
    '',
    endSentence(command.description),
    ...(notes === undefined ? [] : ['', notes]),
    '',
    ...['```', `npx ${formatUsage(command)}`, '```', '', '| | |', '|---|---|', ...toRows(command), ''],
    ...(examples.length === 0
      ? []
      : [
          '<!-- not run: test/tools/documents.test.ts parses it -->',
          '```sh',
          ...examples.map(([line, purpose]) => `npx voucherd ${line}    # ${purpose}`),
          '```',
          '',
        ]),
  ].join('\n');
};

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const toOverview = (program: CommandDescription): string =>
  [
    '## Commands',
    '',
    '| command | |',
    '|---|---|',
    ...listCommands(program).map(({ path, description }) => {
      const name = path.join(' ');
      return `| [\`${name}\`](#${path.join('-')}) | ${escapeCell(endSentence(description))} |`;
    }),
    '',
  ].join('\n');

/** docs/command-line.md */
export const makeCommandLineDocument = (program: CommandDescription): string =>
  [
    '<!-- Written by `npm run generate` from the commands in src/cli. Change them there. -->',
    '',
    introduction,
    endings,
    toOverview(program),
    ...program.commands.map(toChapter),
  ].join('\n');

const toChapter = (group: CommandDescription): string =>
  group.commands.length === 0
    ? toSection(group, '##')
    : [
        `## ${capitalize(group.description)}`,
        '',
        ...listCommands(group).map((command) => toSection(command, '###')),
      ].join('\n');
