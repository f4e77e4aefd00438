import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, test } from '@jest/globals';
import { loadContract } from '../../src/contract/contract.js';
import { answeredComplaints, expectAnswered } from '../support/answeredComplaints.js';
import { withApi } from '../support/api.js';
import { root } from '../support/built.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { runTool } from '../tools/tool.js';
import { toolFile } from './tool.js';

const loans = join(root, 'examples/loans/contract/openapi.yaml');

const api = withApi();
const file = (name: string): string => join(folder.path, name);

const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  await writeFile(file('description.json'), (await api.get('/openapi.php')).text);
  await writeFile(file('contract.yaml'), (await api.get('/openapi.yaml')).text);
  await writeFile(file('loans.yaml'), loadContract(loans).sourceFor('https://loans.example.org/v1'));
  await writeFile(file('spectral.yaml'), 'extends: ["spectral:oas"]\n');
});

test.each([
  ['/openapi.php', () => file('description.json')],
  ['/openapi.yaml', () => file('contract.yaml')],
  ['web.yaml', () => join(root, 'web.yaml')],
  ['loans', () => file('loans.yaml')],
])('Spectral finds nothing in %s that docs/other-tools.md does not answer', async (description, path) => {
  const options = ['--ruleset', file('spectral.yaml'), '--format', 'json', '--quiet'];
  const spectral = toolFile('@stoplight/spectral-cli/dist/index.js');
  const { out } = await runTool(process.execPath, [spectral, 'lint', path(), ...options]);
  const findings = JSON.parse(out) as { code: string; path: string[] }[];
  const found = findings.map(({ code, path: place }) => `${code} at ${place.join('.')}`);
  expectAnswered(found, answeredComplaints('Spectral', description));
});
