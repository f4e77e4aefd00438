import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '../support/built.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import type { ForegroundCommand } from '../support/foreground.js';
import { makeClientProject, startMock } from './clientProject.js';

const contract = join(root, 'examples/loans/contract/openapi.yaml');

/** A call of every operation, and what must not compile. */
const program = `
import { createLoansClient, isApiError, type Category, type Loan, type Thing, type types } from 'loans-client';
declare const process: { argv: string[] };
const [, , baseUrl = ''] = process.argv;
const loans = createLoansClient({ baseUrl, auth: { member: () => 'a-token' }, retry: { limit: 0 } });
const results: Record<string, unknown> = {};
const path = { thingId: 1 };

results['join'] = (await loans.createMember({ body: { name: 'Anna', password: 'correct horse battery' } })).name;
results['me'] = (await loans.getMe()).id;
const { access_token, token_type } = await loans.createToken({
  body: { grant_type: 'password', username: 'Anna', password: 'x' },
});
results['token'] = [typeof access_token, token_type];

const { things } = await loans.listThings({ query: { filter: { kind: 'book', owner: 'Anna & Ben' } } });
results['list'] = things.map((thing: Thing) => (thing.kind === 'book' ? thing.isbn : thing.watts));
const { data, response } = await loans.withResponse((one) =>
  one.createThing({ body: { kind: 'book', name: 'Momo', isbn: '9783522177504', note: null } }),
);
results['create'] = [response.status, data.kind];
results['get'] = (await loans.getThing({ path })).owner;
results['change'] = (await loans.changeThing({ path, body: { note: null } })).name;
results['remove'] = String(await loans.removeThing({ path }));
const photo = new File(['PNG'], 'drill.png', { type: 'image/png' });
results['upload'] = (await loans.setPhoto({ path, body: { photo, title: 'The drill' } })).mediaType;
results['photo'] = (await loans.getPhoto({ path })) instanceof Blob;
results['has photo'] = String(await loans.hasPhoto({ path }));

const borrowed: Loan = await loans.borrowThing({ path, body: { from: '2026-12-24', to: '2026-12-31' } });
results['borrow'] = borrowed.borrower;
results['period'] = (await loans.listLoans({ path: { ...path, from: '2026-12-24', to: '2026-12-31' } })).loans.length;
results['remind'] = String(await loans.remindBorrower({ path }));

const tree: Category = await loans.getCategories();
results['tree'] = typeof tree.name;
const ordered = await loans.setCategories({ body: { name: 'All', below: [{ name: 'Tools', below: [{ name: 'Drills' }] }] } });
results['order'] = typeof ordered.below?.[0]?.below;

const failures = [
  () => loans.getThing({ path, headers: { Prefer: 'code=404' } }),
  () => loans.borrowThing({ path, body: { from: '2026-12-24', to: '2026-13-31' } }),
  () => loans.setPhoto({ path, body: { photo: new File(['<svg/>'], 'drill.svg', { type: 'image/svg+xml' }) } }),
  () => loans.createThing({ body: { kind: 'tool', name: 'Drill', watts: 10_000 } }),
];
results['errors'] = await Promise.all(
  failures.map((call) =>
    call().then(
      () => 'no error',
      (error: unknown) => (isApiError(error) ? [error.status, error.code, error.message] : String(error)),
    ),
  ),
);
results['webhook'] = ((thing: types.ThingOfferedWebhookPayload): string => thing.name)(data);
console.log(JSON.stringify(results));

export const wrong = [
  // @ts-expect-error the id is read-only
  () => loans.createThing({ body: { id: 1, kind: 'book', name: 'Momo', isbn: '9783522177504' } }),
  // @ts-expect-error watts belong to tools
  () => loans.createThing({ body: { kind: 'book', name: 'Momo', watts: 5 } }),
  // @ts-expect-error the password is write-only
  async () => (await loans.getMe()).password,
  // @ts-expect-error not a kind of things
  () => loans.listThings({ query: { filter: { kind: 'boat' } } }),
  // @ts-expect-error a period has two ends
  () => loans.listLoans({ path: { ...path, from: '2026-12-24' } }),
];
`;

let folder: TestFolder;
let mock: ForegroundCommand;
let results: Record<string, unknown>;
beforeAll(async () => {
  folder = await makeFolder();
  const use = await makeClientProject(contract, 'loans-client', program, folder.path);
  mock = await startMock(contract, join(folder.path, 'data'));
  // Where the contract says that it is.
  results = await use(`${mock.url}/v1`);
});
afterAll(async () => {
  await mock.end();
  await folder.remove();
});

test('the program calls every operation of the example', async () => {
  const about = await readFile(join(folder.path, 'loans-client/README.md'), 'utf8');
  const methods = [...about.matchAll(/^\| `(\w+)` \| `[A-Z]+ /gm)].map(([, method = '']) => method);
  expect(methods).toHaveLength(16);
  expect(methods.filter((method) => !program.includes(`.${method}(`))).toEqual([]);
});

test('a client of the example, strictly compiled, gets every answer from the mock', () => {
  const text = expect.any(String);
  expect(results).toEqual({
    join: text,
    me: expect.any(Number),
    token: ['string', 'bearer'],
    list: expect.any(Array),
    create: [201, expect.stringMatching(/^(book|tool)$/)],
    get: text,
    change: text,
    remove: 'undefined',
    upload: expect.stringMatching(/^image\/(png|jpeg)$/),
    photo: true,
    'has photo': 'undefined',
    borrow: text,
    period: expect.any(Number),
    remind: 'undefined',
    tree: 'string',
    order: text,
    errors: [
      [404, text, text],
      [400, text, 'to is invalid'],
      [400, text, 'photo is invalid'],
      [400, text, 'watts is invalid'],
    ],
    webhook: text,
  });
});
