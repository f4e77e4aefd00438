import { isObject, type RecursiveSchemas } from '../document.js';

/** Keywords whose schemas hold for the same value, not for a part of it. */
const sameValueKeywords = ['allOf', 'oneOf', 'anyOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

/** Does a schema begin again before any field or item? No value could ever be held against it. */
export const isEndless = (name: string, recursive: RecursiveSchemas): boolean => {
  const returns = (node: unknown, open: readonly string[]): boolean => {
    if (Array.isArray(node)) return node.some((part) => returns(part, open));
    if (!isObject(node)) return false;
    const { $ref: reference } = node;
    if (typeof reference === 'string') {
      if (open.includes(reference)) return true;
      if (returns(recursive[reference], [...open, reference])) return true;
    }
    return sameValueKeywords.some((keyword) =>
      keyword === 'dependentSchemas' && isObject(node[keyword])
        ? Object.values(node[keyword]).some((part) => returns(part, open))
        : returns(node[keyword], open),
    );
  };
  return returns(recursive[name], [name]);
};

/**
 * How deep values of recursive schemas may be nested: more than anybody needs,
 * and less than what functions can call.
 */
export const maxRecursion = 200;

/** Is a value nested deeper than schemas that call themselves could follow? */
export const isTooDeep = (value: unknown): boolean => {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxRecursion) return true;
    level = level.flatMap((node): unknown[] =>
      typeof node === 'object' && node !== null && !Buffer.isBuffer(node) ? Object.values(node) : [],
    );
  }
  return false;
};

/** Larger schemas take seconds and hundreds of megabytes each. */
export const maxExpandedSize = 20_000;

/** Calls for every object in a value once, those of recursive schemas not included. */
export const visitNodes = (value: unknown, visit: (node: Record<string, unknown>) => void): void => {
  const seen = new Set<unknown>();
  const open = [value];
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    if (isObject(next)) visit(next);
    for (const field of Object.values(next)) if (typeof field === 'object') open.push(field);
  }
};

const sizes = new WeakMap<object, number>();

/**
 * How many values there are in a value, with those that are shared counted each time:
 * what it takes to compile a schema of it. A contract of some thousand lines can have billions of them.
 */
export const expandedSize = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const size = Object.values(value).reduce<number>((sum, field) => sum + expandedSize(field), 1);
  sizes.set(value, size);
  return size;
};
