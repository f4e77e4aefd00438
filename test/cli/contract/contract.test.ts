import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { childEnv, root } from '../../support/built.js';
import { expectOneLine, run } from '../../support/cli.js';
import { forAllTests } from '../../support/fixture.js';
import { makeFolder } from '../../support/folder.js';
import { libraryFile, libraryToken, startLibrary } from '../../contractRun/libraryService.js';

const folder = forAllTests(makeFolder, 'remove');
const library = forAllTests(startLibrary, 'close');
const broken = forAllTests(() => startLibrary({ wrongType: true }), 'close');

/** The built program, in a folder with nothing of ours. */
const contract = (...args: string[]): Promise<{ status: number | null; out: string; err: string }> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(root, 'scripts/voucherd.mjs'), 'contract', '--contract', libraryFile, ...args],
      { cwd: folder.path, env: childEnv({ TOKEN: libraryToken }) },
      (_, out, err) => resolve({ status: child.exitCode, out, err }),
    );
  });

const shown = ['--key-env', 'TOKEN', '--seed', '1', '--runs', '5'];

test('a service that keeps its contract ends it with 0, and there are reports', async () => {
  const { status, out, err } = await contract('conformance', 'security', '--url', library.url, ...shown);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toMatch(/^ok {3}conformance \d+ cases/m);
  for (const file of ['index.html', 'summary.md', 'junit.xml'])
    expect(existsSync(join(folder.path, 'contract-report', file))).toBe(true);
});

test('a service that does not ends it with 1; --json has the failures, and nothing else is printed', async () => {
  const { status, out, err } = await contract('conformance', '--url', broken.url, ...shown, '--json');
  expect(status).toBe(1);
  expect(JSON.parse(err)).toMatchObject({ error: { code: 'contract-violated', status: 1 } });
  expect(JSON.parse(out)).toMatchObject({
    isGood: false,
    seed: 1,
    stages: [
      {
        name: 'conformance',
        outcome: 'failed',
        failures: expect.arrayContaining([
          expect.objectContaining({
            what: 'the body does not fit its schema: books.0.id must be integer',
            curl: `curl -sS -i -H 'Authorization: Bearer '"$TOKEN" '${broken.url}/books'`,
          }),
        ]),
      },
    ],
  });
});

test('a module with scenarios is loaded from the folder', async () => {
  writeFileSync(
    join(folder.path, 'scenarios.mjs'),
    `await Promise.resolve(); export default { getBook: { request: { path: { bookId: 4711 } } } };`,
  );
  const { status, out } = await contract(
    'conformance',
    ...['--url', library.url, '--scenarios', 'scenarios.mjs', ...shown],
  );
  expect(status).toBe(0);
  expect(out).toContain('getBook answers 404, which is documented, instead of 200');
});

test('wrong usage ends it with 2 and one line', async () => {
  for (const [line, words] of Object.entries({
    'there is no stage "nonsense"': ['nonsense'],
    '--url: It is no address': ['--url', 'localhost'],
    '--key-env: the variable NONE is not set': ['--key-env', 'NONE', '--url', 'http://localhost:1'],
    '--runs: "0" is not allowed: a whole number from 1 to 1000000': ['--runs', '0'],
  })) {
    const ended = await run(['contract', '--contract', libraryFile, ...words]);
    expectOneLine(ended, `voucherd: ${line}`);
    expect([line, ended.status]).toEqual([line, 2]);
  }
});
