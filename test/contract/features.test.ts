import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseContract } from '../../src/contract/contract.js';
import { startContractServer, type ContractServer } from '../support/contractServer.js';
import { send, type Answer, type RequestOptions } from '../support/service.js';

/** One feature of contracts that is supported: a row of the table in docs/contract.md. */
interface Feature {
  /** The first column. */
  readonly row: string;
  /** What stands below `paths:`. Every operation answers with what its handler got. */
  readonly paths: string;
  readonly components?: string;
  readonly handler?: (request: HandlerRequest) => unknown;
  readonly cases: readonly (readonly [what: string, request: Request, expected: unknown])[];
}

type Request = readonly [method: string, path: string, options?: RequestOptions];

interface HandlerRequest {
  readonly input: Record<string, unknown>;
  readonly key: unknown;
  reply(status: number, body?: unknown, headers?: Record<string, string>): unknown;
}

const ok = (body: unknown) => ({ status: 200, body });
const refused = (message: string) => ({ status: 400, body: { error: 'invalid_request', message } });

const indent = (code: string, depth: number): string =>
  code
    .trim()
    .split('\n')
    .map((line) => ' '.repeat(depth) + line)
    .join('\n');

const responses = `
responses:
  '200': { description: d, content: { application/json: { schema: {} } } }
  '400': { description: d, x-error: invalid_request, x-message: '{message}', content: { application/json: { schema: {} } } }
  '401': { description: d, x-error: unauthorized, x-message: nein, content: { application/json: { schema: {} } } }
  '413': { description: d, x-error: payload_too_large, x-message: '{limit}', content: { application/json: { schema: {} } } }
`;

/** One operation of one method, with everything that is not in question. */
const operation = (id: string, rest: string, answers = responses): string =>
  `operationId: ${id}\nx-scope: read\n${rest.trim()}\n${answers.trim()}`;

const contract = (paths: string, components = ''): string => `openapi: 3.0.3
info: { title: t, version: '1' }
servers: [{ url: http://localhost }]
security: [{ bearerAuth: [] }]
paths:
${indent(paths, 2)}
components:
  securitySchemes:
    bearerAuth: { type: http, scheme: bearer }
${components === '' ? '' : indent(components, 2)}
`;

const get = (path: string, id: string, rest: string): string =>
  `${path}:\n  get:\n${indent(operation(id, rest), 4)}`;
const post = (path: string, id: string, schema: string): string =>
  `${path}:\n  post:\n${indent(
    operation(
      id,
      `requestBody:\n  required: true\n  x-max-bytes: 65536\n  content:\n    application/json:\n      schema:\n${indent(schema, 8)}`,
    ),
    4,
  )}`;
const parameters = (...list: string[]): string =>
  `parameters:\n${list.map((one) => `  - ${one}`).join('\n')}`;

const features: readonly Feature[] = [
  {
    row: 'parameters in a path',
    paths: `${get(
      '/vouchers/{code}',
      'one',
      parameters('{ name: code, in: path, required: true, schema: { type: string, maxLength: 8 } }'),
    )}
${get('/vouchers/latest', 'latest', '')}
${get(
  '/sites/{id}/vouchers/{code}.json',
  'nested',
  parameters(
    "{ name: id, in: path, required: true, schema: { type: integer, minimum: 1, x-message: 'Welche Site?' } }",
    '{ name: code, in: path, required: true, schema: { type: string } }',
  ),
)}
/lists/{ids}:
  parameters:
    - { name: ids, in: path, required: true, schema: { type: array, items: { type: integer } } }
  get:
${indent(operation('list', ''), 4)}`,
    handler: ({ input, reply }) => reply(200, input['path']),
    cases: [
      ['its value', ['GET', '/vouchers/4711'], ok({ code: '4711' })],
      ['percent-decoded', ['GET', '/vouchers/a%2Fb%20%C3%A4'], ok({ code: 'a/b ä' })],
      ['a text comes before a parameter', ['GET', '/vouchers/latest'], ok({})],
      ['is validated', ['GET', '/vouchers/123456789'], refused('code ungültig')],
      ['no percent-encoding', ['GET', '/vouchers/%E0%A4%A'], refused('code ungültig')],
      ['several, with text around them', ['GET', '/sites/7/vouchers/x.json'], ok({ id: 7, code: 'x' })],
      ['with their own messages', ['GET', '/sites/0/vouchers/x.json'], refused('Welche Site?')],
      ['converted like the query', ['GET', '/sites/abc/vouchers/x.json'], refused('Welche Site?')],
      ['a list', ['GET', '/lists/1,2,3'], ok({ ids: [1, 2, 3] })],
      ['never empty', ['GET', '/vouchers/'], { status: 404 }],
      ['and nothing behind it', ['GET', '/vouchers/1/2'], { status: 404 }],
      [
        'another method',
        ['DELETE', '/vouchers/1'],
        { status: 405, headers: expect.objectContaining({ allow: 'GET' }) },
      ],
    ],
  },
  {
    row: 'parameters of a path, for all its operations',
    paths: `/sites/{id}:
  parameters:
    - { name: id, in: path, required: true, schema: { type: integer } }
    - { name: full, in: query, schema: { type: boolean, default: false } }
  get:
${indent(operation('common', parameters('{ name: full, in: query, schema: { type: boolean, default: true } }')), 4)}
  put:
${indent(operation('commonPut', ''), 4)}`,
    handler: ({ input, reply }) => reply(200, [input['path'], input['query']]),
    cases: [
      ['its own comes first', ['GET', '/sites/1'], ok([{ id: 1 }, { full: true }])],
      ['or that of the path', ['PUT', '/sites/1'], ok([{ id: 1 }, { full: false }])],
    ],
  },
  {
    row: 'parameters in the query',
    paths: get(
      '/q',
      'query',
      parameters(
        '{ name: n, in: query, schema: { type: integer } }',
        '{ name: b, in: query, schema: { type: boolean } }',
        '{ name: f, in: query, schema: { type: number } }',
        "{ name: s, in: query, required: true, schema: { type: string, enum: [a, b], x-message: 's ist a oder b' } }",
      ),
    ),
    handler: ({ input, reply }) => reply(200, input['query']),
    cases: [
      ['in their types', ['GET', '/q?s=a&n=5&b=true&f=1.5'], ok({ s: 'a', n: 5, b: true, f: 1.5 })],
      ['unknown ones are left out', ['GET', '/q?s=b&x=1'], ok({ s: 'b' })],
      ['a wrong type', ['GET', '/q?s=a&n=five'], refused('n ungültig')],
      ['one that is missing', ['GET', '/q'], refused('s ist a oder b')],
      ['twice where one is wanted', ['GET', '/q?s=a&s=b'], refused('s ist a oder b')],
    ],
  },
  {
    row: 'lists in the query',
    paths: get(
      '/lists',
      'lists',
      parameters(
        '{ name: id, in: query, schema: { type: array, maxItems: 3, items: { type: integer } } }',
        '{ name: tag, in: query, explode: false, schema: { type: array, items: { type: string } } }',
        '{ name: sp, in: query, style: spaceDelimited, explode: false, schema: { type: array, items: { type: string } } }',
        '{ name: pi, in: query, style: pipeDelimited, explode: false, schema: { type: array, items: { type: string } } }',
      ),
    ),
    handler: ({ input, reply }) => reply(200, input['query']),
    cases: [
      ['explode: true', ['GET', '/lists?id=1&id=2'], ok({ id: [1, 2] })],
      ['of one', ['GET', '/lists?id=1'], ok({ id: [1] })],
      ['explode: false', ['GET', '/lists?tag=a,b'], ok({ tag: ['a', 'b'] })],
      ['an empty one', ['GET', '/lists?tag='], ok({ tag: [] })],
      ['spaceDelimited', ['GET', '/lists?sp=a%20b'], ok({ sp: ['a', 'b'] })],
      ['pipeDelimited', ['GET', '/lists?pi=a|b'], ok({ pi: ['a', 'b'] })],
      ['is validated', ['GET', '/lists?id=1&id=x'], refused('id ungültig')],
      ['as a whole', ['GET', '/lists?id=1&id=2&id=3&id=4'], refused('id ungültig')],
    ],
  },
  {
    row: 'headers',
    paths: get(
      '/h',
      'headers',
      parameters(
        '{ name: X-Count, in: header, required: true, schema: { type: integer } }',
        '{ name: X-Tags, in: header, schema: { type: array, items: { type: string } } }',
      ),
    ),
    handler: ({ input, reply }) => reply(200, input['header']),
    cases: [
      [
        'in their types, by their names',
        ['GET', '/h', { headers: { 'x-count': '5', 'X-TAGS': 'a, b' } }],
        ok({ 'X-Count': 5, 'X-Tags': ['a', 'b'] }),
      ],
      ['one that is missing', ['GET', '/h'], refused('X-Count ungültig')],
      ['a wrong type', ['GET', '/h', { headers: { 'X-Count': 'x' } }], refused('X-Count ungültig')],
    ],
  },
  {
    row: 'cookies',
    paths: get(
      '/c',
      'cookies',
      parameters(
        '{ name: theme, in: cookie, required: true, schema: { type: string, enum: [hell, dunkel] } }',
        '{ name: ids, in: cookie, explode: false, schema: { type: array, items: { type: integer } } }',
      ),
    ),
    handler: ({ input, reply }) => reply(200, input['cookie']),
    cases: [
      [
        'in their types',
        ['GET', '/c', { headers: { Cookie: 'a=b; theme="hell"; ids=1%2C2; theme=dunkel' } }],
        ok({ theme: 'hell', ids: [1, 2] }),
      ],
      ['one that is missing', ['GET', '/c'], refused('theme ungültig')],
    ],
  },
  {
    row: '`allOf`, `oneOf`, `anyOf`, `not` and `$ref`',
    paths: post(
      '/x',
      'composed',
      `
allOf:
  - $ref: '#/components/schemas/Named'
  - type: object
    required: [size]
    properties: { size: { type: integer, x-lenient: true, minimum: 1, x-message: Wie groß? } }
type: object
properties:
  either: { oneOf: [{ type: integer }, { type: string, pattern: '^x' }] }
  any: { anyOf: [{ type: boolean }, { type: array, items: { type: string } }] }
  never: { not: { type: string } }`,
    ),
    components: `schemas:
  Named: { type: object, required: [name], properties: { name: { type: string, x-trim: true, minLength: 1, x-message: Wie heißt es? } } }`,
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      [
        'all of them, with their conversions',
        ['POST', '/x', { body: { name: ' a ', size: '5', other: 1 } }],
        ok({ name: 'a', size: 5 }),
      ],
      ['with their messages', ['POST', '/x', { body: { name: ' ', size: 5 } }], refused('Wie heißt es?')],
      ['of each', ['POST', '/x', { body: { name: 'a' } }], refused('Wie groß?')],
      [
        'one of several',
        ['POST', '/x', { body: { name: 'a', size: 1, either: 'x1' } }],
        ok({ name: 'a', size: 1, either: 'x1' }),
      ],
      ['or none', ['POST', '/x', { body: { name: 'a', size: 1, either: 'y' } }], refused('either ungültig')],
      [
        'any of several',
        ['POST', '/x', { body: { name: 'a', size: 1, any: ['b'] } }],
        ok({ name: 'a', size: 1, any: ['b'] }),
      ],
      [
        'or none of them',
        ['POST', '/x', { body: { name: 'a', size: 1, any: [1] } }],
        refused('any ungültig'),
      ],
      ['not', ['POST', '/x', { body: { name: 'a', size: 1, never: 'a' } }], refused('never ungültig')],
    ],
  },
  {
    row: '`additionalProperties`',
    paths: `${post('/none', 'closed', 'type: object\nadditionalProperties: false\nproperties: { a: { type: string } }')}
${post('/any', 'open', 'type: object\nadditionalProperties: true\nproperties: { a: { type: string } }')}
${post('/typed', 'typed', 'type: object\nadditionalProperties: { type: integer, x-lenient: true }\nproperties: { a: { type: string } }')}
${post('/left', 'unsaid', 'type: object\nproperties: { a: { type: string } }')}`,
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      ['false refuses others', ['POST', '/none', { body: { a: 'x', b: 1 } }], refused('Anfrage ungültig')],
      ['true keeps them', ['POST', '/any', { body: { a: 'x', b: [1] } }], ok({ a: 'x', b: [1] })],
      ['a schema converts them', ['POST', '/typed', { body: { a: 'x', b: '7' } }], ok({ a: 'x', b: 7 })],
      ['not said, they are left out', ['POST', '/left', { body: { a: 'x', b: 1 } }], ok({ a: 'x' })],
      [
        'a name that objects have by themselves',
        ['POST', '/any', { body: '{"a":"x","__proto__":{"z":1}}' }],
        { status: 200, text: '{"a":"x","__proto__":{"z":1}}' },
      ],
    ],
  },
  {
    row: '`nullable`',
    paths: post(
      '/n',
      'nullable',
      'type: object\nproperties: { a: { type: integer, nullable: true, x-lenient: true }, b: { type: integer } }',
    ),
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      ['null stays null', ['POST', '/n', { body: { a: null } }], ok({ a: null })],
      ['and is refused elsewhere', ['POST', '/n', { body: { b: null } }], refused('b ungültig')],
    ],
  },
  {
    row: '`format`',
    paths: post(
      '/f',
      'formats',
      `type: object
properties:
  mail: { type: string, format: email }
  day: { type: string, format: date }
  time: { type: string, format: date-time }
  id: { type: string, format: uuid }
  ip: { type: string, format: ipv4 }
  small: { type: integer, format: int32 }`,
    ),
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      ...(
        [
          ['mail', 'a@example.org', 'a'],
          ['day', '2026-11-15', '15.11.2026'],
          ['time', '2026-11-15T09:30:00Z', 'yesterday'],
          ['id', '6f1c2a34-5b7d-4c8e-9f01-23456789abcd', '6f1c'],
          ['ip', '192.0.2.1', '192.0.2.256'],
          ['small', 5, 3_000_000_000],
        ] as const
      ).flatMap(([name, good, bad]): Feature['cases'] => [
        [`${name} that is one`, ['POST', '/f', { body: { [name]: good } }], ok({ [name]: good })],
        [`${name} that is none`, ['POST', '/f', { body: { [name]: bad } }], refused(`${name} ungültig`)],
      ]),
    ],
  },
  {
    row: 'lists in bodies',
    paths: post(
      '/l',
      'bodyLists',
      "type: object\nproperties: { rows: { type: array, items: { type: object, properties: { n: { type: integer, x-lenient: true, maximum: 9, x-message: 'n bis 9' } } } } }",
    ),
    handler: ({ input, reply }) => reply(200, input['body']),
    cases: [
      [
        'are converted item by item',
        ['POST', '/l', { body: { rows: [{ n: '5', x: 1 }] } }],
        ok({ rows: [{ n: 5 }] }),
      ],
      [
        'with the message of the field',
        ['POST', '/l', { body: { rows: [{ n: 1 }, { n: 10 }] } }],
        refused('n bis 9'),
      ],
    ],
  },
  {
    row: 'responses without a body',
    paths: `/gone:\n  delete:\n${indent(operation('gone', '', "responses:\n  '204': { description: d }"), 4)}`,
    handler: ({ reply }) => reply(204),
    cases: [['`reply(204)`', ['DELETE', '/gone'], { status: 204, text: '' }]],
  },
  {
    row: 'responses that are not JSON',
    paths: `/csv:
  get:
${indent(operation('csv', parameters('{ name: as, in: query, schema: { type: string } }'), "responses:\n  '200': { description: d, content: { text/csv: {}, application/pdf: {} } }"), 4)}
/events:
  get:
${indent(operation('events', '', "responses:\n  '200': { description: d, content: { text/event-stream: {} } }"), 4)}`,
    handler: ({ input, reply }) => {
      const { as } = input['query'] as { as?: string };
      if (as === undefined) return reply(200, Readable.from(['data: 1\n\n', 'data: 2\n\n']));
      return reply(200, as === 'csv' ? Readable.from(['a;b\n', '1;2\n']) : Buffer.from('%PDF'), {
        'Content-Type': as === 'csv' ? 'text/csv; charset=utf-8' : 'application/pdf',
      });
    },
    cases: [
      [
        'a stream, one of several media types',
        ['GET', '/csv?as=csv'],
        {
          status: 200,
          text: 'a;b\n1;2\n',
          headers: expect.objectContaining({ 'content-type': 'text/csv; charset=utf-8' }),
        },
      ],
      [
        'bytes',
        ['GET', '/csv?as=pdf'],
        {
          status: 200,
          text: '%PDF',
          headers: expect.objectContaining({ 'content-type': 'application/pdf', 'content-length': '4' }),
        },
      ],
      [
        'the only media type is chosen by itself',
        ['GET', '/events'],
        {
          status: 200,
          text: 'data: 1\n\ndata: 2\n\n',
          headers: expect.objectContaining({ 'content-type': 'text/event-stream' }),
        },
      ],
    ],
  },
  {
    row: 'request bodies that are not JSON',
    paths: `/upload:\n  post:\n${indent(operation('upload', 'requestBody: { required: true, x-max-bytes: 10, content: { text/csv: {} } }'), 4)}`,
    handler: async ({ input, reply }) => reply(200, { read: await text(input['body'] as Readable) }),
    cases: [
      [
        'a stream',
        ['POST', '/upload', { body: 'a;b', headers: { 'Content-Type': 'text/csv; charset=utf-8' } }],
        ok({ read: 'a;b' }),
      ],
      [
        'another media type',
        ['POST', '/upload', { body: 'a;b', headers: { 'Content-Type': 'text/plain' } }],
        refused('Content-Type muss text/csv sein'),
      ],
      [
        'too large',
        ['POST', '/upload', { body: '12345678901', headers: { 'Content-Type': 'text/csv' } }],
        { status: 413 },
      ],
    ],
  },
];

describe.each(features.map((feature) => [feature.row, feature] as const))('%s', (_row, feature) => {
  let server: ContractServer;
  beforeAll(async () => {
    const handler = feature.handler ?? (({ input, reply }: HandlerRequest) => reply(200, input));
    const ids = [...feature.paths.matchAll(/operationId: (\w+)/g)].map(([, id = '']) => id);
    server = await startContractServer({
      source: contract(feature.paths, feature.components),
      handlers: Object.fromEntries(
        ids.map((id) => [id, async (request: HandlerRequest) => handler(request)]),
      ),
    });
  });
  afterAll(async () => {
    expect(server.violations).toEqual([]);
    await server.stop();
  });

  test.each(feature.cases)('%s', async (_what, [method, path, options], expected) => {
    expect(await send(server.url, method, path, options)).toMatchObject(expected as Partial<Answer>);
  });
});

test('docs/contract.md lists what is supported, row by row', () => {
  const [, table = ''] = readFileSync('docs/contract.md', 'utf8').split('## What a contract may hold\n');
  const rows = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| (?!feature \||---)(.+?) \|/gm)].map(
    ([, row]) => row,
  );
  expect(rows).toEqual(features.map(({ row }) => row));
});

test('a body that grows beyond its limit while it is read is refused', async () => {
  const { paths } = features.at(-1)!;
  const server = await startContractServer({
    source: contract(paths),
    handlers: {
      upload: async ({ input, reply }: HandlerRequest) =>
        reply(200, { read: (await buffer(input['body'] as Readable)).length }),
    },
  });
  // Of unknown length: it comes in pieces.
  const body = Readable.toWeb(Readable.from(['12345', '67890', '1'].map((piece) => Buffer.from(piece))));
  const answer = await fetch(`${server.url}/upload`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv' },
    body: body as RequestInit['body'] & object,
    duplex: 'half',
  });
  expect(answer.status).toBe(413);
  await server.stop();
});

describe('security schemes are those of the contract', () => {
  const secured = (schemes: string, paths: string, security: string): string =>
    contract(paths)
      .replace('security: [{ bearerAuth: [] }]', `security: ${security}`)
      .replace('bearerAuth: { type: http, scheme: bearer }', schemes);
  const handler = async ({ key, reply }: HandlerRequest) => reply(200, { key: key ?? null });
  const source = secured(
    'session: { type: apiKey, in: cookie, name: sid }\n    token: { type: apiKey, in: query, name: t }',
    `${get('/me', 'me', '')}
${get('/both', 'both', 'security: [{ session: [], token: [] }]')}
${get('/open', 'open', 'security: []').replace(/ +x-scope: read\n/, '')}`,
    '[{ session: [] }]',
  );
  let server: ContractServer;
  beforeAll(async () => {
    server = await startContractServer(
      { source: contract(get('/me', 'me', '')), handlers: { me: handler } },
      {
        source,
        basePath: '/web',
        handlers: { me: handler, both: handler, open: handler },
        access: {
          anonymous: undefined,
          authenticate: (token, scheme) => (token === 'good' ? scheme : undefined),
        },
      },
    );
  });
  afterAll(async () => {
    await server.stop();
  });

  test.each([
    ['a cookie', '/web/me', { Cookie: 'a=1; sid=good' }, ok({ key: 'session' })],
    ['a wrong one', '/web/me', { Cookie: 'sid=bad' }, { status: 401 }],
    ['none', '/web/me', {}, { status: 401 }],
    ['a header means nothing to it', '/web/me', { Authorization: 'Bearer good' }, { status: 401 }],
    ['two together', '/web/both?t=good', { Cookie: 'sid=good' }, ok({ key: 'session' })],
    ['one of the two', '/web/both', { Cookie: 'sid=good' }, { status: 401 }],
    ['an operation that needs none', '/web/open', {}, ok({ key: null })],
    ['the other contract of the same server', '/me', { Authorization: 'Bearer x' }, ok({ key: 'x' })],
    [
      'its own description',
      '/web/openapi.yaml',
      {},
      { status: 200, text: expect.stringContaining('name: sid') },
    ],
  ])('%s', async (_what, path, headers, expected) => {
    expect(await send(server.url, 'GET', path, { headers })).toMatchObject(expected);
  });

  test('only a scheme that is read from Authorization is a challenge', async () => {
    const { headers } = await send(server.url, 'GET', '/web/me');
    expect(headers['www-authenticate']).toBeUndefined();
  });
});

test('a mock takes what was written for others, and leaves out what it can not serve', () => {
  const unsupported: string[] = [];
  const source = contract(`/named:
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
/two/{a}-{b}:
  get:
    responses: { '200': { description: d } }`);
  const { operations } = parseContract(source, {
    onUnsupported: ({ what }) => void unsupported.push(what),
    isForeign: true,
  });
  expect([...operations.keys()]).toEqual(['list/all', 'PUT /nameless', 'POST /nameless']);
  expect(unsupported).toEqual([expect.stringContaining('between two slashes may stand one parameter')]);
});
