import { numberTextAt } from '../lib/json.js';
import { isObject, mergeAllOf, recursionTarget, type Schema } from './document.js';
import { variantsOf } from './dialects/discriminators.js';
import { maxRecursion } from './dialects/recursion.js';

/**
 * Coerces a value to what the schema expects, where the schema is lenient. `undefined` is an absent value.
 */
export type Conversion = (value: unknown) => unknown;

/**
 * A decimal number at the beginning of a text, and what follows if it is not only white space.
 * No two adjacent parts match the same characters, so it runs in linear time.
 */
const decimal = /^[ \t\n\r\v\f]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(?:[ \t\n\r\v\f]*$|([^]))/i;

const toNumber = (text: string, takesLeadingNumber: boolean): number => {
  const [, number, more] = decimal.exec(text) ?? [];
  return number === undefined || (more !== undefined && !takesLeadingNumber) ? 0 : Number(number);
};

/**
 * Numbers lose their fraction, decimal texts are read, true is 1; everything else, and what is not finite,
 * is 0. Of a text that goes on after its number, such as `5mbit`,
 * the number counts only where that is asked for.
 */
export const toInteger = (value: unknown, takesLeadingNumber = false): number => {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string'
        ? toNumber(value, takesLeadingNumber)
        : Number(value === true);
  // Adding 0 turns the -0 that is left of -0.5 into 0.
  return Number.isFinite(number) ? Math.trunc(number) + 0 : 0;
};

/**
 * A number becomes its text, which in a body is the one that was sent;
 * anything else that is no text the empty one.
 */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** Databases can't hold NUL characters. */
const removeNul = (text: string): string => text.replaceAll('\0', '');

/** The white space that lenient fields may have around their values. */
const blanks = ' \t\n\r\v\f';

/** Not with a pattern, which would take quadratic time for a text with many blanks. */
const trimBlanks = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && blanks.includes(text.charAt(start))) start += 1;
  while (start < end && blanks.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
};

/** What becomes of values for which the contract has a default. */
type Defaults = 'applied' | 'left out';

/**
 * Compiles a schema's rules once; the result runs at every request, before validation. With defaults left out
 * it gives what the client sent: neither an absent value nor one that the default would replace is there.
 */
export const compileConversion = (written: Schema, defaults: Defaults = 'applied'): Conversion => {
  const target = recursionTarget(written);
  if (target) return convertAgain(target, defaults);
  const beginsAgain = written.allOf?.some((part) => recursionTarget(part) !== undefined) === true;
  return beginsAgain ? convertAgain(written, defaults) : compileWhole(written, defaults);
};

const compileWhole = (written: Schema, defaults: Defaults): Conversion => {
  const schema = mergeAllOf(written);
  const convertValue = compileValue(schema, defaults);
  const convert: Conversion = schema.nullable
    ? (value) => (value === null ? null : convertValue(value))
    : convertValue;
  const { 'x-otherwise': otherwise } = schema;
  const standard = defaults === 'applied' ? schema.default : undefined;
  // No request gets an object or a list of the contract's own.
  const copyStandard = typeof standard === 'object' ? () => structuredClone(standard) : () => standard;
  return (value) => {
    const converted = value === undefined && otherwise !== 'empty' ? undefined : convert(value);
    return converted === undefined && standard !== undefined ? convert(copyStandard()) : converted;
  };
};

const recursions = {
  applied: new WeakMap<Schema, Conversion>(),
  'left out': new WeakMap<Schema, Conversion>(),
};

let depth = 0;

/**
 * A schema that begins again is compiled when a value needs it.
 * Validation refuses values that are nested too deep.
 */
const convertAgain = (target: Schema, defaults: Defaults): Conversion => {
  const known = recursions[defaults];
  return (value) => {
    if (depth >= maxRecursion) return value;
    // An absent one would begin again and again, unless something stands in for it.
    if (value === undefined && target.default === undefined && target['x-otherwise'] !== 'empty')
      return value;
    const convert = known.get(target) ?? compileWhole(target, defaults);
    known.set(target, convert);
    depth += 1;
    try {
      return convert(value);
    } finally {
      depth -= 1;
    }
  };
};

const compileValue = (schema: Schema, defaults: Defaults): Conversion => {
  if (schema.discriminator) return compileVariants(schema, defaults);
  switch (schema.type) {
    case 'integer':
      // Without `x-lenient` the validator converts what a parameter has as text.
      return schema['x-lenient'] ? compileInteger(schema, defaults) : (value) => value;
    case 'string':
      return compileText(schema);
    case 'object':
      return compileObject(schema, defaults);
    case 'array':
      return compileList(schema, defaults);
    default:
      // A schema with fields is one of objects, whether it says so or not.
      return schema.properties ? compileObject(schema, defaults) : (value) => value;
  }
};

/**
 * Converts by the schema that the discriminator chooses, once one is chosen. Validation refuses other values.
 */
const compileVariants = (schema: Schema, defaults: Defaults): Conversion => {
  const { field = '', variants = new Map<unknown, Schema>() } = variantsOf(schema) ?? {};
  const { discriminator: _discriminator, oneOf: _oneOf, default: _default, ...rest } = schema;
  const wholes = new Map([...variants].map(([value, variant]) => [value, { ...rest, allOf: [variant] }]));
  const convertOther = compileValue({ ...rest, type: 'object', properties: {} }, defaults);
  return (value) => {
    if (!isObject(value) || !Object.hasOwn(value, field)) return convertOther(value);
    const whole = wholes.get(value[field]);
    return whole ? convertAgain(whole, defaults)(value) : value;
  };
};

const compileList = ({ items, prefixItems = [] }: Schema, defaults: Defaults): Conversion => {
  if (!items) return (value) => value;
  const convert = compileConversion(items, defaults);
  const read = takesNumberTexts(items) ? readNumberText : readField;
  const { length: fixed } = prefixItems;
  if (fixed > 0)
    return (value) =>
      Array.isArray(value)
        ? value.map((item: unknown, index) => (index < fixed ? item : convert(read(value, index))))
        : value;
  return (value) => (Array.isArray(value) ? value.map((_, index) => convert(read(value, index))) : value);
};

const compileInteger = (schema: Schema, defaults: Defaults): Conversion => {
  const { minimum = -Infinity, maximum = Infinity, 'x-leading-number': takesLeadingNumber } = schema;
  const below = schema['x-below-minimum'];
  const above = schema['x-above-maximum'];
  const standard = defaults === 'applied' ? schema.default : undefined;
  const instead = below === 'default' ? standard : minimum;
  return (value) => {
    const integer = toInteger(value, takesLeadingNumber);
    if (below && integer < minimum) return instead;
    if (above && integer > maximum) return maximum;
    return integer;
  };
};

const compileText = (schema: Schema): Conversion => {
  const { 'x-lenient': isLenient, 'x-trim': isTrimmed } = schema;
  // They can't hold unpaired surrogates either. Where the contract is not lenient, validation refuses them.
  if (isLenient) return isTrimmed ? (value) => trimBlanks(removeNul(toText(value))).toWellFormed() : toText;
  return isTrimmed
    ? (value) => (typeof value === 'string' ? removeNul(value).trim() : value)
    : (value) => value;
};

/** Does a number count as the text that was sent? */
const takesNumberTexts = (schema: Schema): boolean => {
  const { type, 'x-lenient': isLenient } = mergeAllOf(schema);
  return type === 'string' && isLenient === true;
};

const readField = (holder: object, key: string | number): unknown =>
  (holder as Record<string | number, unknown>)[key];

const readNumberText = (holder: object, key: string | number): unknown =>
  numberTextAt(holder, key) ?? readField(holder, key);

const compileObject = (schema: Schema, defaults: Defaults): Conversion => {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) =>
      [
        name,
        compileConversion(field, defaults),
        takesNumberTexts(field) ? readNumberText : readField,
      ] as const,
  );
  const otherwise = schema['x-otherwise'];
  const convertOther = compileOtherFields(schema, defaults);
  return (value) => {
    if (!isObject(value) && otherwise === undefined) return value;
    if (!isObject(value) && otherwise === 'absent') return undefined;
    const source = isObject(value) ? value : {};
    // A schema that names no field is one for any object.
    if (fields.length === 0) return source;
    const converted: Record<string, unknown> = {};
    if (convertOther)
      for (const [name, field] of Object.entries(source))
        Object.defineProperty(converted, name, {
          value: convertOther(field),
          writable: true,
          enumerable: true,
          configurable: true,
        });
    for (const [name, convert, read] of fields) {
      const field = convert(Object.hasOwn(source, name) ? read(source, name) : undefined);
      if (field !== undefined) converted[name] = field;
    }
    return converted;
  };
};

const keepsFields = [
  ...(['additionalProperties', 'oneOf', 'anyOf', 'patternProperties', 'unevaluatedProperties'] as const),
  ...(['dependentSchemas', 'if', 'then', 'else'] as const),
] as const;

/**
 * What becomes of fields that the schema does not name: they are left out, unless it says something of them
 * itself or names them in alternatives. Those that it refuses stay, so that validation sees them.
 */
const compileOtherFields = (schema: Schema, defaults: Defaults): Conversion | undefined => {
  const { additionalProperties: others } = schema;
  // Which of the fields have a pattern's schema is not known beforehand;
  // the others are validated as they are, too.
  if (isObject(others) && !schema.patternProperties) return compileConversion(others, defaults);
  return keepsFields.some((keyword) => schema[keyword] !== undefined) ? (value) => value : undefined;
};
