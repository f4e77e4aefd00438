import { describe, expect, test } from '@jest/globals';
import { parseContract } from '../../../src/contract/contract.js';
import { makeExchangeCheck } from '../../../src/contract/proxy/exchangeCheck.js';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const named = { type: 'object', properties: { name: text } };
const schemas = {
  Named: named,
  Cat: { type: 'object', required: ['kind'], properties: { kind: text, lives: { type: 'integer' } } },
  Dog: { type: 'object', required: ['kind'], properties: { kind: text, tail: text } },
  Tree: {
    type: 'object',
    properties: { name: text, children: { type: 'array', items: reference('Tree') } },
  },
};

/** What a proxy says of a body that a server has sent. */
const found = (schema: object, body: unknown, openapi?: string): string[] =>
  saidOf(schema, JSON.stringify(body), openapi);

const saidOf = (schema: object, body: string, openapi = '3.0.3'): string[] => {
  const content = { 'application/json': { schema } };
  const responses = { '200': { description: 'd', content } };
  const source = {
    openapi,
    info: { title: 'T', version: '1' },
    servers: [{ url: 'http://localhost' }],
    security: [],
    components: { schemas },
    paths: { '/a': { get: { operationId: 'a', responses } } },
  };
  const contract = parseContract(JSON.stringify(source), {
    isForeign: true,
    onUnsupported: (error) => expect(error).toBeUndefined(),
  });
  return makeExchangeCheck(contract)
    .checkResponseBody(
      contract.operations.get('a')!,
      { status: 200, headers: { 'content-type': 'application/json' } },
      Buffer.from(body),
    )
    .map(({ message }) => message);
};

const list = (items: object, sortedBy: string) => ({
  type: 'object',
  properties: { items: { type: 'array', 'x-sorted-by': sortedBy, items } },
});

describe('fields that are not documented', () => {
  const bodies: readonly [what: string, schema: object, body: unknown, messages: string[]][] = [
    ['no such field', named, { name: 'a' }, []],
    ['at the top', named, { name: 'a', x: 1 }, ['has a field that is not documented: "x"']],
    [
      'once for all items of a list',
      { type: 'array', items: named },
      [{}, { x: 1 }, { x: 2, y: 3 }],
      ['/1 has a field that is not documented: "x"', '/2 has a field that is not documented: "y"'],
    ],
    ['any field where none is named', { type: 'object' }, { x: 1 }, []],
    ['any field where that is written', { ...named, additionalProperties: true }, { x: 1 }, []],
    [
      'below fields that a schema allows',
      { type: 'object', additionalProperties: named },
      { a: { name: 'x', y: 1 } },
      ['/a has a field that is not documented: "y"'],
    ],
    [
      'one that is refused anyway, once',
      { ...named, additionalProperties: false },
      { x: 1 },
      ['must NOT have additional properties: "x"'],
    ],
    [
      'the fields of all schemas that hold at once',
      { allOf: [reference('Named'), { properties: { size: text } }], properties: { id: text } },
      { name: 'a', size: 'b', id: 'c', x: 'd' },
      ['has a field that is not documented: "x"'],
    ],
    [
      'the fields of alternatives',
      { anyOf: [reference('Named'), { properties: { size: text } }, { type: 'string' }] },
      { name: 'a', size: 'b', x: 'c' },
      ['has a field that is not documented: "x"'],
    ],
    ['any field where an alternative is any object', { anyOf: [named, { type: 'object' }] }, { x: 1 }, []],
    [
      'alternatives that only need some of the fields',
      { ...named, anyOf: [{ required: ['name'] }, { required: ['id'] }] },
      { name: 'a', x: 1 },
      ['has a field that is not documented: "x"'],
    ],
    [
      'a field of another alternative than the one that was chosen',
      {
        oneOf: [reference('Cat'), reference('Dog')],
        discriminator: { propertyName: 'kind', mapping: { cat: reference('Cat').$ref, dog: 'Dog' } },
      },
      { kind: 'cat', lives: 9, tail: 'long' },
      ['has a field that is not documented: "tail"'],
    ],
    [
      'at every level of a recursive schema',
      reference('Tree'),
      { name: 'a', children: [{ children: [{ name: 'b', leaf: true }] }] },
      ['/children/0/children/0 has a field that is not documented: "leaf"'],
    ],
    [
      'names that objects have anyway',
      named,
      { constructor: 1 },
      ['has a field that is not documented: "constructor"'],
    ],
  ];

  test('are found at every place where the schema names fields', () => {
    for (const version of ['3.0.3', '3.1.0'])
      expect(bodies.map(([what, schema, body]) => [what, found(schema, body, version)])).toEqual(
        bodies.map(([what, , , messages]) => [what, messages]),
      );
  });

  test('of OpenAPI 3.1: conditions name fields, and patterns allow them', () => {
    const conditional = { ...named, if: { required: ['name'] }, then: { properties: { size: text } } };
    expect(found(conditional, { name: 'a', size: 'b' }, '3.1.0')).toEqual([]);
    expect(found({ ...named, patternProperties: { '^x': {} } }, { x1: 1 }, '3.1.0')).toEqual([]);
    expect(found({ type: 'array', prefixItems: [named] }, [{ x: 1 }, { x: 1 }], '3.1.0')).toEqual([
      '/0 has a field that is not documented: "x"',
    ]);
  });

  test('a value that is nested without end is refused, and not looked into', () => {
    const tree = `${'{"children":['.repeat(5_000)}{"leaf":1}${']}'.repeat(5_000)}`;
    expect(saidOf(reference('Tree'), tree)).toEqual(['must not be nested deeper than 200 levels']);
    expect(saidOf({ type: 'array' }, `${'['.repeat(20_000)}${']'.repeat(20_000)}`)).toEqual([]);
  });

  test('a name is shortened, and has no control characters', () => {
    const [message] = found(named, { [`\u001b${'x'.repeat(70_000)}`]: 1 });
    expect(message!.length).toBeLessThan(200);
    expect(message).not.toContain('\u001b');
  });
});

describe('the order of lists', () => {
  const names = (...values: unknown[]) => ({ items: values.map((name) => ({ name })) });
  const wrong = (index: number, sortedBy: string) => [
    `/items/${index} must stand before the item in front of it: the list is sorted by ${sortedBy}`,
  ];

  const lists: readonly [what: string, sortedBy: string, body: unknown, messages: string[]][] = [
    ['in order', 'name', names('Apfel', 'Äpfel', 'Zimmer 2', 'Zimmer 10'), []],
    ['out of order', 'name', names('a', 'c', 'b', 'a'), wrong(2, 'name')],
    ['numbers by their value', 'name', names('Zimmer 10', 'Zimmer 2'), wrong(1, 'name')],
    ['the highest first', '-name', names('c', 'b', 'b', 'a'), []],
    ['the highest not first', '-name', names('a', 'b'), wrong(1, '-name')],
    ['times', '-name', names('2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'), wrong(1, '-name')],
    ['items without the field', 'name', { items: [{ name: 'b' }, {}, { name: 'a' }] }, []],
    ['no list', 'name', {}, []],
  ];

  test('is that of the contract', () => {
    for (const [items, version] of [
      [named, '3.0.3'],
      [reference('Named'), '3.1.0'],
    ] as const)
      expect(lists.map(([what, by, body]) => [what, found(list(items, by), body, version)])).toEqual(
        lists.map(([what, , , messages]) => [what, messages]),
      );
  });

  test('neither says what the values are', () => {
    const messages = found(list(named, 'name'), {
      items: [{ name: 'secret' }, { name: 'before', x: 'hidden' }],
    });
    expect(messages).toHaveLength(2);
    expect(messages.join()).not.toMatch(/secret|before"|hidden/);
  });
});
