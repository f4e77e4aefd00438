import { isObject, type OperationObject, type Schema } from '../document.js';

type Fields = Record<string, unknown>;

/** The keywords of JSON Schema 2020-12 whose values are schemas. */
export const schemaKeywords: readonly string[] = [
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
];
/** Those whose values are lists of schemas. */
export const schemaListKeywords: readonly string[] = ['allOf', 'oneOf', 'anyOf', 'prefixItems'];
/** Those whose values have schemas under names that the designer chose. */
export const schemaMapKeywords: readonly string[] = ['properties', 'patternProperties', 'dependentSchemas'];

/** Where `true` and `false` say something that a schema does not. */
const booleanKeywords = ['additionalProperties', 'unevaluatedItems', 'unevaluatedProperties'];

/** What is only for people, or has been followed when references were resolved. */
const droppedKeywords = ['$defs', '$comment', '$schema'];

/** Schemas are shared between operations, and large ones between many. */
const normalized = new WeakMap<object, Schema>();

/**
 * An operation of OpenAPI 3.1 with its schemas in the form that everything else here reads:
 * a type that may be null is a `nullable` one, the first of `examples` is the `example`,
 * and `true` and `false` are schemas of any and of no value. What they say stays the same.
 */
export const normalizeOperation = (operation: OperationObject): OperationObject => ({
  ...operation,
  ...(operation.parameters ? { parameters: operation.parameters.map(normalizeDescribed) } : {}),
  ...(operation.requestBody
    ? {
        requestBody: {
          ...operation.requestBody,
          content: mapFields(operation.requestBody.content, normalizeDescribed),
        },
      }
    : {}),
  responses: mapFields(operation.responses, (response) => ({
    ...response,
    ...(response.headers ? { headers: mapFields(response.headers, normalizeDescribed) } : {}),
    ...(response.content ? { content: mapFields(response.content, normalizeDescribed) } : {}),
  })),
});

const mapFields = <T>(fields: Record<string, T>, map: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value)]));

const normalizeDescribed = <T extends { schema?: Schema }>(described: T): T =>
  described.schema === undefined ? described : { ...described, schema: normalizeSchema(described.schema) };

/** The same for a schema. */
export const normalizeSchema = (schema: unknown): Schema => {
  if (schema === false) return { not: {} };
  if (!isObject(schema)) return {};
  const known = normalized.get(schema);
  if (known) return known;
  const result: Fields = {};
  normalized.set(schema, result);
  for (const [name, value] of Object.entries(schema))
    if (!droppedKeywords.includes(name)) result[name] = normalizeKeyword(name, value);
  Object.assign(result, normalizeType(schema), normalizeExamples(schema));
  return result;
};

const normalizeKeyword = (name: string, value: unknown): unknown => {
  if (booleanKeywords.includes(name) && typeof value === 'boolean') return value;
  if (schemaKeywords.includes(name)) return normalizeSchema(value);
  if (schemaListKeywords.includes(name) && Array.isArray(value)) return value.map(normalizeSchema);
  if (schemaMapKeywords.includes(name) && isObject(value)) return mapFields(value, normalizeSchema);
  return value;
};

/** A list of one type, or of one and null. */
const normalizeType = ({ type }: Fields): Fields => {
  if (!Array.isArray(type)) return {};
  const others = type.filter((name) => name !== 'null') as unknown[];
  if (others.length !== 1) return {};
  return others.length === type.length ? { type: others[0] } : { type: others[0], nullable: true };
};

const normalizeExamples = ({ example, examples }: Fields): Fields =>
  example === undefined && Array.isArray(examples) && examples.length > 0
    ? { example: examples[0] as unknown }
    : {};
