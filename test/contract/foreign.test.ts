import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseContract } from '../../src/contract/contract.js';
import { expectOneLine, run } from '../support/cli.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { startInForeground, type ForegroundCommand } from '../support/foreground.js';
import { send } from '../support/service.js';
import { contract as contractWith } from './feature.js';

/** What contracts of public projects have and ours does not: see `npm run soak -- contracts`. */
const contract = {
  openapi: '3.0.1',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders/{id}': {
      servers: [{ url: 'https://orders.example.com' }],
      get: {
        security: [{ basic: [] }, { oauth: [] }],
        parameters: [
          { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object' } },
          { name: 'page', in: 'query', content: { 'application/json': { schema: {} } } },
        ],
        responses: { default: { $ref: '#/components/responses/Order' } },
      },
      put: {
        security: [{}, { oauth: [] }],
        callbacks: {},
        requestBody: {
          content: {
            'application/xml': { schema: {} },
            'application/json; charset=utf-8': { schema: { $ref: '#/components/schemas/Order' } },
          },
        },
        responses: {
          '2XX': {
            description: 'ok',
            content: { '*/*': { schema: { $ref: '#/components/schemas/Order' } } },
          },
          '4XX': { description: 'wrong' },
        },
      },
    },
    '/odd': {
      get: {
        responses: {
          '200': {
            description: 'an example that does not fit',
            content: { 'application/json': { schema: { type: 'integer' }, example: 'one' } },
          },
        },
      },
    },
    '/copies': {
      get: {
        responses: {
          '200': {
            description: 'a reference into a path, and headers of the connection',
            headers: { 'Transfer-Encoding': { schema: { type: 'string' }, example: 'chunked' } },
            content: {
              'application/json': {
                schema: {
                  $ref: '#/paths/~1orders~1%7Bid%7D/put/responses/2XX/content/*~1*/schema',
                },
              },
            },
          },
        },
      },
    },
    '/dangling': {
      get: { responses: { '200': { $ref: '#/paths/~1nowhere/get/responses/200' } } },
    },
    '/broken': {
      get: {
        responses: {
          '200': { description: 'x', content: { 'application/json': { schema: { minimum: 'a' } } } },
        },
      },
    },
  },
  components: {
    securitySchemes: {
      basic: { type: 'http', scheme: 'basic' },
      oauth: { type: 'oauth2', flows: {} },
    },
    responses: {
      Order: {
        description: 'an order',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
      },
    },
    schemas: {
      Order: {
        type: 'object',
        required: ['id', 'secret', 'title'],
        discriminator: { propertyName: 'title' },
        properties: {
          id: { type: 'integer', readOnly: true, format: 'snowflake', minimum: 0, exclusiveMinimum: true },
          secret: { type: 'string', writeOnly: true },
          title: { type: 'string', pattern: '^[\\w-.]+$' },
          parent: { $ref: '#/components/schemas/Order' },
          note: { nullable: true, allOf: [{ type: 'string' }] },
        },
      },
    },
  },
};

describe('a contract that was written for another service', () => {
  let folder: TestFolder;
  let mock: ForegroundCommand;
  beforeAll(async () => {
    folder = await makeFolder();
    const file = join(folder.path, 'shop.json');
    await writeFile(file, JSON.stringify(contract, undefined, 2));
    mock = await startInForeground(['mock', '--dynamic', '--contract', file], {
      PORT: '0',
      LOG_LEVEL: 'silent',
    });
  });
  afterAll(async () => {
    expect(await mock.end()).toBe(0);
    await folder.remove();
  });

  test('is served but for what has no meaning', () => {
    expect(mock.out()).toMatch(/GET +\S+\/orders\/\{id\} +GET \/orders\/\{id\}: default\n/);
    expect(mock.out()).toMatch(/PUT +\S+\/orders\/\{id\} +PUT \/orders\/\{id\}: 2XX 4XX\n/);
    expect(mock.out()).toContain('/odd');
    expect(mock.out()).not.toContain('/dangling');
  });

  test('default responses, recursive schemas, unknown formats and foreign patterns are answered', async () => {
    const { status, body } = await send(mock.url, 'GET', '/orders/1?filter[a]=1&page={}');
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: expect.any(String), id: expect.any(Number) });
  });

  test('a request needs no field that is only read, and gets 400 when it is wrong', async () => {
    const order = { secret: 'x', title: 'y' };
    const headers = { 'Content-Type': 'application/json' };
    const put = (sent: object) => send(mock.url, 'PUT', '/orders/1', { body: sent, headers });
    expect((await put(order)).status).toBe(200);
    expect((await put({ title: 'y' })).status).toBe(400);
  });

  test('references into other paths are followed, and headers of the connection are not sent', async () => {
    const { status, body, headers } = await send(mock.url, 'GET', '/copies');
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: expect.any(String) });
    expect(headers).not.toHaveProperty('transfer-encoding');
  });

  test('an operation with a reference that leads to nothing is left out, and the rest is described', async () => {
    expect((await send(mock.url, 'GET', '/dangling')).status).toBe(404);
    expect((await send(mock.url, 'GET', '/openapi.php')).status).toBe(200);
  });

  test('an example that does not fit is replaced by a value that does', async () => {
    expect(await send(mock.url, 'GET', '/odd')).toMatchObject({ status: 200, body: expect.any(Number) });
  });

  test('an operation with an invalid schema says why it is not served, each time', async () => {
    const reason = {
      error: 'not_implemented',
      message: expect.stringMatching(/shop\.json:\d+:\d+: GET \/broken: schema: \/minimum must be number$/),
    };
    for (const _time of [1, 2])
      expect(await send(mock.url, 'GET', '/broken')).toMatchObject({ status: 501, body: reason });
  });
});

test('a contract of version 2.0 or 3.2 is refused with one clear line', async () => {
  const folder = await makeFolder();
  const file = join(folder.path, 'new.json');
  for (const openapi of ['2.0', '3.2.0']) {
    await writeFile(file, JSON.stringify({ ...contract, openapi }));
    const ended = await run(['mock', '--contract', file], { PORT: '0', LOG_LEVEL: 'silent' });
    expectOneLine(
      ended,
      /new\.json:1:\d+: openapi must be a version 3\.0 or 3\.1, such as 3\.0\.3 or 3\.1\.1/,
    );
  }
  await folder.remove();
});

test('a contract of version 3.1 is mocked', async () => {
  const folder = await makeFolder();
  const file = join(folder.path, 'new.json');
  await writeFile(file, JSON.stringify({ ...contract, openapi: '3.1.0' }));
  const mock = await startInForeground(['mock', '--contract', file], { PORT: '0', LOG_LEVEL: 'silent' });
  const { status, body } = await send(mock.url, 'GET', '/orders/1');
  expect(await mock.end()).toBe(0);
  await folder.remove();
  expect({ status, body }).toMatchObject({ status: 200, body: { title: expect.any(String) } });
});

const dangling = { $ref: '#/paths/~1nowhere' };
test.each([
  ['of which nothing can be served', { '/a': { get: dangling, put: dangling }, '/b': { get: {} } }, 3],
  ['whose paths are all references', { '/a': { $ref: 'other.json' } }, 0],
])('a contract %s ends mock and proxy with 2, how many there are and why', async (_what, paths, count) => {
  const folder = await makeFolder();
  const file = join(folder.path, 'shop.json');
  await writeFile(file, JSON.stringify({ ...contract, paths }));
  const settings = { PORT: '0', LOG_LEVEL: 'silent' };
  const commands = [
    ['mock'],
    ['mock', '--dynamic', '--json'],
    ['proxy', 'http://127.0.0.1:9', '--port', '0'],
  ];
  for (const command of commands) {
    const ended = await run([...command, '--contract', file], settings);
    const said = ended.err.split('\n').at(-2);
    expect(said).toMatch(
      new RegExp(
        `^${command.includes('--json') ? '{"error":{"code":"contract-unusable","message":"' : 'voucherd: '}.*shop\\.json: 0 of ${String(count)} operations can be served; the first reason: .+`,
      ),
    );
    expect(ended).toMatchObject({ status: 2, out: '' });
  }
  await folder.remove();
});

test('a contract without operations ends a mock with 2', async () => {
  const folder = await makeFolder();
  const file = join(folder.path, 'shop.json');
  await writeFile(file, JSON.stringify({ ...contract, paths: {} }));
  const ended = await run(['mock', '--contract', file], { PORT: '0', LOG_LEVEL: 'silent' });
  await folder.remove();
  expectOneLine(ended, /shop\.json: 0 of 0 operations can be served\n$/);
  expect(ended.status).toBe(2);
});

test('a mock takes what was written for others, and leaves out what it can not serve', () => {
  const unsupported: string[] = [];
  const source = contractWith(`/named:
  get:
    operationId: list/all
    responses:
      '200': { description: d }
      default: { description: d }
/nameless:
  post:
    requestBody: { content: { application/json: { schema: { type: object } } } }
    responses: { '201': { description: d } }
  put:
    parameters: [{ name: filter, in: query, style: deepObject, schema: { type: object } }]
    responses: { '200': { description: d } }
/two/{a}{b}:
  get:
    responses: { '200': { description: d } }`);
  const { operations } = parseContract(source, {
    onUnsupported: ({ what }) => void unsupported.push(what),
    isForeign: true,
  });
  expect([...operations.keys()]).toEqual(['list/all', 'PUT /nameless', 'POST /nameless']);
  expect(unsupported).toEqual([expect.stringContaining('there must be a text between two parameters')]);
});
