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

const toStatusTable = (): string => {
  const rows = Object.values(exitStatuses).map(({ status, meaning }) => `| ${String(status)} | ${meaning} |`);
  return ['| status | meaning |', '|---|---|', ...rows].join('\n');
};

const toCodeTable = (): string => {
  const rows = Object.entries(errorCodes).map(
    ([code, { kind, meaning }]) => `| \`${code}\` | ${String(exitStatusOfCode(code, kind))} | ${meaning} |`,
  );
  return ['| code | status | meaning |', '|---|---|---|', ...rows].join('\n');
};

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

/** What docs/command-line.md gets from the sources. */
export const makeCommandLineParts = (program: CommandDescription): Record<string, string> => ({
  'exit status': toStatusTable(),
  codes: toCodeTable(),
  commands: [toOverview(program), ...program.commands.map(toChapter)].join('\n').trimEnd(),
});

const toChapter = (group: CommandDescription): string =>
  group.commands.length === 0
    ? toSection(group, '##')
    : [
        `## ${capitalize(group.description)}`,
        '',
        ...listCommands(group).map((command) => toSection(command, '###')),
      ].join('\n');
