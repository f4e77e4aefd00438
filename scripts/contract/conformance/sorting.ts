import { isJson } from '../document/json.js';
import type { SchemaModel } from '../document/types.js';

/** What is out of order in the lists of a body whose schema says how they are sorted (`x-sorted-by`). */
export const sortingFaults = (schema: SchemaModel | undefined, body: unknown, path = ''): string[] => {
  if (!schema) return [];
  if (isJson(body))
    return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      sortingFaults(field, body[name], path === '' ? name : `${path}.${name}`),
    );
  if (!Array.isArray(body)) return [];
  const inside = body.flatMap((item, index) => sortingFaults(schema.items, item, `${path}[${index}]`));
  const sortedBy = schema['x-sorted-by'];
  return typeof sortedBy === 'string' ? [...listFaults(sortedBy, body, path), ...inside] : inside;
};

const listFaults = (sortedBy: string, items: readonly unknown[], path: string): string[] => {
  const field = sortedBy.replace(/^-/, '');
  const values = items.map((item) => (isJson(item) ? item[field] : undefined));
  const isWrong = (one: unknown, next: unknown): boolean =>
    sortedBy.startsWith('-') ? isLess(one, next) : isLess(next, one);
  const index = values.findIndex((value, at) => at > 0 && isWrong(values[at - 1], value));
  if (index < 0) return [];
  const [before, after] = [values[index - 1], values[index]].map((value) => JSON.stringify(value));
  return [`${path} is not sorted by ${sortedBy}: ${before ?? ''} stands before ${after ?? ''}`];
};

/** Times in RFC 3339 and UTC are in the order of their texts. */
const isLess = (one: unknown, other: unknown): boolean =>
  (typeof one === 'number' && typeof other === 'number' && one < other) ||
  (typeof one === 'string' && typeof other === 'string' && one < other);
