import { toPointerSegment } from '../../lib/jsonPointer.js';
import { isObject, recursionTarget, type Schema } from '../document.js';
import { isTooDeep } from '../dialects/recursion.js';
import { compareSortValues } from '../mock/dynamic/values.js';

/** Something in a reply that its schema allows, and that is not documented. */
export interface UndocumentedPart {
  /** Where: `/rooms/3`. */
  readonly path: string;
  readonly message: string;
  /** The field that is too much. */
  readonly field?: string;
}

/**
 * Finds fields that no schema names, and lists that are in another order than `x-sorted-by` says.
 * Of the items of a list each finding comes once.
 */
export const findUndocumented = (schema: Schema, body: unknown): UndocumentedPart[] => {
  const found = new Map<string, UndocumentedPart>();
  /** `place` is the path without the indexes of items. */
  const visit = (schemas: Iterable<Schema>, value: unknown, path: string, place: string): void => {
    const parts = [...partsFor(schemas, value)];
    if (parts.length === 0) return;
    const note = (finding: UndocumentedPart): void => {
      const key = `${place} ${finding.field ?? ''}`;
      if (!found.has(key)) found.set(key, finding);
    };
    if (Array.isArray(value)) {
      for (const { 'x-sorted-by': sortedBy } of parts) {
        const index = sortedBy === undefined ? -1 : findUnsorted(sortedBy, value);
        const message = `must stand before the item in front of it: the list is sorted by ${sortedBy ?? ''}`;
        if (index >= 0) note({ path: `${path}/${String(index)}`, message });
      }
      for (const [index, item] of value.entries())
        visit(itemSchemas(parts, index), item, `${path}/${String(index)}`, `${place}/*`);
    } else if (isObject(value)) {
      const isOpen = allowsAnyField(parts);
      for (const [field, inner] of Object.entries(value)) {
        const inside = [...fieldSchemas(parts, field)];
        const segment = `/${toPointerSegment(field)}`;
        if (inside.length > 0) visit(inside, inner, path + segment, place + segment);
        else if (!isOpen) note({ path, message: 'has a field that is not documented', field });
      }
    }
  };
  // A body that is nested too deeply is refused as a whole.
  if (!isTooDeep(body)) visit([schema], body, '', '');
  return [...found.values()];
};

/** All schemas that speak of a value, also those that references and alternatives lead to, each once. */
const partsFor = (schemas: Iterable<Schema>, value: unknown): Set<Schema> => {
  const parts = new Set<Schema>();
  for (const schema of schemas) parts.add(schema);
  for (const part of parts) {
    const { allOf = [], oneOf = [], anyOf = [], dependentSchemas = {} } = part;
    const alternatives = [...oneOf, ...anyOf].filter((one) => couldBe(one, value));
    const conditions = [part.if, part.then, part.else, recursionTarget(part)];
    for (const one of [...allOf, ...alternatives, ...conditions, ...Object.values(dependentSchemas)])
      if (isObject(one)) parts.add(one);
  }
  return parts;
};

/** Not an alternative that says in a field with fixed values that it is another one. */
const couldBe = (alternative: Schema, value: unknown): boolean => {
  if (!isObject(value)) return true;
  const parts = new Set([alternative]);
  for (const part of parts)
    for (const one of [...(part.allOf ?? []), recursionTarget(part)]) if (one) parts.add(one);
  return [...parts].every(({ properties = {} }) =>
    Object.entries(properties).every(([field, schema]) => {
      const { const: fixed, enum: values = fixed === undefined ? undefined : [fixed] } = schema as Schema & {
        readonly const?: unknown;
      };
      return !values || !Object.hasOwn(value, field) || values.includes(value[field]);
    }),
  );
};

const fieldSchemas = function* (parts: readonly Schema[], field: string): Iterable<Schema> {
  for (const { properties = {}, additionalProperties } of parts)
    if (Object.hasOwn(properties, field)) yield properties[field] ?? {};
    else if (isObject(additionalProperties)) yield additionalProperties;
};

const itemSchemas = function* (parts: readonly Schema[], index: number): Iterable<Schema> {
  for (const { items, prefixItems = [] } of parts) {
    const schema = prefixItems[index] ?? items;
    if (isObject(schema)) yield schema;
  }
};

/** Where a schema speaks of other fields itself, validation has refused what it does not allow. */
const openKeywords = ['additionalProperties', 'unevaluatedProperties', 'patternProperties'];

/** What says nothing of its fields, and does not add to what others say. */
const annotations = new Set(['type', 'title', 'description', 'nullable', 'example', 'examples']);

const allowsAnyField = (parts: readonly Schema[]): boolean =>
  parts.every(({ properties = {} }) => Object.keys(properties).length === 0) ||
  parts.some((part) => openKeywords.some((keyword) => keyword in part)) ||
  parts.some(({ oneOf = [], anyOf = [] }) => [...oneOf, ...anyOf].some(isAnyObject));

const isAnyObject = (schema: Schema): boolean =>
  [undefined, 'object'].includes(schema.type) && Object.keys(schema).every((name) => annotations.has(name));

/** The first item that should stand before the one in front of it; -1 if there is none. */
const findUnsorted = (sortedBy: string, items: readonly unknown[]): number => {
  const direction = sortedBy.startsWith('-') ? -1 : 1;
  const field = sortedBy.replace(/^-/, '');
  const values = items.map((item) => (isObject(item) ? item[field] : undefined));
  const isComparable = (value: unknown): boolean => ['string', 'number'].includes(typeof value);
  return values.findIndex((value, index) => {
    const before = values[index - 1];
    return isComparable(before) && isComparable(value) && direction * compareSortValues(before, value) > 0;
  });
};
