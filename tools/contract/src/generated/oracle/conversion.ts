/**
 * What a value counts as before it is validated, written from the words of docs/contract.md alone, in another way
 * than the service's own. `undefined` is an absent value.
 */
import { isObject } from '../../../../../src/contract/document.js';
import type { SchemaModel } from '../../document/schemaModel.js';

/** A value as the contract reads it, defaults included. `sent` is the same with each number as it was written. */
export const countsAs = (schema: SchemaModel, value: unknown, sent: unknown = value): unknown => {
  const read = value === undefined ? undefined : converted(schema, value, sent);
  if (read !== undefined || schema.default === undefined) return read;
  return converted(schema, schema.default, schema.default);
};

const converted = (schema: SchemaModel, value: unknown, sent: unknown): unknown => {
  const isLenient = schema['x-lenient'] === true;
  switch (schema.type) {
    case 'integer':
      return isLenient ? bounded(schema, asInteger(value, schema['x-leading-number'] === true)) : value;
    case 'string': {
      const text = isLenient ? asText(value, sent) : value;
      if (schema['x-trim'] !== true || typeof text !== 'string') return text;
      return isLenient ? wellFormed(bare(withoutNul(text))) : withoutNul(text).trim();
    }
    case 'object':
      return asObject(schema, value, sent);
    case 'array': {
      const { items } = schema;
      const texts: readonly unknown[] = Array.isArray(sent) ? sent : [];
      return items && Array.isArray(value)
        ? value.map((item, index) => countsAs(items, item, texts[index]))
        : value;
    }
    default:
      return value;
  }
};

/** "Numbers lose their fraction, decimal texts are read, true is 1, everything else is 0." */
const asInteger = (value: unknown, takesLeading: boolean): number => {
  switch (typeof value) {
    case 'number':
      return withoutFraction(value);
    case 'string':
      return withoutFraction(takesLeading || isDecimal(bare(value)) ? leadingNumber(bare(value)) : 0);
    case 'boolean':
      return value ? 1 : 0;
    default:
      return 0;
  }
};

const isBlank = (character: string | undefined): boolean =>
  character !== undefined && ' \t\n\r\v\f'.includes(character);

/** Without the white space that may stand around a number or a name. */
const bare = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
};

/** JavaScript reads decimal numbers in the same way, but skips more white space and knows an infinite one. */
const leadingNumber = (text: string): number =>
  '+-.0123456789'.includes(text.charAt(0)) ? parseFloat(text) : 0;

/** A sign, digits with a point among them, and an exponent; nothing else makes a decimal number. */
const isDecimal = (text: string): boolean => {
  const [mantissa = '', exponent, ...more] = text.toLowerCase().split('e');
  const digits = mantissa.replace(/^[+-]/, '').replace('.', '');
  const isWhole = (part: string): boolean =>
    part !== '' && Array.from(part).every((sign) => sign >= '0' && sign <= '9');
  return (
    more.length === 0 && isWhole(digits) && (exponent === undefined || isWhole(exponent.replace(/^[+-]/, '')))
  );
};

const withoutFraction = (number: number): number => {
  if (Number.isNaN(number) || Math.abs(number) === Infinity) return 0;
  const whole = Math.floor(Math.abs(number));
  return number < 0 && whole > 0 ? -whole : whole;
};

const bounded = (schema: SchemaModel, integer: number): unknown => {
  const { minimum, maximum, default: standard } = schema;
  if (minimum !== undefined && integer < minimum) {
    if (schema['x-below-minimum'] === 'minimum') return minimum;
    if (schema['x-below-minimum'] === 'default') return standard;
  }
  if (maximum !== undefined && integer > maximum && schema['x-above-maximum'] === 'maximum') return maximum;
  return integer;
};

/** "A number becomes the text that was sent, anything else that is no text becomes the empty text." */
const asText = (value: unknown, sent: unknown): string => {
  if (typeof value === 'number') return typeof sent === 'string' ? sent : JSON.stringify(value);
  return typeof value === 'string' ? value : '';
};

/** "NUL characters are removed." */
const withoutNul = (text: string): string =>
  Array.from(text)
    .filter((character) => character !== '\0')
    .join('');

/** "Unpaired surrogates become U+FFFD." */
const wellFormed = (text: string): string =>
  Array.from(text)
    .map((character) => (character.length === 1 && /[\ud800-\udfff]/.test(character) ? '\ufffd' : character))
    .join('');

/** What is inside a field that is refused does not matter, and may be nested deeply. */
const withoutDepth = (value: unknown): unknown => {
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : value;
};

/**
 * Fields that the schema does not name are ignored, so they are left out here, unless it refuses them; one that names none
 * takes all.
 */
const asObject = (schema: SchemaModel, value: unknown, sent: unknown): unknown => {
  const otherwise = schema['x-otherwise'];
  if (!isObject(value)) {
    if (otherwise === 'absent') return undefined;
    if (otherwise !== 'empty') return value;
  }
  if (Object.keys(schema.properties ?? {}).length === 0) return isObject(value) ? value : {};
  const fields = isObject(value) ? new Map(Object.entries(value)) : new Map<string, unknown>();
  const texts = isObject(sent) ? new Map(Object.entries(sent)) : fields;
  const named = Object.entries(schema.properties ?? {})
    .map(([name, field]) => [name, countsAs(field, fields.get(name), texts.get(name))] as const)
    .filter(([, field]) => field !== undefined);
  const isNamed = (name: string): boolean => Object.hasOwn(schema.properties ?? {}, name);
  if (schema.additionalProperties !== false) return Object.fromEntries(named);
  const others = [...fields].filter(([name]) => !isNamed(name));
  return Object.fromEntries([
    ...named,
    ...others.map(([name, other]) => [name, withoutDepth(other)] as const),
  ]);
};
