import type { Setting, SettingGroup } from '../../src/config/setting.js';
import { settingGroups } from '../../src/config/settings.js';

const introduction = `# Configuration

All settings are environment variables, and none is required: without any, voucherd listens on \`127.0.0.1:3000\` and keeps
its data in \`./data\`. With systemd they are in the unit's environment file, with Docker Compose in \`compose.yaml\`:
[install.md](install.md) shows where.

An empty variable counts as not set. A wrong value stops the start with one line that names the variable, the value and what
is allowed. A variable that looks like a misspelt setting (\`DATABSE_URL\`), or like one with \`VOUCHERD_\` before it, has no
effect: the log warns of it at start with the name that was probably meant, and so do commands and \`npx voucherd doctor\`.
`;

const secrets = (names: readonly string[]): string => `## Secrets in files

Each secret can be read from a file, for the secrets of Docker, Kubernetes and systemd: ${names
  .map((name) => `\`${name}_FILE\``)
  .join(', ')
  .replace(
    /, ([^,]*)$/,
    ' and $1',
  )} name a file with one line. A line break at its end is not part of the secret.

Setting both the variable and its file is refused, and so is a file that can't be read, is empty, has several lines, or is
larger than 64 KiB. A secret is never shown: not in errors, not in the log, not by commands.
`;

const code = (text: string): string => `\`${text}\``;

const describeDefault = ({ standard }: Setting): string => {
  if (standard === undefined) return 'none';
  return typeof standard === 'object' ? standard.words : code(String(standard));
};

const describeAllowed = ({ allowed, bounds, words, example }: Setting): string =>
  [
    allowed,
    bounds && `a whole number from ${bounds.map((bound) => bound.toLocaleString('en')).join(' to ')}`,
    words &&
      words
        .map(code)
        .join(', ')
        .replace(/, ([^,]*)$/, ' or $1'),
    example === undefined ? undefined : `such as ${code(example)}`,
  ]
    .filter((part) => part !== undefined)
    .join('; ');

const toRow = ([name, setting]: [string, Setting]): string => {
  const names = setting.isSecret ? `${code(name)}, ${code(`${name}_FILE`)}` : code(name);
  const cells = [names, describeDefault(setting), describeAllowed(setting), setting.meaning];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
};

const toSection = ({ title, introduction: text, settings }: SettingGroup): string =>
  [
    `## ${title}`,
    '',
    text,
    '',
    '| variable | default | may be | meaning |',
    '|---|---|---|---|',
    ...Object.entries(settings).map(toRow),
    '',
  ].join('\n');

/** docs/configuration.md */
export const makeConfigurationDocument = (): string => {
  const secretNames = settingGroups.flatMap(({ settings }) =>
    Object.entries(settings).flatMap(([name, { isSecret }]) => (isSecret ? [name] : [])),
  );
  return [
    '<!-- Written by `npm run generate` from src/config/settings.ts. Change it there. -->',
    '',
    introduction,
    secrets(secretNames),
    ...settingGroups.map(toSection),
  ].join('\n');
};
