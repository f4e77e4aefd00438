import fc, { type Arbitrary } from 'fast-check';
import { mergeAllOf } from '../../../../src/contract/document.js';
import type { SchemaModel } from '../document/schemaModel.js';
import { makeValidator } from '../document/validator.js';
import { valueFor } from '../target/sample.js';
import { isEmpty } from './entities.js';

/** Letters of several alphabets, and blanks between words: what any service stores as it is. */
const words = fc
  .array(fc.string({ unit: fc.constantFrom(...'abcdeXYZ0189äßéŁ'.split('')), minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(' '));

const formats: Readonly<Record<string, Arbitrary<string>>> = {
  'date-time': instants('2001-01-01T00:00:00Z', '2037-01-01T00:00:00Z').map(
    (date) => `${date.toISOString().slice(0, 19)}Z`,
  ),
  date: instants('2001-01-01', '2037-01-01').map((date) => date.toISOString().slice(0, 10)),
  email: fc.stringMatching(/^[a-z]{3,10}$/).map((name) => `${name}@example.org`),
  uuid: fc.uuid(),
};

function instants(min: string, max: string): Arbitrary<Date> {
  return fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true });
}

/** Values that fit a schema and that nobody would change before storing them. */
export const tameValue = (schema: SchemaModel): Arbitrary<unknown> => {
  const isValid = makeValidator(schema);
  const merged = mergeAllOf(schema) as SchemaModel;
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 1, arbitrary: fc.constant(valueFor(schema)) },
    { weight: 9, arbitrary: freeValue(merged).filter((value) => isValid(value).length === 0) },
    ...(isNullable(merged) ? [{ weight: 3, arbitrary: fc.constant(null) }] : []),
  );
};

/** The same, but not an empty one where there is another. */
export const presentValue = (schema: SchemaModel): Arbitrary<unknown> => {
  const isValid = makeValidator(schema);
  const merged = mergeAllOf(schema) as SchemaModel;
  const usual = tameValue(schema);
  const others = present(merged).filter((value) => isValid(value).length === 0);
  return usual.map((value) => (isEmpty(value) && others.length > 0 ? others[0] : value));
};

/** Values that are not empty, of which some may fit. */
const present = ({ type, items = {}, minimum = 1 }: SchemaModel): unknown[] => [
  ...([type].flat().includes('array') ? [[valueFor(items)]] : []),
  'x',
  true,
  Math.ceil(Math.max(minimum, 1)),
];

export const isNullable = ({ type, nullable, enum: allowed }: SchemaModel): boolean =>
  allowed === undefined && (nullable === true || (Array.isArray(type) && type.includes('null')));

const freeValue = (schema: SchemaModel): Arbitrary<unknown> => {
  const { enum: allowed, type, minimum = 0, maximum = minimum + 1000 } = schema;
  if (allowed) return fc.constantFrom(...allowed);
  switch ([type].flat()[0]) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: Math.ceil(minimum), max: Math.max(Math.ceil(minimum), Math.floor(maximum)) });
    case 'number':
      return fc.integer({ min: Math.ceil(minimum), max: Math.max(Math.ceil(minimum), Math.floor(maximum)) });
    case 'string':
      return freeText(schema);
    case 'array': {
      const { items = {}, minItems = 0, maxItems = minItems + 3 } = schema;
      return fc.array(tameValue(items), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) });
    }
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, field]) => [name, tameValue(field)]),
        ),
        { requiredKeys: schema.required ?? [] },
      );
    default:
      return fc.constant(valueFor(schema));
  }
};

const freeText = (schema: SchemaModel): Arbitrary<unknown> => {
  const { format, pattern, minLength = 0, maxLength = 40 } = schema;
  if (format !== undefined) return formats[format] ?? fc.constant(valueFor(schema));
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'));
  const longest = Math.min(maxLength, Math.max(minLength, 40));
  return words.map((text) => text.slice(0, longest).trim().padEnd(minLength, 'x'));
};
