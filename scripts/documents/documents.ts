import { readFile } from 'node:fs/promises';
import { describeCommand } from './commandTree.js';
import { loadWholeProgram } from '../../src/main.js';
import { makeCommandLineDocument } from './commandLine.js';
import { makeConfigurationDocument } from './configuration.js';
import { makeManPage } from './manPage.js';

/** The documents that are made from the sources, by their paths. */
export const makeDocuments = async (root: string): Promise<Record<string, string>> => {
  const program = describeCommand(await loadWholeProgram());
  const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as { version: string };
  return {
    'docs/configuration.md': makeConfigurationDocument(),
    'docs/command-line.md': makeCommandLineDocument(program),
    'docs/voucherd.1': makeManPage(program, version),
  };
};
