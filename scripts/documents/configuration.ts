import type { Setting, SettingGroup } from '../../src/config/setting.js';
import { settingGroups } from '../../src/config/settings.js';

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

/** What docs/configuration.md gets from the sources. */
export const makeConfigurationParts = (): Record<string, string> => ({
  settings: settingGroups.map(toSection).join('\n').trimEnd(),
});
