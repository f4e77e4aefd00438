import { isObject, recursionTarget, type Schema } from '../document.js';
import { expandedSize, maxExpandedSize, visitNodes } from '../dialects/recursion.js';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from '../dialects/jsonSchema.js';

/**
 * A schema without all that a value can be without: optional fields, items, and every alternative but the
 * smallest. It has no references. `undefined` where no value would end, or only a huge one.
 */
export const smallestSchema = (schema: unknown): Schema | undefined => {
  measureTargets(schema);
  return sizeOf(schema) > maxExpandedSize ? undefined : reduced(schema);
};

/** How large the smallest forms of schemas are that references lead to, of those that have one. */
const sizes = new WeakMap<Schema, number>();
const measured = new WeakSet<Schema>();

/**
 * Finds them from the smallest to those that need them. A size that was found stays:
 * so what it was found from is always smaller, and making the form never goes round in a circle.
 */
const measureTargets = (schema: unknown): void => {
  let open = collectTargets(schema);
  for (let before = -1; before !== open.length;) {
    before = open.length;
    open = open.filter((target) => {
      const size = sizeOf(target);
      if (Number.isFinite(size)) sizes.set(target, size);
      return !Number.isFinite(size);
    });
  }
};

/** What references lead to and was not measured before, the last ones first: others need them. */
const collectTargets = (schema: unknown): Schema[] => {
  const found: Schema[] = [];
  const collect = (node: object): void => {
    const target = recursionTarget(node);
    if (!target || measured.has(target)) return;
    measured.add(target);
    found.push(target);
  };
  visitNodes(schema, collect);
  for (const target of found) visitNodes(target, collect);
  return found.toReversed();
};

const sizeOf = (node: unknown): number => {
  if (!isObject(node)) return 1;
  const target = recursionTarget(node);
  if (target) return sizes.get(target) ?? Infinity;
  const { minItems = 0 } = node as Schema;
  return Object.entries(keptKeywords(node)).reduce((sum, [name, value]) => {
    if (schemaMapKeywords.includes(name)) return sum + sumOf(Object.values(value as object));
    if (schemaListKeywords.includes(name)) return sum + sumOf(value as unknown[]);
    if (!schemaKeywords.includes(name)) return sum + expandedSize(value);
    return sum + sizeOf(value) * (name === 'items' ? minItems : 1);
  }, 1);
};

const sumOf = (schemas: readonly unknown[]): number =>
  schemas.reduce<number>((sum, one) => sum + sizeOf(one), 1);

const reduced = (node: unknown): Schema => {
  if (!isObject(node)) return node as Schema;
  const target = recursionTarget(node);
  if (target) return reduced(target);
  return Object.fromEntries(
    Object.entries(keptKeywords(node)).map(([name, value]) => {
      if (schemaMapKeywords.includes(name))
        return [name, Object.fromEntries(Object.entries(value as object).map(([k, v]) => [k, reduced(v)]))];
      if (schemaListKeywords.includes(name)) return [name, (value as unknown[]).map(reduced)];
      return [name, schemaKeywords.includes(name) ? reduced(value) : value];
    }),
  );
};

/** The keywords of one schema, with what a value can't be without; their schemas are as written. */
const keptKeywords = (node: Record<string, unknown>): Record<string, unknown> => {
  const { required = [], minItems = 0, minProperties = 0 } = node as Schema & { minProperties?: number };
  const isKept = (name: string): boolean => {
    if (name === 'items' || name === 'prefixItems') return minItems > 0;
    if (name === 'additionalProperties') return minProperties > 0;
    return name === 'allOf' || !isAboutSchemas(name);
  };
  const kept = Object.fromEntries(Object.entries(node).filter(([name]) => isKept(name)));
  const { properties } = node;
  if (isObject(properties))
    kept['properties'] = Object.fromEntries(
      Object.entries(properties).filter(([field]) => required.includes(field)),
    );
  for (const name of ['oneOf', 'anyOf']) if (Array.isArray(node[name])) kept[name] = smallestOf(node[name]);
  if (node['items'] !== undefined) kept['maxItems'] = minItems;
  return kept;
};

const isAboutSchemas = (name: string): boolean =>
  [...schemaKeywords, ...schemaListKeywords, ...schemaMapKeywords].includes(name);

const smallestOf = (alternatives: readonly unknown[]): readonly unknown[] => {
  const [first, ...others] = alternatives;
  return alternatives.length === 0
    ? []
    : [others.reduce((smallest, one) => (sizeOf(one) < sizeOf(smallest) ? one : smallest), first)];
};
