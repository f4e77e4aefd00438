import { describe, expect, test } from '@jest/globals';
import openapiTS, { astToString } from 'openapi-typescript';
import { parseContract } from '../../src/contract/contract.js';
import { checkExamples } from '../../src/contract/mock/examples.js';
import { describeContract } from '../../src/contract/description.js';
import { validatorsOf } from '../../src/contract/runtime/validators.js';
import { makeExchangeCheck } from '../../src/contract/proxy/exchangeCheck.js';
import { ContractError } from '../../src/contract/source.js';
import type { SchemaModel } from '../../tools/contract/src/document/schemaModel.js';
import { makeValidator } from '../../tools/contract/src/document/validator.js';
import { startContractServer } from '../support/contractServer.js';
import { forAllTests } from '../support/fixture.js';
import { send } from '../support/service.js';

/** An operation of a contract in OpenAPI 3.1, with this schema as what it answers. */
const contractWith = (schema: string, head = ''): string => `openapi: 3.1.0
info: { title: T, version: 1.0.0 }
servers: [{ url: http://localhost }]
${head}
components: {}
paths:
  /things:
    get:
      operationId: listThings
      parameters: [{ name: size, in: query, schema: { type: [integer, 'null'], exclusiveMinimum: 0 } }]
      responses:
        '200':
          description: Things
          headers: { X-Count: { schema: { type: integer, exclusiveMinimum: 0 } } }
          content:
            application/json:
              schema:
                ${schema.replaceAll('\n', ' ')}
`;

const thing = `{ type: object, required: [kind, size, pair], properties: {
  kind: { const: thing }, size: { type: integer, exclusiveMinimum: 0 }, note: { type: [string, 'null'] },
  pair: { type: array, prefixItems: [{ type: string }, { type: boolean }], minItems: 2, items: false } },
  unevaluatedProperties: false }`;
const good = { kind: 'thing', size: 1, note: null, pair: ['a', true] };

describe('a contract in OpenAPI 3.1', () => {
  const contract = parseContract(contractWith(thing));
  const operation = contract.operations.get('listThings')!;
  let replies: unknown;
  const server = forAllTests(
    () =>
      startContractServer(
        { source: contractWith(thing) },
        {
          source: contractWith(thing),
          basePath: '/handled',
          handlers: {
            listThings: ({ reply }: { reply: (...all: unknown[]) => unknown }) => reply(200, replies),
          },
        },
      ),
    'stop',
  );

  test('the mock makes values that fit, the same each time', async () => {
    const { status, body } = await send(server.url, 'GET', '/things?size=1');
    expect(status).toBe(200);
    expect(validatorsOf(contract).replyErrors(operation, 200, body)).toEqual([]);
    expect(body).toMatchObject({ kind: 'thing', pair: [expect.any(String), expect.any(Boolean)] });
    expect((await send(server.url, 'GET', '/things')).body).toEqual(body);
  });

  test('replies of handlers are compared with it', async () => {
    replies = good;
    await send(server.url, 'GET', '/handled/things');
    expect(server.violations).toEqual([]);
    replies = { ...good, size: 0 };
    await send(server.url, 'GET', '/handled/things');
    expect(server.violations).toEqual(['listThings: /size must be > 0']);
  });

  test('the proxy compares parameters, headers and bodies with it', () => {
    const check = makeExchangeCheck(contract);
    const request = { method: 'GET', path: '/things', search: 'size=0', headers: {} };
    const response = { status: 200, headers: { 'content-type': 'application/json', 'x-count': '0' } };
    const body = Buffer.from(JSON.stringify({ ...good, kind: 'other', more: 1 }));
    expect(
      [
        ...check.checkRequest(check.route(request), request, Buffer.alloc(0)),
        ...check.checkResponseHead(operation, response),
        ...check.checkResponseBody(operation, response, body),
      ].map(({ message }) => message),
    ).toEqual([
      'size in the query must be > 0',
      'X-Count must be > 0',
      '/kind must be equal to constant',
      'must NOT have unevaluated properties: "more"',
    ]);
  });

  test('the contract run validates it', () => {
    const { schema } = operation.definition.responses['200']!.content!['application/json']!;
    expect(makeValidator(schema as SchemaModel, { strict: true })(good)).toEqual([]);
    const faults = makeValidator(schema as SchemaModel)({ ...good, pair: ['a', 1], size: 0 });
    expect(faults.map(({ keyword }) => keyword).toSorted()).toEqual(['exclusiveMinimum', 'type']);
  });

  test('types are generated from it', async () => {
    const types = astToString(await openapiTS(contractWith(thing), { silent: true }));
    expect(types).toContain('kind: "thing"');
    expect(types).toContain('note?: string | null');
    expect(types).toMatch(/pair: \[\s*string,\s*boolean\s*\]/);
  });

  test('is described as what it is', () => {
    const described = JSON.parse(describeContract(contract).json('http://a')) as Record<string, unknown>;
    expect(described['openapi']).toBe('3.1.0');
    expect(JSON.stringify(described)).toContain('"const":"thing"');
  });
});

test.each([
  [
    'nullable',
    '{ type: string, nullable: true }',
    "nullable is of OpenAPI 3.0: write type: [string, 'null']",
    'true }',
  ],
  [
    'a bound that is no number',
    '{ type: integer, minimum: 1, exclusiveMinimum: true }',
    /exclusiveMinimum is a number since OpenAPI 3\.1/,
    'true }',
  ],
  ['$dynamicRef', '{ $dynamicRef: "#node" }', /\$dynamicRef is not supported/, '"#node" }'],
  ['$id', '{ $id: "https://example.com/a" }', /\$id is not supported/, '"https'],
  [
    'another dialect of a schema',
    '{ $schema: "http://json-schema.org/draft-04/schema#" }',
    /\$schema is .*draft-04/,
    '"http:',
  ],
  ['an invalid pattern of names', "{ patternProperties: { '[a-': {} } }", /invalid pattern/, "'[a-'"],
  [
    'a default in a condition',
    '{ if: { properties: { a: { default: 1 } } } }',
    /default can not stand below/,
    '1 }',
  ],
  ['a default below prefixItems', '{ prefixItems: [{ default: 1 }] }', /default can not stand below/, '1 }'],
  ['a schema that is none', '{ dependentRequired: { a: b } }', /dependentRequired\/a must be array/, 'b }'],
  [
    'an example that does not fit',
    '{ type: integer, examples: [1, one] }',
    /the example does not fit its schema: must be integer/,
    'one]',
  ],
])('%s is refused with its place', (_, schema, what, shown) => {
  const text = contractWith(schema);
  try {
    checkExamples(parseContract(text));
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const { line, column } = error.position;
    expect(error.what).toMatch(what);
    expect(text.split('\n')[line - 1]!.slice(column - 1)).toMatch(
      new RegExp(`^${shown.replace(/[[\]]/g, '\\$&')}`),
    );
    return;
  }
  throw new Error('it was not refused');
});

test('another dialect of the whole contract is refused with its place', () => {
  const parse = (dialect: string) => parseContract(contractWith('{}', `jsonSchemaDialect: ${dialect}`));
  expect(() => parse('https://example.com/own')).toThrow(/^openapi\.yaml:4:20: jsonSchemaDialect is "https/);
  expect(() => parse('https://spec.openapis.org/oas/3.1/dialect/base')).not.toThrow();
});

test('of another service, a contract in OpenAPI 3.1 is obeyed, and what it kept of 3.0', () => {
  const contract = parseContract(
    contractWith(
      `{ type: [object, 'null'], required: [n], properties: { n: { type: integer, exclusiveMinimum: 0 },
       o: { type: integer, minimum: 5, exclusiveMinimum: true }, p: { type: string, nullable: true },
       q: { type: array, prefixItems: [{ type: string, format: snowflake }], items: false } },
       patternProperties: { '^x': { type: integer }, '[a-': {} } }`,
    ),
    { isForeign: true, onUnsupported: ({ message }) => expect(message).toBe('') },
  );
  const [operation] = contract.operations.values();
  const errors = (body: unknown) =>
    validatorsOf(contract)
      .replyErrors(operation!, 200, body)
      .map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
  expect(errors({ n: 1, o: 6, p: null, q: ['a'] })).toEqual([]);
  expect(errors(null)).toEqual([]);
  expect(errors({ n: 0, o: 5, p: 1, q: [1, 2], x1: 'a' }).toSorted()).toEqual([
    '/n exclusiveMinimum',
    '/o exclusiveMinimum',
    '/p type',
    '/q/0 type',
    '/q/1 not',
    '/x1 type',
  ]);
});
