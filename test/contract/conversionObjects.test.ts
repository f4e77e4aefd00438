import { describe, expect, test } from '@jest/globals';
import { compileConversion } from '../../src/contract/conversion.js';

const anything = JSON.parse('{"a":1,"b":{"c":[null]},"__proto__":{"d":2}}') as object;

describe('an object', () => {
  test('has the fields that its schema names, and no other', () => {
    const convert = compileConversion({ type: 'object', properties: { a: { type: 'integer' } } });
    expect(convert(anything)).toEqual({ a: 1 });
  });

  test.each([{}, { properties: {} }])('whose schema names no field keeps all: %j', (more) => {
    const convert = compileConversion({ type: 'object', ...more });
    expect(JSON.stringify(convert(anything))).toBe(JSON.stringify(anything));
    expect(convert({})).toEqual({});
  });

  test('inside another keeps its fields as well', () => {
    const convert = compileConversion({ type: 'object', properties: { extra: { type: 'object' } } });
    expect(convert({ extra: anything, other: 1 })).toEqual({ extra: anything });
  });

  test.each([
    ['absent', undefined],
    ['empty', {}],
  ] as const)(
    'counts as %s when it is none, whether its schema names fields or not',
    (otherwise, expected) => {
      for (const properties of [undefined, { a: { type: 'string' } as const }]) {
        const convert = compileConversion({
          type: 'object',
          'x-otherwise': otherwise,
          ...(properties && { properties }),
        });
        expect(convert('x')).toEqual(expected);
      }
    },
  );

  test("that is a default is never the contract's own", () => {
    const schema = { type: 'object', default: { list: [1] } } as const;
    const convert = compileConversion(schema);
    (convert(undefined) as { list: number[] }).list.push(2);
    expect(convert(undefined)).toEqual({ list: [1] });
  });
});
