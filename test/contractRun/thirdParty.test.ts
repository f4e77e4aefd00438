import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseThirdPartyContract } from '../../tools/contract/src/contract.js';
import type { HttpRequest } from '../../tools/contract/src/request.js';
import { isExcuse, noKey, withKey, type OwnValues } from '../../tools/contract/src/target/keys.js';
import { makeThirdPartyKeys, type GivenHeader } from '../../tools/contract/src/thirdParty/credentials.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests } from '../support/fixture.js';
import { libraryFile, libraryToken, type LibraryDefects } from './libraryService.js';
import { casesOf } from './stageRun.js';
import { runOnLibrary, type ThirdPartyRun } from './thirdPartyRun.js';

const folder = forAllTests(makeFolder, 'remove');

const serviceStages = ['conformance', 'generated', 'security'];

const isRead = (request: string): boolean => /^(GET|HEAD) /.test(request);

describe('a service of others that keeps its contract', () => {
  test('is good, and nothing there is changed without --allow-writes', async () => {
    const { isGood, failures, printed, requests } = await runOnLibrary(folder.path, serviceStages);
    expect(failures).toEqual({});
    expect(isGood).toBe(true);
    expect(printed).toContain('none of them changes anything: --allow-writes is not given');
    expect(printed).toContain('needs --allow-writes: DELETE /books/{bookId} may change something');
    expect(printed).toMatch(/requests sent to http\S+, 0 of which may have changed something there\./);
    expect(requests.filter((request) => request.startsWith('DELETE '))).toEqual([]);
    // An id that the list shows, where the contract has no example.
    expect(requests).toContain('GET /books/7');
  });

  test('is good with all of its operations, ranges of statuses and problems in JSON', async () => {
    const run = await runOnLibrary(folder.path, serviceStages, { allowWrites: true });
    expect(run.failures).toEqual({});
    expect(run.isGood).toBe(true);
    expect(run.requests.filter((request) => !isRead(request)).length).toBeGreaterThan(20);
    const names = run.result.contracts.flatMap(casesOf).map(({ name }) => name);
    expect(names).toContain('addBook 201 with the request of the example');
    expect(names).toContain('addBook: the credential is let in');
  });

  test('gets no more requests than it may', async () => {
    const { requests, printed } = await runOnLibrary(folder.path, serviceStages, { maxRequests: 30 });
    expect(requests).toHaveLength(30);
    expect(printed).toContain('--max-requests 30 is used up');
  });
});

test('wrong input that is accepted is found', async () => {
  const run = await runOnLibrary(folder.path, ['generated'], { allowWrites: true }, { isLenient: true });
  expect(run.isGood).toBe(false);
  expect(Object.values(run.failures)).toContainEqual(
    expect.stringContaining('the status is 201 instead of 400 to 499'),
  );
});

test('a service that lets everybody in, and whose answers have another type, is found, and nothing else', async () => {
  const defects: LibraryDefects = { letsEverybodyIn: true, wrongType: true };
  const { failures, printed, reports } = await runOnLibrary(
    folder.path,
    ['conformance', 'security'],
    {},
    defects,
  );
  const said = Object.values(failures);
  const isOpen = 'the status is 200 instead of 401 or 403';
  const hasOtherType = 'id must be integer';
  expect(said.filter((what) => what.includes(isOpen))).toHaveLength(1);
  expect(said).toContainEqual(expect.stringContaining(hasOtherType));
  expect(said.filter((what) => !what.includes(isOpen) && !what.includes(hasOtherType))).toEqual([]);
  // No credential is shown; commands name the variable.
  for (const text of [printed, reports]) expect(text).not.toContain(libraryToken);
  expect(printed).toContain(`-H 'Authorization: Bearer '"$TOKEN"`);
  expect(reports).toContain('npx voucherd contract conformance --contract');
  expect(reports).toContain('--key-env TOKEN');
});

describe('credentials', () => {
  const contract = (scheme: string, requirement = '[{ one: [] }]') =>
    parseThirdPartyContract(`
openapi: 3.0.3
info: { title: T, version: '1' }
security: ${requirement}
paths:
  /x:
    get: { operationId: getX, responses: { '200': { description: ok } } }
components:
  securitySchemes:
    one: ${scheme}
    two: { type: apiKey, in: header, name: X-Two }
`);
  const secret = (text: string) => Object.assign(() => text, { variable: 'KEY' });
  const plain: HttpRequest = { method: 'GET', requestTarget: '/x?a=1', headers: [['Cookie', 'a=b']] };
  const carried = (
    model: ReturnType<typeof contract>,
    keys: Readonly<Record<string, string>>,
    headers: readonly GivenHeader[] = [],
    own?: OwnValues,
  ) => {
    const given = new Map(Object.entries(keys).map(([name, text]) => [name, secret(text)]));
    const made = makeThirdPartyKeys(model, { keys: given, headers });
    const key = made.permitting(undefined, model.operation('getX'));
    return isExcuse(key) ? key : withKey(model, { ...plain, ...own }, key, own);
  };

  const sentAs: readonly [scheme: string, sent: object][] = [
    [
      '{ type: http, scheme: bearer }',
      { headers: expect.arrayContaining([['Authorization', 'Bearer a b']]) },
    ],
    ['{ type: oauth2, flows: {} }', { headers: expect.arrayContaining([['Authorization', 'Bearer a b']]) }],
    ['{ type: http, scheme: Basic }', { headers: expect.arrayContaining([['Authorization', 'Basic YSBi']]) }],
    ['{ type: apiKey, in: header, name: X-Key }', { headers: expect.arrayContaining([['X-Key', 'a b']]) }],
    ['{ type: apiKey, in: cookie, name: sid }', { headers: [['Cookie', 'a=b; sid=a b']] }],
    ['{ type: apiKey, in: query, name: key }', { requestTarget: '/x?a=1&key=a%20b' }],
  ];

  test('are sent as their scheme says', () => {
    for (const [scheme, sent] of sentAs)
      expect({ scheme, ...carried(contract(scheme), { '': 'a b' }) }).toMatchObject({ scheme, ...sent });
  });

  const ownCredentials: readonly [scheme: string, own: OwnValues][] = [
    ['{ type: http, scheme: bearer }', { requestTarget: '/x', headers: [['authorization', 'Own 1']] }],
    ['{ type: apiKey, in: header, name: X-Key }', { requestTarget: '/x', headers: [['x-key', '1']] }],
    ['{ type: apiKey, in: cookie, name: sid }', { requestTarget: '/x', headers: [['Cookie', 'a=b; sid=1']] }],
    ['{ type: apiKey, in: query, name: key }', { requestTarget: '/x?key=1', headers: [] }],
  ];

  test('do not replace the one that a scenario sets', () => {
    const headers = [
      { name: 'X-Key', value: 'b' },
      { name: 'Authorization', value: 'b' },
    ];
    for (const [scheme, own] of ownCredentials)
      for (const given of [[], headers])
        expect({ scheme, ...carried(contract(scheme), { '': 'a b' }, given, own) }).toMatchObject({
          scheme,
          ...own,
        });
  });

  test('what a scenario sets beside it changes nothing', () => {
    const own = { requestTarget: '/x?keys=1', headers: [['Cookie', 'sidebar=1'] as const] };
    const inCookie = contract('{ type: apiKey, in: cookie, name: sid }');
    expect(carried(inCookie, { '': '2' }, [], own)).toMatchObject({
      headers: [['Cookie', 'sidebar=1; sid=2']],
    });
    const inQuery = contract('{ type: apiKey, in: query, name: key }');
    expect(carried(inQuery, { '': '2' }, [], own)).toMatchObject({ requestTarget: '/x?keys=1&key=2' });
  });

  const bearer = '{ type: http, scheme: bearer }';

  test('each security scheme has its own, and those of one requirement are sent together', () => {
    const both = contract(bearer, '[{ one: [], two: [] }]');
    expect(carried(both, { one: '1', two: '2' })).toMatchObject({
      headers: expect.arrayContaining([
        ['Authorization', 'Bearer 1'],
        ['X-Two', '2'],
      ]),
    });
    expect(carried(both, { one: '1' })).toEqual({
      excuse: 'needs a credential for one with two: --key-env, --key-file or --header',
    });
    expect(carried(contract(bearer, '[{ one: [] }, { two: [] }]'), { two: '2' })).toMatchObject({
      headers: expect.arrayContaining([['X-Two', '2']]),
    });
  });

  test('a header that a security scheme uses is its credential; others are in every request', () => {
    const headers = [
      { name: 'authorization', value: secret('Custom 1') },
      { name: 'X-Tenant', value: 'acme' },
    ];
    const model = contract(bearer);
    expect(carried(model, {}, headers)).toMatchObject({
      headers: expect.arrayContaining([['authorization', 'Custom 1']]),
    });
    expect(makeThirdPartyKeys(model, { keys: new Map(), headers }).headers).toEqual([['X-Tenant', 'acme']]);
    expect(withKey(model, plain, noKey)).toBe(plain);
  });
});

describe('scenarios of a module', () => {
  const withScenarios = (text: string, more: object = {}): Promise<ThirdPartyRun> => {
    const scenarios = join(folder.path, `scenarios-${String(Math.random()).slice(2)}.mjs`);
    writeFileSync(scenarios, text);
    return runOnLibrary(folder.path, ['conformance'], { scenarios, ...more });
  };

  test('give values of requests, prepare what they use up, and say what is expected', async () => {
    const { failures, requests, printed } = await withScenarios(
      `export default {
        listBooks: {
          request: { query: { limit: 3 } },
          statuses: { 200: { expected: { body: { books: [{ id: 8 }] } } } },
        },
        getBook: {
          prepare: async ({ send }) => {
            const { body } = await send({ method: 'POST', path: '/books', body: { title: 'Jim Knopf' } });
            return { path: { bookId: body.id } };
          },
          statuses: { 200: { expected: { headers: ['ETag'], body: { title: 'Jim Knopf' } } }, 500: 'it never fails' },
        },
      };`,
      { allowWrites: true },
    );
    expect(failures['listBooks 200 as its scenario shows']).toContain(
      'and not as expected: {"books":[{"id":8}]}',
    );
    // The title is as expected.
    expect(failures['getBook 200 as its scenario shows']).toBe('the header ETag is missing');
    expect(requests.filter((request) => /^GET \/books\/\d+$/.test(request))).toContain('GET /books/10');
    expect(printed).toContain('1 skipped: it never fails');
  });

  test('keep the credential that they set themselves', async () => {
    const { failures, requests } = await withScenarios(
      `export default {
        listBooks: { statuses: { 401: { request: { headers: { authorization: 'Bearer of-nobody' } } } } },
        getBook: {
          prepare: async ({ send }) => {
            const { status } = await send({ path: '/books', headers: { Authorization: 'Bearer of-nobody' } });
            if (status !== 401) throw new Error('somebody else was let in: ' + status);
            return {};
          },
        },
      };`,
    );
    expect(failures).toEqual({});
    expect(requests.filter((request) => request === 'GET /books/7').length).toBeGreaterThan(0);
  });

  test('change nothing without --allow-writes', async () => {
    const { failures, requests } = await withScenarios(
      `export default { getBook: { prepare: async ({ send }) => send({ method: 'DELETE', path: '/books/7' }) } };`,
    );
    expect(failures['getBook 200 with the request of the example']).toContain('needs --allow-writes');
    expect(requests).not.toContain('DELETE /books/7');
  });

  const refusedModules: readonly [text: string, reason: string][] = [
    ['export default { getBok: {} };', 'the contract has no operation "getBok"'],
    ['export const other = 1;', 'has no default export with an object for each operationId'],
    ['export default {', 'cannot be loaded: '],
  ];

  test('are refused where they are not as they must be', async () => {
    for (const [text, reason] of refusedModules) {
      const run = await withScenarios(text).then(
        ({ printed }) => printed,
        (error: unknown) => String(error),
      );
      expect(run).toContain('--scenarios');
      expect(run).toContain(reason);
    }
  });
});

const refusedOptions: readonly [stages: string[], more: object, reason: string][] = [
  [['lint'], {}, 'there is no stage "lint"; the stages are breaking, examples, conformance'],
  [['conformance'], { url: undefined }, 'conformance needs --url'],
  [[], { url: 'example.org' }, '--url: It is no address that starts with http:// or https://.'],
  [[], { keyEnv: ['NONE'] }, '--key-env: the variable NONE is not set'],
  [[], { keyEnv: ['TOKEN', 'TOKEN'] }, 'there are two keys for all'],
  [[], { header: ['X'] }, "--header is no header such as 'X-Tenant: acme'"],
  [[], { contract: '/nonexistent.yaml' }, '--contract: /nonexistent.yaml cannot be read (ENOENT)'],
];

test('wrong options are refused', async () => {
  for (const [stages, more, reason] of refusedOptions)
    await expect(runOnLibrary(folder.path, stages, more)).rejects.toThrow(reason);
});

test('operations that can not be tested are left out, and named with their place', async () => {
  const contract = join(folder.path, 'odd.yaml');
  writeFileSync(
    contract,
    `openapi: 3.0.3
info: { title: T, version: '1' }
paths:
  /status:
    get: { operationId: getStatus, responses: { '200': { description: ok, content: { application/json: {} } } } }
  /odd:
    get: { operationId: odd, responses: { '200': { $ref: '#/components/responses/Missing' } } }
`,
  );
  const { isGood, printed } = await runOnLibrary(folder.path, ['conformance'], { contract });
  expect(isGood).toBe(true);
  expect(printed).toMatch(/1 skipped: .*odd\.yaml:7:\d+: .*Missing/);
  expect(printed).toContain('ok   conformance 2 cases, 1 skipped');
});

test('the contract is compared with the one before, and without an address nothing is sent', async () => {
  const against = join(folder.path, 'before.yaml');
  const field = 'status: { type: string }';
  const before = readFileSync(libraryFile, 'utf8').replace(
    field,
    '$&\n                  since: { type: string }',
  );
  writeFileSync(against, before);
  const run = await runOnLibrary(folder.path, [], { url: undefined, against });
  expect(run.requests).toEqual([]);
  expect(run.failures).toMatchObject({
    'GET /status: response-property-removed': expect.stringContaining("property 'since' of the 200 response"),
  });
});
