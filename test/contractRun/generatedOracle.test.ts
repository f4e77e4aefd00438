import { expect, test } from '@jest/globals';
import { judgeSample, type OracleVerdict } from '../../tools/contract/src/generated/oracle/oracle.js';
import type { SchemaModel } from '../../tools/contract/src/document/schemaModel.js';
import { jsonFields } from '../../tools/contract/src/json.js';
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

const counted: readonly [value: string, effective: number][] = [
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
];
const uncounted = [
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
];

/** What an order has with a field of this JSON. */
const withField = (name: string, value: string): unknown =>
  jsonFields(inputOf(ordering(order().replace('}', `,"${name}":${value}}`))))[name];

test('integers: numbers lose their fraction, decimal texts are read, true is 1', () => {
  expect(counted.map(([value]) => [value, withField('max_uses', value)])).toEqual(counted);
});

test('integers: everything else is 0, which is below the minimum, and so the default', () => {
  const found = uncounted.map((value) => [value, withField('expire_minutes', value)]);
  expect(found).toEqual(uncounted.map((value) => [value, 480]));
});

const texts: readonly [what: string, name: unknown, effective: string][] = [
  ['a number becomes its text', 5, '5'],
  ['white space at both ends goes', ' \tx y\n', 'x y'],
  ['NUL characters go', '\0x\0y ', 'xy'],
  ['an unpaired surrogate becomes U+FFFD', 'x\ud800', 'x\ufffd'],
  ['a pair stays', '😀', '😀'],
];

test('texts are trimmed and cleaned; numbers become their text', () => {
  const found = texts.map(([what, name]) => [
    what,
    name,
    jsonFields(inputOf(ordering(order({ name }))))['name'],
  ]);
  expect(found).toEqual(texts);
});

test('a name that is empty is refused', () => {
  const empty = [undefined, null, true, [], {}, '', ' ', '\0'];
  const refused = { kind: 'refused', field: 'body name', texts: ['name erforderlich'] };
  expect(empty.map((name) => [name, ordering(order({ name }))])).toEqual(
    empty.map((name) => [name, refused]),
  );
});

test('the length of a text counts characters, whatever they are stored in', () => {
  expect(ordering(order({ name: '😀'.repeat(255) })).kind).toBe('accepted');
  expect(ordering(order({ name: '😀'.repeat(256) }))).toMatchObject({
    kind: 'refused',
    texts: ['name zu lang (höchstens 255 Zeichen)'],
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

test('a qos that is no object counts as absent, and a lower value in it becomes the minimum', () => {
  const given = [null, 5, 'down', [{ down: 5 }], { down: -5, up: '7' }];
  const found = given.map((qos) => [qos, jsonFields(inputOf(ordering(order({ qos }))))['qos']]);
  const absent = { down: 0, up: 0, quota_mb: 0 };
  expect(found).toEqual(given.map((qos, index) => [qos, index < 4 ? absent : { ...absent, up: 7 }]));
});

test('a body that is no object counts as one without fields', () => {
  const bodies = [undefined, '', '{', 'null', '[]', '5', '"x"'];
  const refused = { kind: 'refused', field: 'body site_id', texts: ['site_id erforderlich'] };
  expect(bodies.map((body) => [body, ordering(body)])).toEqual(bodies.map((body) => [body, refused]));
});

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
