import { describe, expect, test } from '@jest/globals';
import { parseContractModel } from '../../tools/contract/src/contract.js';
import { cellsOf, fieldNames, fieldNamesIn } from '../../tools/contract/src/coverage/cells.js';
import type { SchemaModel } from '../../tools/contract/src/document/schemaModel.js';
import { makeValidator } from '../../tools/contract/src/document/validator.js';

import { contract } from './stageRun.js';

describe('an operation', () => {
  test('has its parameters, body and responses with references followed to where they stand', () => {
    const { parameters, requestBody, responses, scope, method, path } = contract.operation('createVoucher');
    expect({ scope, method, path }).toEqual({ scope: 'write', method: 'POST', path: '/vouchers.php' });
    expect(parameters.map(({ name, in: place }) => `${place} ${name}`)).toEqual(['header Idempotency-Key']);
    expect(requestBody).toMatchObject({ required: true, mediaType: 'application/json', maxBytes: 65_536 });
    expect(requestBody?.schema?.required).toEqual(['site_id', 'name']);
    const unauthorized = responses.find(({ status }) => status === 401)!;
    const shared = contract.operation('listSites').responses.find(({ status }) => status === 401)!;
    const inside = [...unauthorized.location, 'headers', 'WWW-Authenticate'];
    expect(contract.at(inside)).toBe(contract.at([...shared.location, 'headers', 'WWW-Authenticate']));
    expect(unauthorized.headers.map(({ name }) => name)).toEqual(['X-Request-Id', 'WWW-Authenticate']);
    expect(unauthorized.errorCode).toBe('unauthorized');
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
  const { value, location } = contract.examples.find(({ title }) => title === '401 body')!;
  expect(value).toEqual({ error: 'unauthorized', message: 'API-Schlüssel fehlt oder ist ungültig' });
  expect(location).toEqual([
    ...['paths', '/sites.php', 'get', 'responses', '401'],
    ...['content', 'application/json', 'example'],
  ]);
});

test('named examples are found by their names', () => {
  const { examples } = parseContractModel(
    `openapi: 3.0.3
info: { title: A, version: 1.0.0 }
servers: [{ url: http://localhost }]
components: { securitySchemes: {} }
paths:
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
  expect(examples.map(({ title, value }) => [title, value])).toEqual([
    ['200 body "one"', 1],
    ['200 body "two"', 2],
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
  const list = { type: 'array', items: { properties: { a: {}, b: {} } } } as const;
  expect(fieldNames(list)).toEqual(['[].a', '[].b']);
  expect(fieldNamesIn(list, [{ a: 1 }, {}])).toEqual(['[].a']);
});

describe('a validator', () => {
  const schema: SchemaModel = {
    type: 'object',
    required: ['at'],
    properties: {
      at: { type: 'string', format: 'date-time', nullable: true },
      kind: { type: 'string', enum: ['a', 'b'] },
      many: { type: 'integer', minimum: 2 },
    },
  };
  const faults = (value: unknown, strict = false): string[] =>
    makeValidator(schema, { strict })(value).map(({ text }) => text);

  test('finds nothing in a valid value', () => {
    expect(faults({ at: '2026-11-14T09:30:00.000Z', kind: 'a', many: 2, more: true })).toEqual([]);
    expect(faults({ at: null })).toEqual([]);
    // How many decimals a time has is for the contract to say.
    expect(faults({ at: '2026-11-14T09:30:00+01:00' })).toEqual([]);
  });

  const wrong: readonly [value: object, words: string][] = [
    [{}, "the value must have required property 'at'"],
    [{ at: '2026-11-14 09:30' }, 'at must match format "date-time"'],
    [{ at: '2026-19-39T29:00:00.000Z' }, 'at must match format "date-time"'],
    [{ at: null, kind: 'c' }, 'kind is not one of "a", "b"'],
    [{ at: null, many: 1 }, 'many must be >= 2'],
  ];

  test('says what is wrong with a value', () => {
    expect(wrong.map(([value]) => [value, faults(value)])).toEqual(
      wrong.map(([value, words]) => [value, expect.arrayContaining([words])]),
    );
  });

  test('that is strict refuses fields that the schema does not name', () => {
    expect(faults({ at: null, more: 1 }, true)).toEqual([
      'the value has a field that the schema does not name: more',
    ]);
  });
});
