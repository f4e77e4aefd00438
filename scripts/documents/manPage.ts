import { formatArgument, formatOption, listCommands, type CommandDescription } from './commandTree.js';
import { commandTexts } from '../../src/cli/commandTexts.js';
import { exitStatuses } from '../../src/cli/exitStatus.js';
import type { Setting } from '../../src/config/setting.js';
import { settingGroups } from '../../src/config/settings.js';
import { formatUsage } from './commandLine.js';

/** Text for roff: a backslash is escaped, a minus is one that can be copied, and no line begins with a control character. */
const escape = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll('→', '\\(->')
    .replace(/^(?=[.'])/gm, '\\&');

/** Markdown as roff: code is bold, and of a link the text is left. */
const toRoff = (markdown: string): string =>
  escape(markdown.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1'))
    .replaceAll(/`([^`]*)`/g, '\\fB$1\\fR')
    .replaceAll(/\*\*([^*]*)\*\*/g, '\\fB$1\\fR');

const bold = (text: string): string => `\\fB${escape(text)}\\fR`;

/** A term with its text below it. */
const toItem = (term: string, text: string): string[] => ['.TP', bold(term), toRoff(text)];

const endSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const toCommand = (command: CommandDescription): string[] => {
  const { notes, examples = [] } = commandTexts[command.path.join(' ')] ?? {};
  return [
    `.SS ${bold(formatUsage(command))}`,
    toRoff(endSentence(command.description)),
    ...(notes === undefined ? [] : ['.PP', toRoff(notes)]),
    ...command.arguments.flatMap((argument) => toItem(formatArgument(argument), argument.description)),
    ...command.options
      .filter(({ long }) => long !== '--json')
      .flatMap((option) => {
        const standard = option.standard === undefined ? '' : `; default: \`${option.standard}\``;
        return toItem(formatOption(option), `${option.description}${standard}`);
      }),
    ...(examples.length === 0 ? [] : ['.PP', 'Examples:']),
    ...examples.flatMap(([line, purpose]) => toItem(`voucherd ${line}`, purpose)),
  ];
};

const toSetting = ([name, { meaning, standard }]: [string, Setting]): string[] => {
  const words = typeof standard === 'object' ? standard.words : standard && `\`${String(standard)}\``;
  return toItem(name, `${meaning}${words === undefined ? '' : ` Default: ${words}.`}`);
};

/** docs/voucherd.1 */
export const makeManPage = (program: CommandDescription, version: string): string =>
  [
    '.\\" Written by `npm run generate` from the commands in src/cli and the settings in src/config.',
    `.TH VOUCHERD 1 "" "voucherd ${version}" "User Commands"`,
    '.SH NAME',
    'voucherd \\- guest\\-WiFi vouchers on the network controllers of many sites',
    '.SH SYNOPSIS',
    '.B voucherd',
    '.I command',
    '.RI [ options ]',
    '.br',
    '.B voucherd \\-\\-help',
    '|',
    '.B \\-\\-version',
    '.SH DESCRIPTION',
    toRoff(endSentence(program.description)),
    toRoff(
      '`voucherd serve` runs the service; the other commands administer it, also while it runs. They need the same `DATA_DIR`, `DATABASE_URL` and `SECRET_KEY` as the service. Results go to standard output, everything else to standard error.',
    ),
    '.PP',
    toRoff('Every command takes `--help`, and `--json` to print JSON for programs.'),
    '.SH COMMANDS',
    ...listCommands(program).flatMap(toCommand),
    '.SH EXIT STATUS',
    ...Object.values(exitStatuses).flatMap(({ status, meaning }) => toItem(String(status), meaning)),
    '.PP',
    toRoff(
      'An error is one line on standard error; with `--json` its last line is an object `{"error": {"code", "message", "remedy", "status"}}`.',
    ),
    '.SH ENVIRONMENT',
    toRoff(
      'None of these is required. A secret can be given as a file, too, named by the same variable with `_FILE`.',
    ),
    ...settingGroups.flatMap(({ settings }) => Object.entries(settings).flatMap(toSetting)),
    '',
  ].join('\n');
