import { isObject, recursionTarget, type RecursiveSchemas, type Schema } from './document.js';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from './jsonSchema.js';

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

/** How deep values of recursive schemas may be nested: more than anybody needs, and less than what functions can call. */
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

/** What stands where a recursive schema begins again once too often: any value, or none at all. */
type Ending = 'anything' | 'nothing';

/** Larger schemas take seconds and hundreds of megabytes each. */
export const maxExpandedSize = 20_000;

/**
 * A schema that does not lead back to itself any more: it is repeated some times, and then ends. For those who make values
 * of it, or look into it, and would never come to an end.
 */
export const boundRecursion = (schema: Schema, ending: Ending): Schema => {
  if (!hasRecursion(schema)) return schema;
  for (const times of [2, 1]) {
    const bounded = boundTo(times, schema, ending);
    if (expandedSize(bounded) <= maxExpandedSize) return bounded;
  }
  return boundTo(0, schema, ending);
};

/** What was made of schemas, by how often they may begin again: operations share them. */
const boundSchemas: Readonly<Record<Ending, readonly WeakMap<object, Schema | Nothing>[]>> = {
  anything: [new WeakMap(), new WeakMap(), new WeakMap()],
  nothing: [new WeakMap(), new WeakMap(), new WeakMap()],
};

const nothing = Symbol('nothing');
type Nothing = typeof nothing;

const boundTo = (times: number, schema: Schema, ending: Ending): Schema => {
  const known = boundSchemas[ending];

  /** `undefined` where no value would end. */
  const bound = (node: unknown, left: number): Schema | undefined => {
    if (!isObject(node)) return node as Schema | undefined;
    const before = known[left]?.get(node);
    if (before !== undefined) return before === nothing ? undefined : before;
    const target = recursionTarget(node);
    const made = target ? again(target, left) : boundFields(node, left);
    known[left]?.set(node, made ?? nothing);
    return made;
  };
  const again = (target: Schema, left: number): Schema | undefined => {
    if (left > 0) return bound(target, left - 1);
    return ending === 'anything' ? {} : undefined;
  };
  const boundFields = (node: Record<string, unknown>, left: number): Schema | undefined => {
    const made: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(node)) {
      if (schemaMapKeywords.includes(name) && isObject(value)) {
        const fields = Object.entries(value).map(([field, part]) => [field, bound(part, left)] as const);
        made[name] = Object.fromEntries(fields.filter(([, part]) => part !== undefined));
      } else if (schemaListKeywords.includes(name) && Array.isArray(value)) {
        const parts = value.map((part) => bound(part, left));
        const kept = parts.filter((part) => part !== undefined);
        if (kept.length < (name === 'allOf' ? parts.length : Math.min(1, parts.length))) return undefined;
        made[name] = kept;
      } else if (schemaKeywords.includes(name) && isObject(value)) {
        const part = bound(value, left);
        if (part) made[name] = part;
        else if (name === 'items') made['maxItems'] = 0;
        else if (name === 'additionalProperties') made[name] = false;
      } else if (name !== 'maxItems' || made['maxItems'] === undefined) made[name] = value;
    }
    const { properties, required } = made;
    if (made['maxItems'] === 0) delete made['minItems'];
    if (isObject(properties) && isObject(node['properties']) && Array.isArray(required))
      made['required'] = required.filter(
        (name) =>
          !Object.hasOwn(node['properties'] as object, String(name)) ||
          Object.hasOwn(properties, String(name)),
      );
    return made;
  };
  return bound(schema, times) ?? {};
};

const hasRecursion = (schema: Schema): boolean => {
  let found = false;
  visitNodes(schema, (node) => (found ||= recursionTarget(node) !== undefined));
  return found;
};

/** Calls for every object in a value once, those of recursive schemas not included. */
const visitNodes = (value: unknown, visit: (node: Record<string, unknown>) => void): void => {
  const seen = new Set<unknown>();
  const open = [value];
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    if (isObject(next)) visit(next);
    for (const field of Object.values(next)) if (typeof field === 'object') open.push(field);
  }
};

/** The names of the recursive schemas that a value leads to, also those that they lead to. */
export const reachableRecursion = (
  value: unknown,
  recursive: Readonly<Record<string, unknown>>,
): Set<string> => {
  const found = new Set<string>();
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    visitNodes(next, ({ $ref: name }) => {
      if (typeof name !== 'string' || !Object.hasOwn(recursive, name) || found.has(name)) return;
      found.add(name);
      open.push(recursive[name]);
    });
  return found;
};

const sizes = new WeakMap<object, number>();

/**
 * How many values there are in a value, with those that are shared counted each time: what it takes to compile a
 * schema of it. A contract of some thousand lines can have billions of them.
 */
export const expandedSize = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const size = Object.values(value).reduce<number>((sum, field) => sum + expandedSize(field), 1);
  sizes.set(value, size);
  return size;
};
