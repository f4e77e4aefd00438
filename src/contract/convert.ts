import { isObject, type Schema } from './schema.js';

/** Makes of a value what the schema asks for, as far as the schema is lenient. `undefined` is an absent value. */
export type Conversion = (value: unknown) => unknown;

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Numbers lose their fraction, decimal texts are read, true is 1; everything else, and what is not finite, is 0. */
export const toInteger = (value: unknown): number => {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && decimal.test(value.trim())
        ? Number(value.trim())
        : Number(value === true);
  // Adding 0 turns the -0 that is left of -0.5 into 0.
  return Number.isFinite(number) ? Math.trunc(number) + 0 : 0;
};

/** A number becomes its text; anything else that is no text becomes the empty one. */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** Neither databases nor controllers can hold NUL characters and unpaired surrogates. */
const trim = (text: string): string => text.replaceAll('\0', '').toWellFormed().trim();

/** Compiles a schema's rules once; the result runs at every request, before validation. */
export const compileConversion = (schema: Schema): Conversion => {
  const convert = compileValue(schema);
  const { default: standard, 'x-otherwise': otherwise } = schema;
  return (value) => {
    const converted = value === undefined && otherwise !== 'empty' ? undefined : convert(value);
    // Converting an object copies it: no request gets the contract's own.
    return converted === undefined && standard !== undefined ? convert(standard) : converted;
  };
};

const compileValue = (schema: Schema): Conversion => {
  switch (schema.type) {
    case 'integer':
      return schema['x-lenient'] ? compileInteger(schema) : (value) => value;
    case 'string':
      return compileText(schema);
    case 'object':
      return compileObject(schema);
    default:
      return (value) => value;
  }
};

const compileInteger = (schema: Schema): Conversion => {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const below = schema['x-below-minimum'];
  const above = schema['x-above-maximum'];
  const instead = below === 'default' ? schema.default : minimum;
  return (value) => {
    const integer = toInteger(value);
    if (below && integer < minimum) return instead;
    if (above && integer > maximum) return maximum;
    return integer;
  };
};

const compileText = (schema: Schema): Conversion => {
  const read: Conversion = schema['x-lenient'] ? toText : (value) => value;
  if (!schema['x-trim']) return read;
  return (value) => {
    const text = read(value);
    return typeof text === 'string' ? trim(text) : text;
  };
};

const compileObject = (schema: Schema): Conversion => {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, compileConversion(field)] as const,
  );
  const otherwise = schema['x-otherwise'];
  return (value) => {
    if (!isObject(value) && otherwise === undefined) return value;
    if (!isObject(value) && otherwise === 'absent') return undefined;
    const source = isObject(value) ? value : {};
    const converted: Record<string, unknown> = {};
    for (const [name, convert] of fields) {
      const field = convert(Object.hasOwn(source, name) ? source[name] : undefined);
      if (field !== undefined) converted[name] = field;
    }
    return converted;
  };
};
