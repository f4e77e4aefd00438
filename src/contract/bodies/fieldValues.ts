import { parseJsonBody } from '../../lib/json.js';
import { isJsonMedia, isObject, mergedSchema, type Encoding, type Schema } from '../document.js';
import { decimals, separators } from '../parameters.js';

/** A value that came as JSON: it is not read as a text once more. */
export class JsonValue {
  constructor(readonly value: unknown) {}
}

/** The value of a field, which may have been sent several times. */
export const readValues = (written: Schema, values: readonly unknown[], encoding: Encoding = {}): unknown => {
  const schema = mergedSchema(written);
  const { items = {}, type } = schema;
  const isJson = isJsonMedia(encoding.contentType ?? '');
  const [first] = values;
  if (type === 'array' || (type === undefined && schema.items)) {
    const whole = values.length === 1 ? jsonOf(first, isJson) : undefined;
    if (Array.isArray(whole)) return whole;
    const list = values.flatMap((value) => splitList(value, encoding));
    return list.map((value) => readValue(items, value, isJson));
  }
  // Several values where there should be one are a list, which does not fit.
  const texts = values.map((value) => readValue(schema, value, isJson));
  return texts.length === 1 ? texts[0] : texts;
};

const splitList = (value: unknown, { style = 'form', explode = style === 'form' }: Encoding): unknown[] => {
  if (explode || typeof value !== 'string') return [value];
  return value === '' ? [] : value.split(separators[style] ?? ',');
};

const parseJson = (value: unknown): unknown => {
  try {
    return typeof value === 'string' ? parseJsonBody(value) : undefined;
  } catch {
    return undefined;
  }
};

const jsonOf = (value: unknown, isJson: boolean): unknown => {
  if (value instanceof JsonValue) return value.value;
  return isJson ? parseJson(value) : undefined;
};

const parsedOr = (text: string): unknown => {
  const parsed = parseJson(text);
  return parsed === undefined ? text : parsed;
};

/** A text as its schema has it: a number as JSON writes it, `true` and `false`, an object as JSON. */
export const readValue = (written: Schema, value: unknown, isJson = false): unknown => {
  if (value instanceof JsonValue) return value.value;
  if (typeof value !== 'string') return value;
  const schema = mergedSchema(written);
  if (isJson) return parsedOr(value);
  const alternatives = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...typesOf(schema)];
  if (alternatives.length > 0) {
    for (const alternative of alternatives) {
      const read = readValue(alternative, value);
      if (isOf(mergedSchema(alternative), read)) return read;
    }
    return value;
  }
  const { type = schema.properties ? 'object' : undefined, 'x-lenient': isLenient } = schema;
  if (value === '' && schema.nullable && type !== undefined && type !== 'string') return null;
  switch (type) {
    case 'integer':
    case 'number':
      return !isLenient && decimals[type]?.test(value) ? Number(value) : value;
    case 'boolean':
      return value === 'true' || value === 'false' ? value === 'true' : value;
    case 'object':
    case 'array':
      return parsedOr(value);
    default:
      return value;
  }
};

/** Of a list of types, as OpenAPI 3.1 has them, each as a schema of its own. */
const typesOf = ({ type, enum: allowed }: Schema): Schema[] => {
  const types = [type].flat().filter((one) => one !== undefined);
  return types.length > 1 ? types.map((one) => ({ type: one, ...(allowed && { enum: allowed }) })) : [];
};

const isOf = ({ type, enum: allowed }: Schema, value: unknown): boolean => {
  if (allowed && !allowed.includes(value)) return false;
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'null':
      return value === null;
    case undefined:
      return true;
    default:
      return typeof value === type;
  }
};
