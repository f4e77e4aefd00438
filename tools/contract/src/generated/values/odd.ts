import type { SchemaModel } from '../../document/schemaModel.js';
import { valueFor } from '../../target/sample.js';
import type { InsertionPoint } from '../insertionPoints.js';
import { fitsHeader, fitsQuery, hostileNames, hostileTexts, largeText } from './hostile.js';

/**
 * The values of a point that are worth trying whatever chance brings: bounds and what lies beside them, other types,
 * hostile texts. JSON in a body, plain texts elsewhere; simple ones first.
 */
export const oddValues = (schema: SchemaModel, point: InsertionPoint['in']): string[] => {
  if (point === 'body') return unique(jsonValues(schema));
  const fits = point === 'header' ? fitsHeader : fitsQuery;
  return unique(plainTexts(schema)).filter(fits);
};

const unique = (values: readonly string[]): string[] => [...new Set(values)];

const jsonValues = (schema: SchemaModel): string[] => {
  switch (schema.type) {
    case 'integer':
    case 'number':
      return [...numbers(schema), ...numberTexts(schema).map(quoted), ...otherTypes('number')];
    case 'string':
      return [...texts(schema).map(quoted), ...writtenNumbers, ...otherTypes('string')];
    case 'boolean':
      return ['true', 'false', '0', '1', '"true"', ...otherTypes('boolean')];
    case 'object':
      return ['{}', ...objects(schema), '0', '"x"', ...otherTypes('object')];
    case 'array':
      return [...lists(schema), '0', '"x"', ...otherTypes('array')];
    default:
      return ['0', '"x"', ...otherTypes('')];
  }
};

/** Some are written otherwise than this language would write them. */
const writtenNumbers = ['0', '5', '-1.5', '1.0', '1e2', '9007199254740993', '1e400'];

const plainTexts = (schema: SchemaModel): string[] =>
  schema.type === 'integer' || schema.type === 'number'
    ? [...numbers(schema), ...numberTexts(schema), ...hostileTexts]
    : texts(schema);

const quoted = (text: string): string => JSON.stringify(text);

const otherTypes = (type: string): string[] =>
  Object.entries({
    boolean: ['true', 'false'],
    null: ['null'],
    array: ['[]', '[1]'],
    object: ['{}', '{"valueOf":1}'],
  })
    .filter(([other]) => other !== type)
    .flatMap(([, values]) => values);

/** As they are written: some are more than a number of this language can hold. */
const numbers = ({ minimum, maximum, default: standard }: SchemaModel): string[] => {
  const bounds = [minimum, maximum, standard].filter((bound) => typeof bound === 'number');
  const near = bounds.flatMap((bound) => [bound - 1, bound, bound + 1, bound - 0.5, bound + 0.5]);
  return [
    ...near.map(String),
    ...['0', '-0', '1', '-1', '0.99', '-0.5', '1e2', '15e-1', '2147483648', '4294967297'],
    ...['9007199254740993', '18446744073709551617', '-1e300', '1e300', '1e400', '-1e400', '5e-324'],
  ];
};

const numberTexts = (schema: SchemaModel): string[] => [
  ...numbers(schema),
  ...[
    '',
    ' ',
    '+3',
    ' 3 ',
    ' \t\n\v\f\r3\r\f\v\n\t ',
    '3.9',
    '.5e1',
    '-.5e1',
    '1E2',
    '12abc',
    'abc12',
    '0x10',
    '0b1',
    '1_000',
    '1,5',
    '1 2',
    '--1',
  ],
  ...['5mbit', '-5mbit', '7.9x', '1e2x', '1e', '\u00a03', '\u20283'],
  ...['Infinity', '-Infinity', 'NaN', 'true', '[1]', '１２', '٣', '1\0', '3\u00a0'],
];

/** Lengths are counted in characters, so each is tried with one that takes two points. */
const texts = ({ minLength = 0, maxLength, enum: allowed = [] }: SchemaModel): string[] => {
  const lengths = [minLength, maxLength]
    .filter((length) => length !== undefined)
    .flatMap((length) => [length - 1, length, length + 1])
    .filter((length) => length >= 0 && length <= 10_000);
  return [
    ...['', ' ', '\t\r\n ', 'x', ' x ', '\0 x \0', '0'],
    ...allowed.map(String),
    ...lengths.flatMap((length) => ['x'.repeat(length), '😀'.repeat(length), ` ${'ä'.repeat(length)}\n`]),
    ...hostileTexts,
    ...(maxLength === undefined ? ['x'.repeat(300)] : []),
    largeText,
  ];
};

/** Every field alone, each one missing, and fields that nobody knows. */
const objects = ({ properties = {} }: SchemaModel): string[] => {
  const fields = Object.entries(properties).map(([name, field]) => [name, valueFor(field)] as const);
  const all = Object.fromEntries(fields);
  return [
    JSON.stringify(all),
    ...fields.map(([name, value]) => JSON.stringify({ [name]: value })),
    ...fields.map(([name]) => JSON.stringify(Object.fromEntries(fields.filter(([other]) => other !== name)))),
    ...hostileNames.map((name) => withExtra(JSON.stringify(all), name)),
  ];
};

/** Written by hand: an object of this language can have no field `__proto__`. */
export const withExtra = (object: string, name: string, value = '{"x":1}'): string =>
  object.replace(/\}$/, `${object === '{}' ? '' : ','}${JSON.stringify(name)}:${value}}`);

const lists = ({ items, minItems = 0, maxItems, uniqueItems }: SchemaModel): string[] => {
  const item = JSON.stringify(valueFor(items));
  const lengths = [
    minItems - 1,
    minItems,
    minItems + 1,
    (maxItems ?? 0) - 1,
    maxItems ?? 0,
    (maxItems ?? 0) + 1,
  ];
  return [
    ...lengths.filter((length) => length >= 0).map((length) => `[${Array(length).fill(item).join(',')}]`),
    ...(uniqueItems ? [`[${item},${item}]`] : []),
    ...(items ? oddValues(items, 'body').map((value) => `[${value}]`) : []),
  ];
};
