import { isJson, type Json } from '../document/json.js';
import type { SchemaModel } from '../document/types.js';

/** What is shown otherwise than it is: fields that only one of them has, and values of another type. */
export const compareShapes = (
  example: unknown,
  actual: unknown,
  schema: SchemaModel | undefined,
  path = '',
): string[] => {
  const place = path === '' ? 'the body' : path;
  if (Array.isArray(example) && Array.isArray(actual)) {
    // An empty list shows nothing of its elements.
    if (example.length === 0 || actual.length === 0) return [];
    return compareShapes(united(example), united(actual), schema?.items, `${path}[]`);
  }
  if (isJson(example) && isJson(actual)) return compareFields(example, actual, schema, path);
  if (kindOf(example) === kindOf(actual) || isNullable(example, actual, schema)) return [];
  return [`${place} is ${kindOf(example)} in the example and ${kindOf(actual)} in the answer`];
};

const compareFields = (
  example: Json,
  actual: Json,
  schema: SchemaModel | undefined,
  path: string,
): string[] => {
  const isOptional = (name: string): boolean => !(schema?.required ?? []).includes(name);
  return [...new Set([...Object.keys(example), ...Object.keys(actual)])].flatMap((name) => {
    const own = path === '' ? name : `${path}.${name}`;
    if (!(name in actual)) {
      return isOptional(name) ? [] : [`${own} is in the example and not in the answer`];
    }
    if (!(name in example)) return [`${own} is in the answer and not in the example`];
    return compareShapes(example[name], actual[name], schema?.properties?.[name], own);
  });
};

/** All elements of a list as one: what some of them have, and rather a value than null. */
const united = (list: readonly unknown[]): unknown => {
  if (!list.every(isJson)) return list.find((element) => element !== null) ?? null;
  const all: Json = {};
  for (const [name, value] of list.flatMap((element) => Object.entries(element))) all[name] ??= value;
  return all;
};

const isNullable = (example: unknown, actual: unknown, schema: SchemaModel | undefined): boolean =>
  schema?.nullable === true && (example === null || actual === null);

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};
