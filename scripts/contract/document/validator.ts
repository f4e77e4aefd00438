import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { isJson, pointer } from './json.js';
import type { SchemaModel } from './types.js';

/** Says what is wrong with a value, in words; nothing for a valid one. */
export type Validator = (value: unknown) => string[];

export interface ValidatorOptions {
  /** Refuses fields that the schema does not name, even where it allows them: they are slips of the pen. */
  readonly strict?: boolean;
}

/** The formats that contracts use; our own date-times are UTC with milliseconds. */
const formats = {
  'date-time': /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/,
  date: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  email: /^[^\s@]+@[^\s@]+$/,
  uri: (text: string): boolean => URL.canParse(text),
  int32: true as const,
  int64: true as const,
  float: true as const,
  double: true as const,
  password: true as const,
};

/** One thing that is wrong with a value. */
export interface SchemaFault {
  readonly text: string;
  /** JSON pointer into the value. */
  readonly pointer: string;
}

/** Compiles a schema of OpenAPI 3.0, references replaced already. */
export const makeValidator = (schema: SchemaModel, options?: ValidatorOptions): Validator => {
  const find = makeFaultFinder(schema, options);
  return (value) => find(value).map(({ text }) => text);
};

/** The same with the place of each fault. */
export const makeFaultFinder = (
  schema: SchemaModel,
  { strict = false }: ValidatorOptions = {},
): ((value: unknown) => SchemaFault[]) => {
  const compiled = strict ? compiledStrictly : compiledAsWritten;
  let valid = compiled.get(schema);
  if (!valid) compiled.set(schema, (valid = ajv.compile(jsonSchema(schema, strict) as object)));
  return findFaultsWith(valid);
};

const ajv = new Ajv({ allErrors: true, strict: false, validateSchema: false, addUsedSchema: false, formats });

/** Several stages check the same schemas. */
const compiledStrictly = new WeakMap<SchemaModel, ValidateFunction>();
const compiledAsWritten = new WeakMap<SchemaModel, ValidateFunction>();

const findFaultsWith =
  (valid: ValidateFunction) =>
  (value: unknown): SchemaFault[] =>
    valid(value)
      ? []
      : (valid.errors ?? []).map((error) => ({ text: inWords(error), pointer: placeOf(error) }));

/** A field too many is wrong itself, not what it is in. */
const placeOf = ({ instancePath, keyword, params }: ErrorObject): string =>
  keyword === 'additionalProperties'
    ? pointer(instancePath, String(params['additionalProperty']))
    : instancePath;

const inWords = ({ instancePath, keyword, message, params }: ErrorObject): string => {
  const place = instancePath === '' ? 'the value' : instancePath.slice(1).replaceAll('/', '.');
  switch (keyword) {
    case 'additionalProperties':
      return `${place} has a field that the schema does not name: ${String(params['additionalProperty'])}`;
    case 'enum':
      return `${place} is none of ${(params['allowedValues'] as unknown[]).map((one) => JSON.stringify(one)).join(', ')}`;
    default:
      return `${place} ${message ?? `fails ${keyword}`}`;
  }
};

/** What OpenAPI 3.0 writes otherwise than JSON schema: exclusive bounds, and null beside an enum. */
const jsonSchema = (schema: unknown, strict: boolean): unknown => {
  if (Array.isArray(schema)) return schema.map((part) => jsonSchema(part, strict));
  if (!isJson(schema)) return schema;
  const converted: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (['example', 'default', 'enum', 'required'].includes(keyword)) converted[keyword] = value;
    else if (keyword === 'properties' && isJson(value)) {
      converted[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, field]) => [name, jsonSchema(field, strict)]),
      );
    } else if (!keyword.startsWith('x-')) converted[keyword] = jsonSchema(value, strict);
  }
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof converted[exclusive] !== 'boolean') continue;
    const isExclusive = converted[exclusive];
    converted[exclusive] = undefined;
    if (!isExclusive) continue;
    converted[exclusive] = converted[bound];
    converted[bound] = undefined;
  }
  if (converted['nullable'] === true && Array.isArray(converted['enum'])) {
    converted['enum'] = [...(converted['enum'] as unknown[]), null];
  }
  const isClosed = strict && isJson(converted['properties']) && !('allOf' in converted);
  if (isClosed && !('additionalProperties' in converted)) converted['additionalProperties'] = false;
  return Object.fromEntries(Object.entries(converted).filter(([, value]) => value !== undefined));
};
