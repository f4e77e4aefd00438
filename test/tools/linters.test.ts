import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from '@jest/globals';
import { createConfig, lint } from 'redocly-core';
import { loadContract } from '../../src/contract/contract.js';
import { withApi } from '../support/api.js';
import { root } from '../support/built.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { answeredComplaints, expectAnswered } from './answeredComplaints.js';
import { runPackage } from './tool.js';

const web = join(root, 'web.yaml');
const loans = join(root, 'examples/loans/contract/openapi.yaml');

const api = withApi();
let folder: TestFolder;
const file = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  folder = await makeFolder();
  for (const name of ['openapi.php', 'openapi.yaml']) {
    const extension = name.endsWith('.php') ? 'description.json' : 'contract.yaml';
    await writeFile(file(extension), (await api.get(`/${name}`)).text);
  }
  await writeFile(file('loans.yaml'), loadContract(loans).sourceFor('https://loans.example.org/v1'));
  await writeFile(file('spectral.yaml'), 'extends: ["spectral:oas"]\n');
});
afterAll(() => folder.remove());

test.each([
  ['/openapi.php', () => file('description.json')],
  ['/openapi.yaml', () => file('contract.yaml')],
  ['web.yaml', () => web],
  ['loans', () => file('loans.yaml')],
])('Spectral finds nothing in %s that docs/other-tools.md does not answer', async (description, path) => {
  const { out } = await runPackage(
    '@stoplight/spectral-cli/dist/index.js',
    ...['lint', path(), '--ruleset', file('spectral.yaml'), '--format', 'json', '--quiet'],
  );
  const findings = JSON.parse(out) as { code: string; path: string[] }[];
  const found = findings.map(({ code, path: place }) => `${code} at ${place.join('.')}`);
  expectAnswered(found, answeredComplaints('Spectral', description));
});

test.each([
  ['/openapi.php', () => file('description.json')],
  ['/openapi.yaml', () => file('contract.yaml')],
  ['web.yaml', () => web],
  // All of its files.
  ['loans', () => loans],
])('Redocly finds nothing in %s that docs/other-tools.md does not answer', async (description, path) => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lint({ ref: path(), config });
  const found = problems
    // Where it is served for a test, it names this machine.
    .filter(({ ruleId }) => ruleId !== 'no-server-example.com')
    .map(({ ruleId, location }) => `${ruleId} at ${location[0]?.pointer ?? ''}`);

  expectAnswered(found, answeredComplaints('Redocly', description));
});
