import fc, { type Arbitrary } from 'fast-check';
import type { SchemaModel } from '../../document/types.js';
import type { InsertionPoint } from '../insertionPoints.js';
import { fitsHeader, fitsQuery, hostileNames, hostileTexts } from './hostile.js';
import { oddValues, withExtra } from './odd.js';

/** What is chosen first is what a failing request shrinks to: the contract's own example. */
const choice = (example: string, ...others: readonly Arbitrary<string>[]): Arbitrary<string> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: others.length + 1, arbitrary: fc.constant(example) },
    ...others,
  );

/** Values of one point, from fitting to hostile: JSON in a body, plain texts elsewhere. */
export const valueOf = (
  schema: SchemaModel,
  example: string,
  point: InsertionPoint['in'],
): Arbitrary<string> => {
  const odd = fc.constantFrom(...oddValues(schema, point));
  if (point === 'body') return choice(example, odd, typed(schema), fc.json());
  const fits = point === 'header' ? fitsHeader : fitsQuery;
  return choice(example, odd, plain(schema).filter(fits), texts.filter(fits));
};

const surrogates = 0x800;

/** Any code point but half a surrogate pair. As fast-check's own `binary`, which takes a second to list them all. */
const codePoints: Arbitrary<string> = fc.integer({ min: 0, max: 0x10ffff - surrogates }).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + surrogates),
  (text) => {
    const [character = '', ...more] = typeof text === 'string' ? text : '';
    const code = character.codePointAt(0);
    if (code === undefined || more.length > 0 || (code >= 0xd800 && code <= 0xdfff)) {
      throw new Error('not one code point');
    }
    return code < 0xd800 ? code : code - surrogates;
  },
);

const texts: Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: codePoints }),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) }),
  fc.tuple(fc.string(), fc.constantFrom(...hostileTexts), fc.string()).map((parts) => parts.join('')),
);

const plain = (schema: SchemaModel): Arbitrary<string> => {
  switch (schema.type) {
    case 'integer':
    case 'number':
      return numbers(schema);
    default:
      return schema.pattern === undefined ? texts : fc.stringMatching(new RegExp(schema.pattern));
  }
};

/** JSON that has the type of the schema, or nearly. */
const typed = (schema: SchemaModel): Arbitrary<string> => {
  switch (schema.type) {
    case 'integer':
    case 'number':
      return fc.oneof(numbers(schema), numbers(schema).map(quoted));
    case 'string':
      return plain(schema).map(quoted);
    case 'boolean':
      return fc.boolean().map(String);
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, 'null', 'body')).map((items) => `[${items.join(',')}]`);
    case 'object':
      return objectOf(schema, {});
    default:
      return fc.json();
  }
};

const quoted = (text: string): string => JSON.stringify(text);

const numbers = ({ minimum = -10, maximum = 1_000 }: SchemaModel): Arbitrary<string> =>
  fc.oneof(
    fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, minimum + 1_000)) }).map(String),
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
  );

/** Objects with some of the fields, and perhaps with fields that nobody knows. */
export const objectOf = (
  { properties = {}, required = [] }: SchemaModel,
  example: Readonly<Record<string, unknown>>,
): Arbitrary<string> => {
  const fields = Object.entries(properties).map(([name, field]) =>
    fc
      .option(fieldOf(field, example[name]), { nil: undefined, freq: required.includes(name) ? 15 : 2 })
      .map((value) => (value === undefined ? [] : [`${quoted(name)}:${value}`])),
  );
  const extras = fc.oneof(
    { weight: 4, arbitrary: fc.constant<[string, string][]>([]) },
    fc.array(fc.tuple(fc.oneof(fc.constantFrom(...hostileNames), fc.string()), fc.json()), { maxLength: 3 }),
  );
  return fc
    .tuple(fc.tuple(...fields), extras)
    .map(([known, unknown]) =>
      unknown
        .filter(([name]) => !Object.hasOwn(properties, name))
        .reduce((object, [name, value]) => withExtra(object, name, value), `{${known.flat().join(',')}}`),
    );
};

const fieldOf = (schema: SchemaModel, example: unknown): Arbitrary<string> => {
  const written = example === undefined ? 'null' : JSON.stringify(example);
  if (schema.type !== 'object') return valueOf(schema, written, 'body');
  return choice(
    written,
    objectOf(schema, Object(example) as Record<string, unknown>),
    typed(schema),
    fc.json(),
  );
};
