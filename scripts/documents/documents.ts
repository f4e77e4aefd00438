import { readFile } from 'node:fs/promises';
import { describeCommand } from './commandTree.js';
import { loadWholeProgram } from '../../src/main.js';
import { makeCommandLineParts } from './commandLine.js';
import { makeConfigurationParts } from './configuration.js';

/** A document whose marked parts are those that are made from the sources. */
const fill = async (file: string, parts: Readonly<Record<string, string>>): Promise<string> => {
  const text = await readFile(file, 'utf8');
  return text.replace(
    /(<!-- made by `npm run generate`: (.*) -->\n)[^]*?(\n<!-- end -->)/g,
    (_, begin: string, name: string, end: string) => `${begin}\n${parts[name] ?? ''}\n${end}`,
  );
};

/** The documents that are partly made from the sources, by their paths. */
export const makeDocuments = async (root: string): Promise<Record<string, string>> => {
  const commands = makeCommandLineParts(describeCommand(await loadWholeProgram()));
  return {
    'docs/configuration.md': await fill(`${root}docs/configuration.md`, makeConfigurationParts()),
    'docs/command-line.md': await fill(`${root}docs/command-line.md`, commands),
  };
};
