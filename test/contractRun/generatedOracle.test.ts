import { describe, expect, test } from '@jest/globals';
import { judgeSample, type OracleVerdict } from '../../tools/contract/src/generated/oracle/oracle.js';
import type { SchemaModel } from '../../tools/contract/src/document/schemaModel.js';
import type { Sample } from '../../tools/contract/src/target/sample.js';
import { contract } from './stageRun.js';

const empty: Sample = { path: {}, query: [], headers: [] };
const listing = (...query: [string, string][]): OracleVerdict =>
  judgeSample(contract.operation('listVouchers'), { ...empty, query });
const ordering = (body: string | undefined, headers: [string, string][] = []): OracleVerdict =>
  judgeSample(contract.operation('createVoucher'), { ...empty, body, headers });
const order = (values: object = {}): string => JSON.stringify({ site_id: 1, name: 'x', ...values });
const inputOf = (verdict: OracleVerdict): unknown =>
  verdict.kind === 'accepted' ? verdict.input.body : verdict;

describe('integers: numbers lose their fraction, decimal texts are read, true is 1, everything else is 0', () => {
  test.each([
    ['7', 7],
    ['7.9', 7],
    ['"7"', 7],
    ['" 7.9 "', 7],
    ['"+7"', 7],
    ['"7e0"', 7],
    ['"70E-1"', 7],
    ['"7.9mbit"', 7],
    ['"7e"', 7],
    ['"\\f7\\u00a0"', 7],
    ['true', 1],
    ['2147483648', 2147483647],
    ['"9e99"', 2147483647],
  ])('max_uses %s counts as %d', (value, effective) => {
    const body = order().replace('}', `,"max_uses":${value}}`);
    expect(inputOf(ordering(body))).toMatchObject({ max_uses: effective });
  });

  test.each([
    '0',
    '-5',
    '0.9',
    '1e400',
    '-1e400',
    '"abc12"',
    '""',
    '"0x10"',
    '"-12abc"',
    '"\\u00a07"',
    '"Infinity"',
    'false',
    'null',
    '[7]',
    '{}',
  ])('expire_minutes %s counts as less than the minimum, and so as the default', (value) => {
    const body = order().replace('}', `,"expire_minutes":${value}}`);
    expect(inputOf(ordering(body))).toMatchObject({ expire_minutes: 480 });
  });
});

describe('texts', () => {
  test.each([
    ['a number becomes its text', 5, '5'],
    ['white space at both ends goes', ' \tx y\n', 'x y'],
    ['NUL characters go', '\0x\0y ', 'xy'],
    ['an unpaired surrogate becomes U+FFFD', 'x\ud800', 'x\ufffd'],
    ['a pair stays', '😀', '😀'],
  ])('%s', (_, name, effective) => {
    expect(inputOf(ordering(order({ name })))).toMatchObject({ name: effective });
  });

  test.each([undefined, null, true, [], {}, '', ' ', '\0'])(
    'a name that is empty is refused (%p)',
    (name) => {
      expect(ordering(order({ name }))).toEqual({
        kind: 'refused',
        field: 'body name',
        texts: ['name erforderlich'],
      });
    },
  );

  test('the length counts characters, whatever they are stored in', () => {
    expect(ordering(order({ name: '😀'.repeat(255) })).kind).toBe('accepted');
    expect(ordering(order({ name: '😀'.repeat(256) }))).toMatchObject({
      kind: 'refused',
      texts: ['name zu lang (höchstens 255 Zeichen)'],
    });
  });
});

test('absent fields have their defaults, and fields that nobody knows are ignored', () => {
  expect(inputOf(ordering(order({ other: 1 })))).toEqual({
    site_id: 1,
    name: 'x',
    max_uses: 1,
    expire_minutes: 480,
    qos: { down: 0, up: 0, quota_mb: 0 },
  });
});

test.each([null, 5, 'down', [{ down: 5 }]])('a qos that is no object counts as absent (%p)', (qos) => {
  expect(inputOf(ordering(order({ qos })))).toMatchObject({ qos: { down: 0, up: 0, quota_mb: 0 } });
});

test('a lower value of qos becomes the minimum', () => {
  expect(inputOf(ordering(order({ qos: { down: -5, up: '7' } })))).toMatchObject({
    qos: { down: 0, up: 7, quota_mb: 0 },
  });
});

test.each([undefined, '', '{', 'null', '[]', '5', '"x"'])(
  'a body that is no object counts as one without fields (%p)',
  (body) => {
    expect(ordering(body)).toEqual({
      kind: 'refused',
      field: 'body site_id',
      texts: ['site_id erforderlich'],
    });
  },
);

test('the first field that fails decides: the body in the order of its properties, then headers', () => {
  const wrongHeader: [string, string][] = [['Idempotency-Key', 'a b']];
  expect(ordering('{"name":"","site_id":0}', wrongHeader)).toMatchObject({ field: 'body site_id' });
  expect(ordering('{"name":"","site_id":1}', wrongHeader)).toMatchObject({ field: 'body name' });
  expect(ordering(order(), wrongHeader)).toMatchObject({ field: 'header Idempotency-Key' });
  expect(ordering(order(), [['idempotency-key', ' k1 ']]).kind).toBe('accepted');
});

test('one byte more than the description of 413 allows is too large, whatever it says', () => {
  expect(ordering(order().padEnd(65_536)).kind).toBe('accepted');
  expect(ordering(order().padEnd(65_537)).kind).toBe('too large');
  expect(ordering('x'.repeat(65_537)).kind).toBe('too large');
});

test('a parameter of the query is read like a field, and one that is given twice is no number', () => {
  for (const given of [' 7.9 ', '\v\f7'])
    expect(listing(['site_id', given])).toMatchObject({ kind: 'accepted', input: { query: { site_id: 7 } } });
  for (const query of [
    [],
    [['site_id', '0']],
    [['site_id', '7abc']],
    [['site_id', '\u00a07']],
    [['site_id', '7\u00a0']],
    [
      ['site_id', '1'],
      ['site_id', '1'],
    ],
    [['site_id[]', '1']],
  ]) {
    expect(listing(...(query as [string, string][]))).toEqual({
      kind: 'refused',
      field: 'query site_id',
      texts: ['site_id erforderlich'],
    });
  }
});

test('an item of a list counts where its list stands, with the message of its list where it has none', () => {
  const createVoucher = contract.operation('createVoucher');
  const schema: SchemaModel = {
    type: 'object',
    required: ['first'],
    properties: {
      first: { type: 'integer', 'x-message': 'first' },
      names: { type: 'array', items: { type: 'string' }, 'x-message': 'names' },
      last: { type: 'integer', 'x-message': 'last' },
    },
  };
  const requestBody = createVoucher.requestBody && { ...createVoucher.requestBody, schema };
  const verdictOf = (body: object): OracleVerdict =>
    judgeSample({ ...createVoucher, requestBody }, { ...empty, body: JSON.stringify(body) });
  expect(verdictOf({ names: [0] })).toMatchObject({ field: 'body first', texts: ['first'] });
  expect(verdictOf({ first: 1, names: ['x', 0], last: '' })).toMatchObject({
    field: 'body names.1',
    texts: ['names'],
  });
});
