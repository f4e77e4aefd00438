import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject } from '../../../../src/contract/document.js';
import { pointerOf } from '../../../../src/contract/source.js';
import { withVocabulary } from '../../../../src/contract/vocabulary.js';
import type { SchemaModel } from './schemaModel.js';

/** One thing that is wrong with a value. */
export interface SchemaFault {
  /** In words. */
  readonly text: string;
  readonly keyword: string;
  /** Where in the value: `['qos', 'down']`. A field that is missing or too much is wrong itself, not what it is in. */
  readonly path: readonly string[];
}

/** Says what is wrong with a value; nothing for a valid one. */
export type Validator = (value: unknown) => SchemaFault[];

export interface ValidatorOptions {
  /** Refuses fields that the schema does not name, even where it allows them: they are slips of the pen. */
  readonly strict?: boolean;
}

/** Compiles a schema of a loaded contract. */
export const makeValidator = (schema: SchemaModel, { strict = false }: ValidatorOptions = {}): Validator => {
  const compiled = strict ? compiledStrictly : compiledAsWritten;
  const valid = compiled.get(schema) ?? ajv.compile((strict ? closed(schema) : schema) as object);
  compiled.set(schema, valid);
  return (value) => (valid(value) ? [] : (valid.errors ?? []).map(faultOf));
};

/** What OpenAPI 3.0 has of JSON Schema says the same in 2020-12, which is that of 3.1. */
const ajv = withVocabulary(
  new Ajv2020({ allErrors: true, strict: false, validateSchema: false, addUsedSchema: false }),
);

/** Several stages check the same schemas. */
const compiledStrictly = new WeakMap<SchemaModel, ValidateFunction>();
const compiledAsWritten = new WeakMap<SchemaModel, ValidateFunction>();

const faultOf = ({ instancePath, keyword, message, params }: ErrorObject): SchemaFault => {
  const parent = pointerOf(`#${instancePath}`) ?? [];
  const place = parent.length === 0 ? 'the value' : parent.join('.');
  const { additionalProperty, missingProperty, allowedValues } = params as Record<string, unknown>;
  const field = additionalProperty ?? missingProperty;
  const path = typeof field === 'string' ? [...parent, field] : parent;
  switch (keyword) {
    case 'additionalProperties':
      return { keyword, path, text: `${place} has a field that the schema does not name: ${String(field)}` };
    case 'enum': {
      const allowed = (allowedValues as unknown[]).map((one) => JSON.stringify(one)).join(', ');
      return { keyword, path, text: `${place} is not one of ${allowed}` };
    }
    default:
      return { keyword, path, text: `${place} ${message ?? `fails ${keyword}`}` };
  }
};

/** Others may name more fields of the same object. */
const openKeywords = [
  'allOf',
  'oneOf',
  'anyOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'unevaluatedProperties',
];

/** Values, and schemas that hold for a part of an object only. */
const unclosedKeywords = [
  ...['example', 'examples', 'default', 'enum', 'const', 'required', 'dependentRequired'],
  ...['if', 'then', 'else', 'not', 'contains', 'propertyNames', 'dependentSchemas'],
];

/** The schema, with every object in it closed that does not say itself whether it is. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isObject(schema)) return schema;
  const isClosed = isObject(schema['properties']) && !openKeywords.some((keyword) => keyword in schema);
  return {
    ...(isClosed && { additionalProperties: false }),
    ...Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => {
        if (unclosedKeywords.includes(keyword)) return [keyword, value];
        if (keyword !== 'properties') return [keyword, closed(value)];
        const fields = Object.entries(value as object).map(([name, field]) => [name, closed(field)]);
        return [keyword, Object.fromEntries(fields)];
      }),
    ),
  };
};
