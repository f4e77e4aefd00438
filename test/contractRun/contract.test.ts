import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { loadContractModel, parseContractModel } from '../../scripts/contract/contract.js';
import { cellsOf } from '../../scripts/contract/coverage/cells.js';
import { fieldNames, fieldNamesIn } from '../../scripts/contract/coverage/fields.js';
import { makeValidator } from '../../scripts/contract/document/validator.js';
import { contractFile } from '../support/contract.js';

const contract = loadContractModel(contractFile);
const lines = readFileSync(contractFile, 'utf8').split('\n');

/** The line of a place, from its column on. */
const textAt = (pointer: string): string => {
  const { line, column } = contract.position(pointer);
  return lines[line - 1]!.slice(column - 1);
};

describe('a place in the contract', () => {
  test.each([
    ['/info/version', 'version: 1.0.0'],
    ['/paths/~1sites.php/get', 'get:'],
    ['/paths/~1vouchers.php/post/requestBody/content/application~1json/example/qos', 'qos: { down: 20000'],
    ['/components/schemas/Site/properties/name', 'name: { type: string, description: Name of the site'],
    ['/paths/~1vouchers.php/get/parameters/0', 'name: site_id'],
    ['/components/schemas/Error/properties/error/enum/2', 'forbidden'],
  ])('%s is found by its pointer', (pointer, text) => {
    expect(textAt(pointer)).toMatch(new RegExp(`^${text.replace(/[{}]/g, '\\$&')}`));
  });

  test('is found behind an alias', () => {
    expect(textAt('/components/responses/NotModified/headers/ETag')).toMatch(/^ETag: \{ \$ref/);
  });

  test('that does not exist is that of its parent', () => {
    expect(contract.position('/paths/~1sites.php/get/nothing/at/all')).toEqual(
      contract.position('/paths/~1sites.php/get'),
    );
  });
});

describe('an operation', () => {
  test('has its parameters, body and responses with references followed to where they stand', () => {
    const { parameters, requestBody, responses, scope, method, path } = contract.operation('createVoucher');
    expect({ scope, method, path }).toEqual({ scope: 'write', method: 'POST', path: '/vouchers.php' });
    expect(parameters.map(({ name, in: place }) => `${place} ${name}`)).toEqual(['header Idempotency-Key']);
    expect(requestBody).toMatchObject({
      required: true,
      mediaType: 'application/json',
      schemaPointer: '/components/schemas/VoucherOrder',
    });
    expect(requestBody?.schema?.required).toEqual(['site_id', 'name']);
    const unauthorized = responses.find(({ status }) => status === 401)!;
    expect(unauthorized.pointer).toBe('/components/responses/Unauthorized');
    expect(unauthorized.headers.map(({ name }) => name)).toEqual(['X-Request-Id', 'WWW-Authenticate']);
    expect(unauthorized.errorCode).toBe('unauthorized');
  });

  test('without an operationId is called by its method and path', () => {
    const source = contract.source.replace('operationId: listSites', 'summery: none');
    expect(parseContractModel(source).operations[0]).toMatchObject({
      id: 'GET /sites.php',
      operationId: undefined,
    });
  });

  test('has a parameter of its path unless it has one of the same name', () => {
    const { operations } = parseContractModel(
      `paths:
        /a:
          parameters:
            - { name: x, in: query, required: true, schema: { type: string } }
            - { name: y, in: query, schema: { type: string } }
          get:
            parameters: [{ name: x, in: query, schema: { type: integer } }]
            responses: {}`,
    );
    expect(
      operations[0]!.parameters.map(({ name, schema, required }) => [name, schema?.type, required]),
    ).toEqual([
      ['x', 'integer', false],
      ['y', 'string', false],
    ]);
  });
});

test('every example is found, those of shared components for each operation', () => {
  const of = (id: string) =>
    contract.examples
      .filter(({ operationId, kind }) => operationId === id && kind !== 'header')
      .map(({ title }) => title);
  const statuses = ['200', '401', '429', '500', '503'];
  expect(of('listSites')).toEqual(['header If-None-Match', ...statuses.map((status) => `${status} body`)]);
  expect(of('createVoucher')).toContain('body');
  const { value, pointer } = contract.examples.find(({ title }) => title === '401 body')!;
  expect(value).toEqual({ error: 'unauthorized', message: 'API-Schlüssel fehlt oder ist ungültig' });
  expect(pointer).toBe('/components/responses/Unauthorized/content/application~1json/example');
});

test('named examples are found by their names', () => {
  const { examples } = parseContractModel(
    `paths:
      /a:
        get:
          operationId: a
          responses:
            '200':
              content:
                application/json:
                  schema: { type: integer }
                  examples: { one: { value: 1 }, two: { value: 2 } }`,
  );
  expect(examples.map(({ title, subject, value }) => [title, subject, value])).toEqual([
    ['200 body "one"', '200 body', 1],
    ['200 body "two"', '200 body', 2],
  ]);
});

test('the cells of the coverage are the statuses, parameters and fields of each operation', () => {
  const names = cellsOf(contract)
    .filter(({ operationId }) => operationId === 'listVouchers')
    .map(({ kind, name }) => `${kind}: ${name}`);
  for (const name of [
    'status: 304',
    'parameter: query site_id',
    'parameter: header If-None-Match',
    'field: 200 vouchers',
    'field: 200 vouchers[].status',
    'field: 401 error',
  ]) {
    expect(names).toContain(name);
  }
  expect(new Set(names).size).toBe(names.length);
  const created = cellsOf(contract).filter(({ operationId }) => operationId === 'createVoucher');
  expect(created.map(({ name }) => name)).toEqual(expect.arrayContaining(['body qos', 'body qos.down']));
});

test('the fields of a value are those that it has of its schema', () => {
  const { schema } = contract.operation('createVoucher').requestBody!;
  expect(fieldNamesIn(schema, { site_id: 1, qos: { up: 0 }, other: 1 })).toEqual([
    'site_id',
    'qos',
    'qos.up',
  ]);
  const list = { type: 'array', items: { properties: { a: {}, b: {} } } };
  expect(fieldNames(list)).toEqual(['[].a', '[].b']);
  expect(fieldNamesIn(list, [{ a: 1 }, {}])).toEqual(['[].a']);
});

describe('a validator', () => {
  const schema = {
    type: 'object',
    required: ['at'],
    properties: {
      at: { type: 'string', format: 'date-time', nullable: true },
      kind: { type: 'string', enum: ['a', 'b'], nullable: true },
      many: { type: 'integer', minimum: 1, exclusiveMinimum: true },
    },
  } as const;
  const faults = makeValidator(schema);

  test('finds nothing in a valid value', () => {
    expect(faults({ at: '2026-11-14T09:30:00.000Z', kind: 'a', many: 2, more: true })).toEqual([]);
    expect(faults({ at: null, kind: null })).toEqual([]);
  });

  test.each([
    [{}, "the value must have required property 'at'"],
    [{ at: '2026-11-14 09:30' }, 'at must match format "date-time"'],
    [{ at: null, kind: 'c' }, 'kind is none of "a", "b", null'],
    [{ at: null, many: 1 }, 'many must be > 1'],
  ])('says what is wrong with %j', (value, words) => {
    expect(faults(value)).toContain(words);
  });

  test('that is strict refuses fields that the schema does not name', () => {
    expect(makeValidator(schema, { strict: true })({ at: null, more: 1 })).toEqual([
      'the value has a field that the schema does not name: more',
    ]);
  });
});
