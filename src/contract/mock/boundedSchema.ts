import { isObject, recursionTarget, type Schema } from '../document.js';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from '../dialects/jsonSchema.js';
import { expandedSize, maxExpandedSize, visitNodes } from '../dialects/recursion.js';
import { smallestSchema } from './smallestSchema.js';

/** What stands where references end: any value, or only what a value can't be without. */
type Ending = 'anything' | 'nothing';

/**
 * A schema without references: they are followed some times, and then end. For those who make values of it,
 * or look into it, and would never come to an end. The larger what they lead to, the sooner they end.
 */
export const boundRecursion = (schema: Schema, ending: Ending): Schema => {
  if (targetsIn(schema).length === 0) return schema;
  for (const limit of limits) {
    const bounded = boundTo(limit, schema, ending);
    if (bounded && expandedSize(bounded) <= maxExpandedSize) return bounded;
  }
  return (ending === 'nothing' ? smallestSchema(schema) : undefined) ?? {};
};

const none = Symbol('none');
type Memo = WeakMap<object, Schema | typeof none>;

/** How often references are followed that lead back to themselves, or all of them. */
interface Limit {
  readonly times: number;
  readonly countsAll: boolean;
  /** What was made of schemas, by how often references are still followed: operations share them. */
  readonly memos: Readonly<Record<Ending, readonly Memo[]>>;
}
const limits: readonly Limit[] = [false, true].flatMap((countsAll) =>
  [2, 1, 0].map((times) => {
    const makeMemos = (): Memo[] => Array.from({ length: times + 1 }, () => new WeakMap());
    return { times, countsAll, memos: { anything: makeMemos(), nothing: makeMemos() } };
  }),
);

const targetsKnown = new WeakMap<object, readonly Schema[]>();

/** What the references in a schema lead to. */
const targetsIn = (schema: Schema): readonly Schema[] => {
  const known = targetsKnown.get(schema);
  if (known) return known;
  const targets = new Set<Schema>();
  visitNodes(schema, (node) => {
    const target = recursionTarget(node);
    if (target) targets.add(target);
  });
  targetsKnown.set(schema, [...targets]);
  return [...targets];
};

const recursionKnown = new WeakMap<Schema, boolean>();

/** Does a schema lead back to itself? Others have a reference because they are large. */
const isRecursive = (schema: Schema): boolean => {
  const known = recursionKnown.get(schema);
  if (known !== undefined) return known;
  const reached = new Set(targetsIn(schema));
  for (const target of reached) for (const next of targetsIn(target)) reached.add(next);
  recursionKnown.set(schema, reached.has(schema));
  return reached.has(schema);
};

/** `undefined` where no value would end. */
const boundTo = ({ times, countsAll, memos }: Limit, schema: Schema, ending: Ending): Schema | undefined => {
  const bound = (node: unknown, left: number): Schema | undefined => {
    if (!isObject(node)) return node as Schema | undefined;
    const memo = memos[ending][left];
    const before = memo?.get(node);
    if (before !== undefined) return before === none ? undefined : before;
    const target = recursionTarget(node);
    const made = target ? follow(target, left) : boundFields(node, left);
    memo?.set(node, made ?? none);
    return made;
  };
  const follow = (target: Schema, left: number): Schema | undefined => {
    const after = countsAll || isRecursive(target) ? left - 1 : left;
    if (after >= 0) return bound(target, after);
    return ending === 'anything' ? {} : undefined;
  };
  /** What a value can't be without is there in any case. */
  const needed = (node: unknown, left: number): Schema | undefined =>
    bound(node, left) ?? smallestSchema(node);

  const boundFields = (node: Record<string, unknown>, left: number): Schema | undefined => {
    const { required = [], minItems = 0 } = node as Schema;
    const made: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(node)) {
      if (schemaMapKeywords.includes(name) && isObject(value)) {
        const isNeeded = (field: string): boolean => name === 'properties' && required.includes(field);
        const fields = Object.entries(value).map(
          ([field, part]) => [field, isNeeded(field) ? needed(part, left) : bound(part, left)] as const,
        );
        if (fields.some(([field, part]) => part === undefined && isNeeded(field))) return undefined;
        made[name] = Object.fromEntries(fields.filter(([, part]) => part !== undefined));
      } else if (schemaListKeywords.includes(name) && Array.isArray(value)) {
        const areAllNeeded = name === 'allOf';
        const parts = value.map((part) => (areAllNeeded ? needed(part, left) : bound(part, left)));
        const kept = parts.filter((part) => part !== undefined);
        if (kept.length < (areAllNeeded ? parts.length : Math.min(1, parts.length))) return undefined;
        made[name] = kept;
      } else if (schemaKeywords.includes(name) && isObject(value)) {
        const part = name === 'items' && minItems > 0 ? needed(value, left) : bound(value, left);
        if (part) made[name] = part;
        else if (name === 'items' && minItems > 0) return undefined;
        else if (name === 'items') made['maxItems'] = 0;
        else if (name === 'additionalProperties') made[name] = false;
      } else if (name !== 'maxItems' || made['maxItems'] === undefined) made[name] = value;
    }
    return made;
  };
  return bound(schema, times);
};
