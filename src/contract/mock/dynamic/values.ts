import { createHash } from 'node:crypto';
import type { JsonSchema, Random } from 'json-schema-faker';
import { isObject, mergeAllOf, type Schema } from '../../document.js';
import { maxRecursion } from '../../dialects/recursion.js';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from '../../dialects/jsonSchema.js';

/**
 * Makes a value of a schema. The same seed makes the same value. Objects end at some depth, with fields that
 * may not fit, unless it is deep: lists in lists of a schema that is not small would never come to an end.
 */
export type GenerateValue = (schema: Schema, seed: number, options?: { readonly isDeep: boolean }) => unknown;

/** What is only for people, or is obeyed elsewhere. */
const ignoredKeywords = new Set([
  'default',
  'example',
  'examples',
  'description',
  'title',
  'nullable',
  'discriminator',
]);

/** A list that says nothing of its length has some items, and never very many; a text has some letters. */
const usualItems = { min: 1, max: 5 };
const usualLength = { minLength: 3, maxLength: 12 };

/** Times lie before this one, so that what a client creates can be newer than all that was there before. */
export const newestTime = Date.UTC(2026, 0, 1);
const timeSpanMs = 5 * 365 * 24 * 60 * 60 * 1_000;

/** Formats that ajv-formats knows and json-schema-faker does not. */
const moreFormats: Readonly<Record<string, string>> = {
  byte: 'dm91Y2hlcg==',
  regex: '^[a-z]+$',
  'uri-template': 'https://example.com/{id}',
  url: 'https://example.com/',
  'iso-time': '12:30:00Z',
  'iso-date-time': '2025-06-01T12:30:00Z',
  'json-pointer-uri-fragment': '#/a/0',
  'relative-json-pointer': '1/a',
};

/** Loads the library that makes values. Only a mock that makes them needs it. */
export const loadValueGenerator = async (): Promise<GenerateValue> => {
  const { generateSync } = await import('json-schema-faker');
  const converted = new WeakMap<Schema, JsonSchema>();
  const formats = {
    ...Object.fromEntries(Object.entries(moreFormats).map(([name, text]) => [name, (): string => text])),
    'date-time': ({ next }: Random): string =>
      new Date(newestTime - Math.floor(next() * timeSpanMs)).toISOString(),
  };
  return (schema, seed, { isDeep } = { isDeep: false }) => {
    const known = converted.get(schema) ?? toJsonSchema(schema);
    converted.set(schema, known);
    return sortLists(
      schema,
      generateSync(known, { formats, seed, ...(isDeep && { maxDepth: maxRecursion }) }),
    );
  };
};

/** A number for a seed of these texts and numbers. */
export const combineSeeds = (...parts: readonly (string | number)[]): number =>
  createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32BE();

/** A schema of OpenAPI 3.0 as one of JSON Schema, with bounds where an unbounded value would be of no use. */
const toJsonSchema = (schema: Schema): JsonSchema => {
  const { nullable, type } = schema;
  const entries = Object.entries(schema).flatMap(([name, value]): [string, unknown][] =>
    ignoredKeywords.has(name) || name.startsWith('x-') ? [] : [[name, convertKeyword(name, value)]],
  );
  return {
    ...(Object.fromEntries(entries) as object),
    ...(type === 'array' ? itemBounds(schema) : {}),
    ...(type === 'string' && !textKeywords.some((name) => name in schema) ? usualLength : {}),
    ...(type === 'integer' || type === 'number' ? numberBounds(schema) : {}),
    ...exclusiveBounds(schema),
    ...(nullable && type ? { type: [type, 'null'] } : {}),
  };
};

const convertKeyword = (name: string, value: unknown): unknown => {
  if (schemaMapKeywords.includes(name) && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([field, schema]) => [field, toJsonSchema(schema as Schema)]),
    );
  if (Array.isArray(value) && schemaListKeywords.includes(name)) return (value as Schema[]).map(toJsonSchema);
  return isObject(value) && schemaKeywords.includes(name) ? toJsonSchema(value) : value;
};

/** A text that has one of these is not any text. */
const textKeywords = ['minLength', 'maxLength', 'pattern', 'format', 'enum', 'const'];

const itemBounds = ({ minItems, maxItems = Infinity }: Schema): { minItems: number; maxItems: number } => ({
  minItems: minItems ?? Math.min(usualItems.min, maxItems),
  maxItems: Math.min(maxItems, Math.max(minItems ?? 0, usualItems.max)),
});

/** Numbers are counts, ids and amounts: without a bound they are not negative. */
const numberBounds = (schema: Schema): { minimum?: number } => {
  const { minimum, maximum = 0, exclusiveMinimum, exclusiveMaximum } = schema;
  const hasLowest = minimum !== undefined || typeof exclusiveMinimum === 'number';
  const isBelowZero = maximum < 0 || (typeof exclusiveMaximum === 'number' && exclusiveMaximum <= 0);
  return hasLowest || isBelowZero ? {} : { minimum: 0 };
};

/** As numbers, which they are in JSON Schema; undefined is left out of what they replace. */
const exclusiveBounds = ({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): object => ({
  ...(typeof exclusiveMinimum === 'boolean' && { exclusiveMinimum: exclusiveMinimum ? minimum : undefined }),
  ...(typeof exclusiveMaximum === 'boolean' && { exclusiveMaximum: exclusiveMaximum ? maximum : undefined }),
});

/** Sorts the lists in a value that the schema wants sorted. */
const sortLists = (written: Schema, value: unknown): unknown => {
  const { properties = {}, items } = mergeAllOf(written);
  if (Array.isArray(value)) {
    const sorted = items ? value.map((item) => sortLists(items, item)) : value;
    return sortItems(written, sorted);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, schema ? sortLists(schema, field) : field];
    }),
  );
};

/** By which field a list is sorted, and whether the highest comes first. */
export const sortingOf = (list: Schema): { field: string; isDescending: boolean } | undefined => {
  const sortedBy = mergeAllOf(list)['x-sorted-by'];
  if (sortedBy === undefined) return undefined;
  return { field: sortedBy.replace(/^-/, ''), isDescending: sortedBy.startsWith('-') };
};

const dictionary = new Intl.Collator('de', { numeric: true });
const time = /^\d{4}-\d\d-\d\d(?:T|$)/;

/**
 * How two values of a field are sorted. Times in RFC 3339 and UTC are in the order of their texts,
 * other texts in that of a German dictionary, with numbers in them by their value.
 */
export const compareSortValues = (one: unknown, other: unknown): number => {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [left, right] = [String(one), String(other)];
  if (!time.test(left) || !time.test(right)) return dictionary.compare(left, right);
  return left === right ? 0 : left < right ? -1 : 1;
};

/** Sorts items as the schema of their list says. */
export const sortItems = (list: Schema, items: readonly unknown[]): unknown[] => {
  const sorting = sortingOf(list);
  if (!sorting) return [...items];
  const { field, isDescending } = sorting;
  const valueOf = (item: unknown): unknown => (isObject(item) ? item[field] : undefined);
  const direction = isDescending ? -1 : 1;
  return items.toSorted((one, other) => direction * compareSortValues(valueOf(one), valueOf(other)));
};
