import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadContract, parseContract } from '../../../src/contract/contract.js';
import { validatorsOf } from '../../../src/contract/runtime/validators.js';
import { expectOneLine, run } from '../../support/cli.js';
import { contractFile, documentedResponses, readContract } from '../../support/contract.js';
import { exampleRequests } from '../../support/exampleRequests.js';
import { startInForeground, type ForegroundCommand } from '../../support/foreground.js';
import { makeFolder, type TestFolder } from '../../support/folder.js';
import { writeParcelsContract } from '../../contractRun/parcels.js';
import { siteIdRequired } from '../../support/refusal.js';
import { send, type RequestOptions } from '../../support/service.js';

const settings = { PORT: '0', LOG_LEVEL: 'silent' };
const startMock = (...argv: string[]) =>
  startInForeground(['mock', '--dynamic', '--json', ...argv], settings);

interface Voucher {
  voucher_code: string;
  voucher_name: string;
  max_uses: number;
  created_at: string;
}

/** What a client gets that asks for everything once. */
const askAll = async ({ url }: ForegroundCommand): Promise<unknown[]> => {
  const answers = [
    await send(url, 'GET', '/sites.php'),
    await send(url, 'GET', '/vouchers.php?site_id=1'),
    await send(url, 'GET', '/vouchers.php?site_id=2'),
    await send(url, 'POST', '/vouchers.php', { body: { site_id: 1, name: 'x' } }),
    await send(url, 'POST', '/vouchers.php', { body: { site_id: 1, name: 'x' } }),
    await send(url, 'GET', '/vouchers.php?site_id=1'),
  ];
  return answers.map(({ body }) => body);
};

describe('voucherd mock --dynamic', () => {
  let mock: ForegroundCommand;
  beforeAll(async () => {
    mock = await startMock();
  });
  afterAll(async () => {
    expect(await mock.end()).toBe(0);
  });
  const ask = (id: string, options: RequestOptions): ReturnType<typeof send> => {
    const { method, path, body } = exampleRequests().find(({ operationId }) => operationId === id)!;
    return send(mock.url, method, path, { ...(body !== undefined && { body }), ...options });
  };
  const list = async (site: number): Promise<Voucher[]> =>
    ((await send(mock.url, 'GET', `/vouchers.php?site_id=${site}`)).body as { vouchers: Voucher[] }).vouchers;

  const contract = loadContract(contractFile);
  const validators = validatorsOf(contract);
  test('every documented answer fits its schema, and has its own error', async () => {
    for (const { operationId, status, response } of documentedResponses(readContract())) {
      const operation = contract.operations.get(operationId)!;
      for (const _time of [1, 2, 3]) {
        const answer = await ask(operationId, { headers: { Prefer: `code=${status}` } });
        const { error } = Object(answer.body) as { error?: unknown };
        const errors = response.content ? validators.replyErrors(operation, Number(status), answer.body) : [];
        expect({ operationId, status: answer.status, error, errors }).toEqual({
          ...{ operationId, status: Number(status), errors: [] },
          error: response.content && response['x-error'],
        });
        expect(answer.headers['x-mock']).toBe('true');
      }
    }
  });

  test('sites have different lists, each sorted as the contract says, and the same each time', async () => {
    const lists = await Promise.all([11, 12, 13, 11].map(list));
    expect(lists[3]).toEqual(lists[0]);
    expect(lists[1]).not.toEqual(lists[0]);
    for (const vouchers of lists) {
      const times = vouchers.map(({ created_at }) => created_at);
      expect(times).toEqual(times.toSorted().reverse());
    }
  });

  test('what was created has the fields that were sent, and is the first of its site', async () => {
    const before = await list(21);
    const order = { site_id: 21, name: 'Familie Berger', max_uses: 7, expire_minutes: 90 };
    const { status, body } = await send(mock.url, 'POST', '/vouchers.php', { body: order });
    expect(status).toBe(201);
    expect(body).toMatchObject({ success: true, max_uses: 7, expire_minutes: 90 });
    const [first, ...others] = await list(21);
    expect(first).toMatchObject({
      voucher_code: (body as { code: string }).code,
      voucher_name: 'Familie Berger',
      max_uses: 7,
      expire_minutes: 90,
    });
    expect(others).toEqual(before);
    expect((await list(22)).map(({ voucher_name }) => voucher_name)).not.toContain('Familie Berger');
  });

  test('a list never has more items than the contract allows', async () => {
    for (let count = 1; count <= 205; count += 1)
      await send(mock.url, 'POST', '/vouchers.php', { body: { site_id: 31, name: `Nr. ${count}` } });
    const vouchers = await list(31);
    expect(vouchers).toHaveLength(200);
    expect(vouchers[0]?.voucher_name).toBe('Nr. 205');
  });

  test('a list that has not changed answers 304, and 200 once something was created', async () => {
    const { etag } = (await send(mock.url, 'GET', '/vouchers.php?site_id=41')).headers;
    const again = () =>
      send(mock.url, 'GET', '/vouchers.php?site_id=41', { headers: { 'If-None-Match': etag! } });
    expect((await again()).status).toBe(304);
    await send(mock.url, 'POST', '/vouchers.php', { body: { site_id: 41, name: 'x' } });
    expect((await again()).status).toBe(200);
  });

  test('an error that is asked for creates nothing', async () => {
    const before = await list(51);
    const body = { site_id: 51, name: 'x' };
    await send(mock.url, 'POST', '/vouchers.php', { body, headers: { Prefer: 'code=404' } });
    expect(await list(51)).toEqual(before);
  });

  test('input is validated as usual', async () => {
    expect(await send(mock.url, 'POST', '/vouchers.php', { body: {} })).toMatchObject(siteIdRequired);
  });
});

test('the same seed makes the same answers, another one others', async () => {
  const mocks = [await startMock('--seed', '5'), await startMock('--seed', '5'), await startMock()];
  const [one, same, other] = await Promise.all(mocks.map(askAll));
  await Promise.all(mocks.map(({ end }) => end()));
  expect(same).toEqual(one);
  expect(other).not.toEqual(one);
  // Two orders that are alike get two codes.
  expect(one![4]).not.toEqual(one![3]);
});

test.each([
  [['--seed', '1'], '--seed means something only with --dynamic'],
  [['--dynamic', '--seed', '-1'], '--seed: "-1" is not allowed: a whole number from 0 to 4294967295'],
])('a wrong command line gives one clear line: %j', async (argv, line) => {
  expectOneLine(await run(['mock', ...argv], settings), line);
});

const tasks = `
openapi: 3.0.3
info: { title: Tasks, version: '1' }
servers: [{ url: 'http://localhost' }]
components: {}
paths:
  /projects/{project}/tasks:
    parameters:
      - { name: project, in: path, required: true, schema: { type: string } }
    get:
      operationId: listTasks
      parameters:
        - { name: state, in: query, schema: { type: string, enum: [open, done] } }
        - { name: page, in: query, schema: { type: integer } }
      responses:
        '200':
          description: Tasks
          content:
            application/json:
              schema:
                type: array
                items:
                  allOf:
                    - { type: object, required: [id], properties: { id: { type: string, format: uuid } } }
                    - type: object
                      required: [title, state, due]
                      properties:
                        title: { type: string, pattern: '^[A-Z][a-z]{2,9}$' }
                        state: { type: string, enum: [open, done] }
                        due: { type: string, format: date, nullable: true }
                        owner: { oneOf: [{ type: string, format: email }, { type: integer, minimum: 5, maximum: 9 }] }
    post:
      operationId: addTask
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [title]
              properties:
                title: { type: string }
                state: { type: string, enum: [open, done], default: open }
      responses:
        '201':
          description: Added
          content:
            application/json:
              schema: { type: object, required: [id], properties: { id: { type: string, format: uuid } } }
`;

describe('a contract of others, with a list at the root and parameters in the path', () => {
  let folder: TestFolder;
  let mock: ForegroundCommand;
  beforeAll(async () => {
    folder = await makeFolder();
    const file = join(folder.path, 'tasks.yaml');
    await writeFile(file, tasks);
    mock = await startMock('--contract', file);
  });
  afterAll(async () => {
    await mock.end();
    await folder.remove();
  });
  const list = async (search: string) =>
    (await send(mock.url, 'GET', `/projects/a/tasks${search}`)).body as Record<string, unknown>[];
  const add = (project: string, title: string) =>
    send(mock.url, 'POST', `/projects/${project}/tasks`, { body: { title } });

  test('what was created is listed at its path and under its state only', async () => {
    const { id } = (await add('a', 'Fegen')).body as { id: string };
    await add('b', 'Anderswo');
    const created = expect.objectContaining({ id, title: 'Fegen', state: 'open' });
    expect(await list('')).toContainEqual(created);
    expect(await list('?state=open&page=2')).toContainEqual(created);
    expect(await list('?state=done')).not.toContainEqual(created);
    expect(JSON.stringify(await list(''))).not.toContain('Anderswo');
  });

  test('made items are those that the query asks for, too', async () => {
    for (const state of ['open', 'done'])
      for (const task of await list(`?state=${state}`)) expect(task).toMatchObject({ state });
  });

  test('a value that the list does not allow is replaced by one that it allows', async () => {
    const { id } = (await add('a', 'klein geschrieben')).body as { id: string };
    const listed = (await list('')).find((task) => task['id'] === id);
    expect(listed).toMatchObject({ title: expect.stringMatching(/^[A-Z][a-z]{2,9}$/) });
  });

  test('patterns, formats, alternatives and absent values are as the schema says, with any seed', async () => {
    const contract = parseContract(tasks, { onUnsupported: () => undefined, isForeign: true });
    const validators = validatorsOf(contract);
    for (let project = 0; project < 100; project += 1) {
      const { body } = await send(mock.url, 'GET', `/projects/${project}/tasks`);
      expect(validators.replyErrors(contract.operations.get('listTasks')!, 200, body)).toEqual([]);
    }
  });
});

describe('of objects that a discriminator chooses from', () => {
  let folder: TestFolder;
  let mock: ForegroundCommand;
  beforeAll(async () => {
    folder = await makeFolder();
    mock = await startMock('--contract', writeParcelsContract(folder.path));
  });
  afterAll(async () => {
    await mock.end();
    await folder.remove();
  });
  const parcelsOf = async (query = ''): Promise<readonly unknown[]> =>
    ((await send(mock.url, 'GET', `/v1/parcels${query}`)).body as { parcels: unknown[] }).parcels;

  test.each([
    { kind: 'letter', recipient: 'Ada', registered: true },
    { kind: 'box', recipient: 'Bo', grams: 1200 },
    { kind: 'pallet', recipient: 'Cy', layers: 7 },
  ])('what is created has the kind and the values of the request, and is listed: $kind', async (body) => {
    const { status, body: created } = await send(mock.url, 'POST', '/v1/parcels', { body });
    expect({ status, created }).toMatchObject({ status: 201, created: body });
    const newest = [expect.objectContaining({ ...body, id: (created as { id: number }).id })];
    expect((await parcelsOf()).slice(0, 1)).toEqual(newest);
    expect((await parcelsOf(`?kind=${body.kind}`)).slice(0, 1)).toEqual(newest);
  });

  test('a filter by kind lists no other kinds', async () => {
    for (const kind of ['letter', 'box', 'pallet'])
      for (const parcel of await parcelsOf(`?kind=${kind}`)) expect(parcel).toMatchObject({ kind });
  });
});

test.each([[], ['--dynamic']])(
  'an error without an example is a problem detail of its status: %j',
  async (...mode) => {
    const folder = await makeFolder();
    const file = writeParcelsContract(folder.path);
    const mock = await startInForeground(['mock', '--json', '--contract', file, ...mode], settings);
    const answer = await send(mock.url, 'GET', '/v1/parcels/7', { headers: { Prefer: 'code=404' } });
    await mock.end();
    await folder.remove();
    expect(answer).toMatchObject({
      status: 404,
      headers: { 'content-type': 'application/problem+json' },
      body: {
        type: 'https://parcels.example/problems/not_found',
        title: 'Not Found',
        status: 404,
        detail: 'There is no such parcel',
        instance: '/v1/parcels/7',
      },
    });
  },
);
