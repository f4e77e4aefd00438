import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseContract, type Contract } from '../../src/contract/contract.js';
import { checkDefaults } from '../../src/contract/defaults.js';
import { findCollections } from '../../src/contract/mock/dynamic/collections.js';
import { validatorsOf } from '../../src/contract/runtime/validators.js';
import { parseContractModel } from '../../tools/contract/src/contract.js';
import { makeValidator } from '../../tools/contract/src/document/validator.js';
import { startProxy, startServer } from '../cli/proxy/servers.js';
import { startContractServer } from '../support/contractServer.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { startInForeground } from '../support/foreground.js';
import { send } from '../support/service.js';
import {
  contract as contractWith,
  get as getOperation,
  parameters,
  post as postOperation,
  type HandlerRequest,
} from './feature.js';

type Schemas = Readonly<Record<string, unknown>>;

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Each of these has the next one twice, so all of them in each other are a billion schemas. */
const levels = 30;
const levelSchemas = (required: readonly string[]): Schemas =>
  Object.fromEntries(
    Array.from({ length: levels }, (_, level) => {
      const next = reference(`Level${level + 1}`);
      const id = { type: 'integer', minimum: 1 };
      const isLast = level === levels - 1;
      const schema = isLast
        ? { type: 'object', required: ['code'], properties: { code: id } }
        : { type: 'object', required: ['id', ...required], properties: { id, next, other: next } };
      return [`Level${level}`, schema];
    }),
  );

/** Resources that lead to each other by an id or in full, one by one and in lists. */
const kinds = 40;
const resourceSchemas: Schemas = Object.fromEntries(
  Array.from({ length: kinds }, (_, kind) => {
    const others = [1, 2, 3, 5, 8, 13].map((step) => `Kind${(kind + step) % kinds}`);
    const texts = Array.from({ length: 30 }, (_, at) => [`text${at}`, { type: 'string', maxLength: 500 }]);
    const links = others.map((other) => [
      `link${other}`,
      { anyOf: [{ type: 'string' }, reference(other)], nullable: true },
    ]);
    const list = { type: 'array', items: reference(others[0]!) };
    const properties = {
      ...Object.fromEntries([...texts, ...links]),
      object: { type: 'string', enum: [`kind${kind}`] },
      owner: reference(others[1]!),
      list: { type: 'object', required: ['data'], properties: { data: list } },
    };
    return [`Kind${kind}`, { type: 'object', required: ['object', 'list', 'text1'], properties }];
  }),
);

const contract = (openapi: string, schemas: Schemas, first: string) => {
  const content = { 'application/json': { schema: reference(first) } };
  const responses = { '200': { description: 'd', content } };
  return JSON.stringify({
    openapi,
    info: { title: 'Large', version: '1' },
    paths: {
      '/large': { get: { responses }, post: { requestBody: { required: true, content }, responses } },
    },
    components: { schemas },
  });
};

/** A value of all levels. */
const levelsWith = (code: unknown): unknown => {
  let body: unknown = { code };
  for (let level = 1; level < levels; level += 1) body = { id: 1, next: body };
  return body;
};

const headers = { 'Content-Type': 'application/json' };
const folder = forAllTests(makeFolder, 'remove');

const load = (source: string): Contract =>
  parseContract(source, { isForeign: true, onUnsupported: (error) => expect(error).toBeUndefined() });

const withMock = async (
  source: string,
  options: readonly string[],
  use: (
    post: (body: unknown) => ReturnType<typeof send>,
    get: () => ReturnType<typeof send>,
  ) => Promise<void>,
): Promise<void> => {
  const file = join(folder.path, 'contract.json');
  await writeFile(file, source);
  const mock = await startInForeground(['mock', '--contract', file, ...options], {
    PORT: '0',
    LOG_LEVEL: 'silent',
  });
  try {
    const post = (body: unknown) => send(mock.url, 'POST', '/large', { body, headers });
    await use(post, () => send(mock.url, 'GET', '/large'));
  } finally {
    expect(await mock.end()).toBe(0);
  }
};

const modes: [version: string, options: string[]][] = [
  ['3.0.3', []],
  ['3.0.3', ['--dynamic']],
  ['3.1.0', []],
];

test.each(modes)(
  'schemas of %s that are used twice at each level are validated and mocked, %j',
  (version, options) => {
    const source = contract(version, levelSchemas(['next']), 'Level0');
    const loaded = load(source);
    const [operation] = loaded.operations.values();
    return withMock(source, options, async (post) => {
      const { status, body } = await post(levelsWith(1));
      expect(status).toBe(200);
      expect(validatorsOf(loaded).replyErrors(operation!, 200, body)).toEqual([]);
      expect((await post(levelsWith(0))).status).toBe(400);
      expect((await post(levelsWith('x'))).status).toBe(400);
    });
  },
);

test.each(modes)(
  'resources of %s that all lead to each other are validated and mocked, %j',
  (version, options) => {
    // `nullable` is of 3.0 only, and ignored in 3.1.
    const source = contract(version, resourceSchemas, 'Kind0');
    const loaded = load(source);
    const [operation] = loaded.operations.values();
    return withMock(source, options, async (post) => {
      const { status, body } = await post({ object: 'kind0', text1: 'a', list: { data: [] } });
      expect(status).toBe(200);
      expect(body).toMatchObject({ object: 'kind0' });
      expect(validatorsOf(loaded).replyErrors(operation!, 200, body)).toEqual([]);
      const deep = { object: 'kind1', text1: 'a', list: { data: [{ object: 'kind3' }] } };
      expect((await post({ object: 'kind0', text1: 'a', list: { data: [deep] } })).status).toBe(400);
    });
  },
);

test.each(modes.slice(0, 2))(
  'values of %s that could never be small enough end in an answer, %j',
  (version, options) => {
    const source = contract(version, levelSchemas(['next', 'other']), 'Level0');
    return withMock(source, options, async (post, get) => {
      expect(await get()).toMatchObject({ status: 200 });
      expect((await post({ id: 1, next: {}, other: {} })).status).toBe(400);
      expect((await post(levelsWith(1))).status).toBe(400);
    });
  },
);

test('the proxy compares all levels', async () => {
  const file = join(folder.path, 'proxied.json');
  await writeFile(file, contract('3.0.3', levelSchemas(['next']), 'Level0'));
  const server = await startServer((_req, res) =>
    res.writeHead(200, headers).end(JSON.stringify(levelsWith('x'))),
  );
  const proxy = await startProxy(server.url, '--contract', file);
  try {
    const answer = await send(proxy.url, 'POST', '/large', { headers, body: levelsWith(0) });
    const found = String(answer.headers['x-contract-violation']);
    const place = `${'/next'.repeat(levels - 1)}/code`;
    expect(found).toContain(`request body: ${place} must be >= 1`);
    expect(found).toContain(`response body: ${place} must be integer`);
  } finally {
    await proxy.end();
    await server.stop();
  }
});

test('a service validates and converts all levels, and the contract run looks into some', async () => {
  const paths = postOperation('/large', 'large', "$ref: '#/components/schemas/Level0'").replace(
    'schema: {}',
    "schema: { $ref: '#/components/schemas/Level0' }",
  );
  const source = contractWith(paths, `schemas: ${JSON.stringify(levelSchemas(['next']))}`);
  const service = await startContractServer({
    source,
    handlers: { large: async ({ input, reply }: HandlerRequest) => reply(200, input['body']) },
  });
  try {
    const authorization = { ...headers, Authorization: 'Bearer x' };
    const post = (body: unknown) => send(service.url, 'POST', '/large', { headers: authorization, body });
    expect(await post(levelsWith(1))).toMatchObject({ status: 200, body: levelsWith(1) });
    expect((await post(levelsWith(0))).body).toMatchObject({ message: 'code is invalid' });
    expect(service.violations).toEqual([]);
  } finally {
    await service.stop();
  }
  const [operation] = parseContractModel(source).operations;
  const validate = makeValidator(operation!.requestBody!.schema!);
  expect(validate(levelsWith(1))).toEqual([]);
  expect(validate({ id: 0, next: {} })).not.toEqual([]);
});

test('lists of large resources are collections', () => {
  const texts = Array.from({ length: 60 }, (_, at) => [`text${at}`, { type: 'string' }]);
  const schemas = {
    Note: { type: 'object', properties: Object.fromEntries(texts) },
    Notes: { type: 'object', properties: { notes: { type: 'array', items: reference('Note') } } },
  };
  const collections = findCollections(load(contract('3.0.3', schemas, 'Notes')));
  expect([...collections.values()].map(({ name }) => name)).toEqual(['notes']);
});

/** Larger than what is repeated wherever it is used. */
const manyFields = Array.from({ length: 1_000 }, (_, at) => `  field${at}: { type: string, maxLength: 9 }`);

const ours = (
  first: string,
  after = '',
  paths = postOperation('/large', 'large', "$ref: '#/components/schemas/Large'"),
) =>
  contractWith(
    paths,
    `schemas:
  Large:
    type: object
${after}    properties:
      first: ${first}
${manyFields.map((field) => `    ${field}`).join('\n')}`,
  );

test.each([
  ['{ type: string, pattern: "(" }', 'Large: invalid pattern'],
  ['{ type: string, format: nonsense }', 'Large: there is no format "nonsense"'],
])('what is not supported in a large schema of ours is refused with its place: %s', (first, what) => {
  expect(() => parseContract(ours(first))).toThrow(what);
  expect(() => parseContract(ours(first))).toThrow(/^openapi\.yaml:\d+:\d+: /);
});

test('a default in a large schema of ours has to fit', () => {
  const loaded = parseContract(ours('{ type: integer, default: x }'));
  expect(() => checkDefaults(loaded)).toThrow('the default of first does not fit its schema');
});

test('a body that is none counts as an object without fields where a large schema says so', async () => {
  const server = await startContractServer({
    source: ours('{ type: integer, default: 7 }', '    x-otherwise: empty\n'),
    handlers: { large: ({ input, reply }: HandlerRequest) => reply(200, input['body']) },
  });
  expect(await send(server.url, 'POST', '/large', { body: [] })).toMatchObject({ body: { first: 7 } });
  expect(await send(server.url, 'POST', '/large')).toMatchObject({ body: { first: 7 } });
  await server.stop();
});

test('numbers in a large object in the query are those of JSON', async () => {
  const large =
    "{ name: large, in: query, style: deepObject, schema: { $ref: '#/components/schemas/Large' } }";
  const server = await startContractServer({
    source: ours('{ type: integer }', '', getOperation('/large', 'large', parameters(large))),
    handlers: { large: ({ input, reply }: HandlerRequest) => reply(200, input['query']) },
  });
  const ask = (value: string) => send(server.url, 'GET', `/large?large[first]=${value}`, { key: 'x' });
  expect(await ask('7')).toMatchObject({ status: 200, body: { large: { first: 7 } } });
  expect(await ask('0x7')).toMatchObject({ status: 400 });
  await server.stop();
});
