import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, test } from '@jest/globals';
import { createConfig, lint } from 'redocly-core';
import { answeredComplaints, expectAnswered } from '../support/answeredComplaints.js';
import { withApi } from '../support/api.js';
import { root } from '../support/built.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';

const api = withApi();
const file = (name: string): string => join(folder.path, name);

const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  await writeFile(file('description.json'), (await api.get('/openapi.php')).text);
  await writeFile(file('contract.yaml'), (await api.get('/openapi.yaml')).text);
});

test.each([
  ['/openapi.php', () => file('description.json')],
  ['/openapi.yaml', () => file('contract.yaml')],
  ['web.yaml', () => join(root, 'web.yaml')],
  // All of its files.
  ['loans', () => join(root, 'examples/loans/contract/openapi.yaml')],
])('Redocly finds nothing in %s that docs/other-tools.md does not answer', async (description, path) => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lint({ ref: path(), config });
  const found = problems
    // Where it is served for a test, it names this machine.
    .filter(({ ruleId }) => ruleId !== 'no-server-example.com')
    .map(({ ruleId, location }) => `${ruleId} at ${location[0]?.pointer ?? ''}`);
  expectAnswered(found, answeredComplaints('Redocly', description));
});
