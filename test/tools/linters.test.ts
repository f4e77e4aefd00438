import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createConfig, lintFromString } from 'redocly-core';
import { loadContract } from '../../src/contract/contract.js';
import { withApi } from '../support/api.js';
import { contractFile } from '../support/contract.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { runPackage } from './tool.js';

const api = withApi();
let folder: TestFolder;
const file = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  folder = await makeFolder();
  for (const name of ['openapi.php', 'openapi.yaml']) {
    const extension = name.endsWith('.php') ? 'description.json' : 'contract.yaml';
    await writeFile(file(extension), (await api.get(`/${name}`)).text);
  }
  await writeFile(file('spectral.yaml'), 'extends: ["spectral:oas"]\n');
});
afterAll(() => folder.remove());

/** Nobody is named as the contact of every installation. */
const noContact = 'info-contact at info';
/** The specification lists what `/openapi.php` holds: neither tags nor a license, and 4xx only for POST. */
const noTags = [...loadContract(contractFile).operations.values()].map(
  ({ location }) => `operation-tags at ${location.join('.')}`,
);

test.each([
  ['/openapi.php', 'description.json', [noContact, ...noTags]],
  ['/openapi.yaml', 'contract.yaml', [noContact]],
])('Spectral finds nothing in %s that was not decided on', async (_path, name, decided) => {
  const { out } = await runPackage(
    '@stoplight/spectral-cli/dist/index.js',
    ...['lint', file(name), '--ruleset', file('spectral.yaml'), '--format', 'json', '--quiet'],
  );
  const findings = JSON.parse(out) as { code: string; path: string[] }[];
  expect(findings.map(({ code, path }) => `${code} at ${path.join('.')}`).sort()).toEqual(
    [...decided].sort(),
  );
});

test.each([
  [
    '/openapi.php',
    'description.json',
    [
      'info-license at #/info',
      'operation-4xx-response at #/paths/~1sites.php/get/responses',
      'operation-4xx-response at #/paths/~1vouchers.php/get/responses',
    ],
  ],
  ['/openapi.yaml', 'contract.yaml', []],
])('Redocly finds nothing in %s that was not decided on', async (_path, name, decided) => {
  const source = await readFile(file(name), 'utf8');
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: `/${name}`, config });
  const found = problems
    // Where it is served for a test, it names this machine.
    .filter(({ ruleId }) => ruleId !== 'no-server-example.com')
    .map(({ ruleId, location }) => `${ruleId} at ${location[0]?.pointer ?? ''}`);
  expect(found.sort()).toEqual(decided);
});
