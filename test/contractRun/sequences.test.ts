import { execFile, execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { parseThirdPartyContract } from '../../tools/contract/src/contract.js';
import { resourcesOf } from '../../tools/contract/src/sequences/resources.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests } from '../support/fixture.js';
import { startLibrary, libraryToken, type LibraryDefects } from './libraryService.js';
import { casesOf } from './stageRun.js';
import { runOnLibrary, type ThirdPartyRun } from './thirdPartyRun.js';

const folder = forAllTests(makeFolder, 'remove');

const run = (defects: LibraryDefects = {}, more = {}): Promise<ThirdPartyRun> =>
  runOnLibrary(folder.path, ['sequences'], { allowWrites: true, ...more }, defects);

const name = '/books: what is created is found as such until it is removed';

test('a healthy service passes: things are created, read, listed, changed, removed and looked for', async () => {
  const { failures, requests, result } = await run();
  expect(failures).toEqual({});
  const [id] = requests
    .filter((request) => request.startsWith('DELETE '))
    .map((one) => one.split('/').at(-1));
  const about = requests.slice(requests.findIndex((one) => one === 'POST /books'));
  expect(about.filter((one) => one.endsWith(`/${id ?? ''}`))).toEqual([
    ...[`GET /books/${id ?? ''}`, `PUT /books/${id ?? ''}`],
    ...[`GET /books/${id ?? ''}`, `DELETE /books/${id ?? ''}`, `GET /books/${id ?? ''}`],
  ]);
  expect(result.contracts.flatMap(casesOf)).toMatchObject([{ name, outcome: 'passed' }]);
});

const planted: readonly [defects: LibraryDefects, says: RegExp][] = [
  [{ losesUpdates: true }, /^(getBook|listBooks) shows \w+ as .* after replaceBook with /],
  [{ keepsDeleted: true }, /^getBook answers 200 after removeBook$/],
  [{ listsDeleted: true }, /^listBooks still contains it after removeBook$/],
  [{ listMisses: true }, /^listBooks does not contain it after \w+$/],
  [{ wrongPages: true }, /^addBook shows pages as 1 after addBook with \d+$/],
  [{ wrongInList: true }, /^listBooks shows pages as 1 after \w+ with \d+$/],
  [{ cutsTitles: true }, /^(\w+) shows title as ".{20}" after \1 with ".{21,}"$/],
];

// A run each: a sequence stops at the first thing that is wrong.
test('each defect is found, as one failure', async () => {
  for (const [defects, says] of planted) {
    const { failures, result } = await run(defects);
    expect({ defects, failures }).toEqual({ defects, failures: { [name]: expect.stringMatching(says) } });
    expect(result.contracts.flatMap(casesOf)).toHaveLength(1);
  }
});

test('a failing sequence is shrunk to the requests that show it', async () => {
  const { result } = await run({ listMisses: true });
  const [failed] = result.contracts.flatMap(casesOf);
  const lines = failed?.problem?.curl?.split('\n') ?? [];
  expect(lines[0]).toMatch(/^ID=\$\(curl -sS -X POST .* \| jq -r '\.id'\)$/);
  expect(lines.at(-1)).toMatch(/^curl -sS -i .*\/books\?limit=100'$/);
  // One book with a tag that is not listed; nothing is read or removed.
  expect(lines.length).toBeLessThanOrEqual(4);
  expect(lines.join('\n')).toMatch(/"tags":\["[^"]*"\]/);
  expect(lines.join('\n')).not.toMatch(/pages|lent|shelf|DELETE/);
});

test('its commands repeat it in a shell', async () => {
  const { result } = await run({ keepsDeleted: true });
  const [failed] = result.contracts.flatMap(casesOf);
  const url = result.url ?? '';
  const again = await startLibrary({ keepsDeleted: true });
  // The shell must not wait for this process, which answers it.
  const script = (failed?.problem?.curl ?? '').replaceAll(url, again.url);
  const out = await new Promise<string>((resolve) => {
    execFile('bash', ['-c', script], { env: { ...process.env, TOKEN: libraryToken } }, (_, text) =>
      resolve(text),
    );
  });
  await again.close();
  if (!hasCommand('jq') || !hasCommand('curl')) return;
  expect(out).toMatch(/HTTP\/1\.1 204 [^]*HTTP\/1\.1 200 /);
});

const hasCommand = (command: string): boolean => {
  try {
    execFileSync('which', [command]);
    return true;
  } catch {
    return false;
  }
};

test('what other stages have found already is folded under it', async () => {
  const { printed, failures } = await runOnLibrary(
    folder.path,
    ['conformance', 'sequences'],
    { allowWrites: true },
    { failsToList: true },
  );
  expect(Object.keys(failures)).toHaveLength(1);
  expect(printed).toMatch(/FAIL sequences .*\n +✗ 1 case for the cause found by conformance: listBooks 200/);
});

test('without --allow-writes nothing is made', async () => {
  const { requests, printed } = await run({}, { allowWrites: false });
  expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
  expect(printed).toContain('1 skipped: needs --allow-writes: POST /books may create something');
});

test('resources come from paths that share a beginning, and from links', () => {
  const operation = (id: string, more = '') =>
    `{ operationId: ${id}, responses: { '200': { description: ok${more} } } }`;
  const link =
    ', links: { one: { operationId: readOrder, parameters: { number: $response.body#/order/no } } }';
  const reference = `, links: { one: {
    operationRef: '#/paths/~1refunds~1%7Brefund%7D/get', parameters: { path.refund: $response.body#/id } } }`;
  const contract = parseThirdPartyContract(`
openapi: 3.0.3
info: { title: T, version: '1' }
paths:
  /users: { get: ${operation('listUsers')}, post: ${operation('createUser')} }
  /users/{name}: { patch: ${operation('updateUser')}, delete: ${operation('deleteUser')} }
  /users/{name}/password: { post: ${operation('resetPassword')} }
  /checkout: { post: ${operation('checkOut', link)} }
  /orders/{number}: { get: ${operation('readOrder')} }
  /returns: { post: ${operation('sendBack', reference)} }
  /refunds/{refund}: { get: ${operation('readRefund')}, delete: ${operation('withdrawRefund')} }
`);
  const found = resourcesOf(contract).map(
    ({ path, parameter, create, read, changes, remove, idPointer }) => ({
      ...{ path, parameter, idPointer },
      operations: [create, read, ...changes, remove].map((one) => one?.id),
    }),
  );
  expect(found).toEqual([
    {
      ...{ path: '/users', parameter: 'name', idPointer: undefined },
      operations: ['createUser', undefined, 'updateUser', 'deleteUser'],
    },
    {
      ...{ path: '/checkout', parameter: 'number', idPointer: ['order', 'no'] },
      operations: ['checkOut', 'readOrder', undefined],
    },
    {
      ...{ path: '/returns', parameter: 'refund', idPointer: ['id'] },
      operations: ['sendBack', 'readRefund', 'withdrawRefund'],
    },
  ]);
});
