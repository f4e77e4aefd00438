/** What is wrong with a value that was converted, in the contract's order. */
import { isDeepStrictEqual } from 'node:util';
import { isJson } from '../../document/json.js';
import type { SchemaModel } from '../../document/types.js';

/** A field that fails. */
export interface FieldFault {
  /** From the outside in: `['qos', 'down']`. */
  readonly path: readonly string[];
  readonly schema: SchemaModel;
  /** Every keyword that fails for it; which of them a service meets first is its own matter. */
  readonly keywords: readonly string[];
}

/** A field comes before the fields inside it; fields come in the order of the contract. */
export const faultsOf = (schema: SchemaModel, value: unknown, path: readonly string[] = []): FieldFault[] => {
  if (value === null && schema.nullable === true) return [];
  const keywords = failing(schema, value);
  const own = keywords.length === 0 ? [] : [{ path, schema, keywords }];
  return [...own, ...faultsInside(schema, value, path)];
};

const faultsInside = (schema: SchemaModel, value: unknown, path: readonly string[]): FieldFault[] => {
  if (Array.isArray(value) && schema.type === 'array' && schema.items) {
    const { items } = schema;
    return value.flatMap((element, index) => faultsOf(items, element, [...path, String(index)]));
  }
  if (!isJson(value) || schema.type !== 'object') return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const fixture = [...path, name];
    if (Object.hasOwn(value, name)) return faultsOf(field, value[name], fixture);
    const isMissing = schema.required?.includes(name) === true;
    return isMissing ? [{ path: fixture, schema: field, keywords: ['required'] }] : [];
  });
};

const isType: Readonly<Record<string, (value: unknown) => boolean>> = {
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isJson,
};

const failing = (schema: SchemaModel, value: unknown): string[] => {
  const { type } = schema;
  if (type !== undefined && isType[type]?.(value) !== true) return ['type'];
  const failures: Readonly<Record<string, boolean>> = {
    enum: schema.enum?.every((allowed) => !isDeepStrictEqual(allowed, value)) === true,
    ...(typeof value === 'number' && numberFailures(schema, value)),
    ...(typeof value === 'string' && textFailures(schema, value)),
    ...(Array.isArray(value) && listFailures(schema, value)),
  };
  return Object.keys(failures).filter((keyword) => failures[keyword]);
};

const numberFailures = (schema: SchemaModel, value: number): Record<string, boolean> => {
  const { minimum = -Infinity, maximum = Infinity, multipleOf } = schema;
  return {
    minimum: value < minimum,
    exclusiveMinimum: schema.exclusiveMinimum === true && value === minimum,
    maximum: value > maximum,
    exclusiveMaximum: schema.exclusiveMaximum === true && value === maximum,
    multipleOf: typeof multipleOf === 'number' && value % multipleOf !== 0,
  };
};

/** The length of a text counts characters, not the two halves that some are stored in. */
const textFailures = (schema: SchemaModel, value: string): Record<string, boolean> => {
  const length = Array.from(value).length;
  return {
    minLength: length < (schema.minLength ?? 0),
    maxLength: length > (schema.maxLength ?? Infinity),
    pattern: schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value),
  };
};

const listFailures = (schema: SchemaModel, value: readonly unknown[]): Record<string, boolean> => ({
  minItems: value.length < (schema.minItems ?? 0),
  maxItems: value.length > (schema.maxItems ?? Infinity),
  uniqueItems:
    schema['uniqueItems'] === true &&
    value.some((one, index) => value.slice(0, index).some((other) => isDeepStrictEqual(one, other))),
});
