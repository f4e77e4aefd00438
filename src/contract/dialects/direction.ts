import { isObject, mergeAllOf, type Described, type OperationObject, type Schema } from '../document.js';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from './jsonSchema.js';

/**
 * Which way a message goes. Fields that are `readOnly` are in responses only,
 * those that are `writeOnly` in requests only.
 */
export type Direction = 'request' | 'response';

export const directions: readonly Direction[] = ['request', 'response'];

const hiddenBy = { request: 'readOnly', response: 'writeOnly' } as const;
const shownBy = { request: 'writeOnly', response: 'readOnly' } as const;

/** Does anything in a contract have a direction? */
export const hasDirections = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ((value as Schema).readOnly === true ||
    (value as Schema).writeOnly === true ||
    Object.values(value).some(hasDirections));

/** A recursive schema has two names, as what it allows differs. */
export const directedName = (name: string, direction: Direction): string => `${name}/${direction}`;

/** An operation whose schemas hold for requests and responses as far as they are used there. */
export const directOperation = (operation: OperationObject): OperationObject => {
  const direct =
    (direction: Direction) =>
    <T extends Described>(described: T): T =>
      described.schema === undefined
        ? described
        : { ...described, schema: directSchema(described.schema, direction) };
  const { parameters, requestBody, responses } = operation;
  return {
    ...operation,
    ...(parameters ? { parameters: parameters.map(direct('request')) } : {}),
    ...(requestBody
      ? { requestBody: { ...requestBody, content: mapFields(requestBody.content, direct('request')) } }
      : {}),
    responses: mapFields(responses, (response) => ({
      ...response,
      ...(response.headers ? { headers: mapFields(response.headers, direct('response')) } : {}),
      ...(response.content ? { content: mapFields(response.content, direct('response')) } : {}),
    })),
  };
};

const mapFields = <T>(fields: Readonly<Record<string, T>>, map: (field: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field)]));

/** Schemas are shared between operations. */
const directed = { request: new WeakMap<object, Schema>(), response: new WeakMap<object, Schema>() };

/**
 * A schema as it holds in one direction: fields of the other one are not required,
 * and refused by a `readOnly` or `writeOnly`, which the validators know as keywords.
 */
export const directSchema = (schema: Schema, direction: Direction): Schema => {
  const known = directed[direction].get(schema);
  if (known) return known;
  const made: Record<string, unknown> = {};
  directed[direction].set(schema, made);
  return Object.assign(made, directFields(schema, direction, hiddenNames(schema, direction)));
};

const isHidden = (field: unknown, direction: Direction): boolean =>
  isObject(field) && mergeAllOf(field)[hiddenBy[direction]] === true;

const hiddenNames = (schema: Schema, direction: Direction): ReadonlySet<string> =>
  new Set(
    Object.entries(mergeAllOf(schema).properties ?? {})
      .filter(([, field]) => isHidden(field, direction))
      .map(([name]) => name),
  );

const directFields = (schema: Schema, direction: Direction, hidden: ReadonlySet<string>): Schema => {
  const direct = (part: unknown): unknown => (isObject(part) ? directSchema(part, direction) : part);
  const directKeyword = (name: string, value: unknown): unknown => {
    if (name === '$ref' && typeof value === 'string') return directedName(value, direction);
    if (name === 'properties' && isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([field, part]) => [
          field,
          hidden.has(field) ? refusing(part as Schema, direction) : direct(part),
        ]),
      );
    if (name === 'required' && Array.isArray(value))
      return value.filter((field) => !hidden.has(String(field)));
    if (name === 'allOf' && Array.isArray(value))
      return value.map((part: Schema) =>
        hidden.size > 0 ? directFields(part, direction, hidden) : direct(part),
      );
    if (['example', 'default'].includes(name)) return withoutFields(value, hidden);
    if (name === 'examples' && Array.isArray(value)) return value.map((one) => withoutFields(one, hidden));
    if (schemaMapKeywords.includes(name) && isObject(value)) return mapFields(value, direct);
    if (schemaListKeywords.includes(name) && Array.isArray(value)) return value.map(direct);
    return schemaKeywords.includes(name) ? direct(value) : value;
  };
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => name !== hiddenBy[direction] && name !== shownBy[direction])
      .map(([name, value]: [string, unknown]) => [name, directKeyword(name, value)]),
  );
};

const refusing = (field: Schema, direction: Direction): Schema => {
  const { 'x-message': message } = mergeAllOf(field);
  return { [hiddenBy[direction]]: true, ...(message === undefined ? {} : { 'x-message': message }) };
};

const withoutFields = (value: unknown, names: ReadonlySet<string>): unknown =>
  isObject(value) && names.size > 0
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)))
    : value;

/** A schema of one direction without the fields that it refuses: for generating values. */
export const withoutRefusedFields = (schema: Schema): Schema => {
  const known = fieldless.get(schema);
  if (known) return known;
  const made: Record<string, unknown> = {};
  fieldless.set(schema, made);
  const strip = (part: unknown): unknown => (isObject(part) ? withoutRefusedFields(part) : part);
  for (const [name, value] of Object.entries(schema) as [string, unknown][])
    if (schemaMapKeywords.includes(name) && isObject(value))
      made[name] = mapFields(
        Object.fromEntries(Object.entries(value).filter(([, field]) => !isRefused(field))),
        strip,
      );
    else if (schemaListKeywords.includes(name) && Array.isArray(value)) made[name] = value.map(strip);
    else made[name] = schemaKeywords.includes(name) ? strip(value) : value;
  return made;
};

const fieldless = new WeakMap<object, Schema>();

const isRefused = (field: unknown): boolean =>
  isObject(field) && (field['readOnly'] === true || field['writeOnly'] === true);
