import { isUtf8 } from 'node:buffer';
import { isObject, mergedSchema, type Described, type Schema } from '../document.js';
import { readValue, readValues } from './fieldValues.js';

/** The fields of a form as they were sent, in their order. */
export type SentFields = readonly (readonly [name: string, value: unknown])[];

/** Makes an object of them, whose values have the types of the schema. What has no such type stays a text. */
export type ReadFields = (sent: SentFields) => Record<string, unknown>;

/** Reads `a=1&b=2`. `undefined` where an escape is malformed or stands for no UTF-8. */
export const parseForm = (bytes: Buffer): SentFields | undefined => {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8').replaceAll('+', ' ');
  try {
    return text
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const equals = pair.indexOf('=');
        const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
        return [decodeURIComponent(name), decodeURIComponent(value)] as const;
      });
  } catch {
    return undefined;
  }
};

export const compileFields = ({ schema = {}, encoding = {} }: Described): ReadFields => {
  const { additionalProperties: others } = mergedSchema(schema);
  const fields = fieldSchemas(schema);
  const encodings = new Map(Object.entries(encoding));
  const nested = new Set(
    [...encodings].flatMap(([name, { style }]) => (style === 'deepObject' ? [name] : [])),
  );
  const otherField = isObject(others) ? others : {};
  return (sent) => {
    const values = new Map<string, unknown[]>();
    const trees = new Map<string, Tree>();
    for (const [name, value] of sent) {
      const path = nested.size > 0 ? parseNested(name) : undefined;
      if (path && nested.has(path[0])) put(trees, path, value);
      else append(values, name, value);
    }
    // Defines fields, so that one called `__proto__` is only a field.
    return Object.fromEntries([
      ...[...values].map(([name, texts]): [string, unknown] => [
        name,
        readValues(fields.get(name) ?? otherField, texts, encodings.get(name)),
      ]),
      ...[...trees].map(([name, tree]): [string, unknown] => [
        name,
        readTree(fields.get(name) ?? otherField, tree),
      ]),
    ]);
  };
};

/** Of a field that stands in several alternatives, any of its schemas may hold. */
export const fieldSchemas = (written: Schema): ReadonlyMap<string, Schema> => {
  const { properties = {}, oneOf = [], anyOf = [] } = mergedSchema(written);
  const found = new Map<string, Schema[]>(Object.entries(properties).map(([name, field]) => [name, [field]]));
  for (const part of [...oneOf, ...anyOf])
    for (const [name, field] of fieldSchemas(part)) append(found, name, field);
  return new Map(
    [...found].map(([name, [first = {}, ...others]]) => [
      name,
      others.length === 0 ? first : { anyOf: [first, ...others] },
    ]),
  );
};

const append = <T>(lists: Map<string, T[]>, name: string, value: T): void => {
  const list = lists.get(name);
  if (list) list.push(value);
  else lists.set(name, [value]);
};

/** The fields of an object that is written as `filter[name]=x`. */
type Tree = Map<string, Tree> | unknown[];

const maxLevels = 20;

/** `filter[tags][0]` is `filter`, `tags` and `0`. */
const parseNested = (name: string): [root: string, ...names: string[]] | undefined => {
  const bracket = name.indexOf('[');
  if (bracket < 1 || !name.endsWith(']')) return undefined;
  const names = name.slice(bracket + 1, -1).split('][');
  if (names.length > maxLevels || names.some((one) => /[[\]]/.test(one))) return undefined;
  return [name.slice(0, bracket), ...names];
};

const put = (trees: Map<string, Tree>, [name, ...below]: readonly string[], value: unknown): void => {
  const known = trees.get(name ?? '');
  if (below.length > 0) {
    const tree = known instanceof Map ? known : new Map<string, Tree>();
    trees.set(name ?? '', tree);
    put(tree, below, value);
  } else if (Array.isArray(known)) known.push(value);
  else if (!known) trees.set(name ?? '', [value]);
};

const readTree = (written: Schema, tree: Tree): unknown => {
  if (Array.isArray(tree)) return readValues(written, tree);
  const schema = nestedSchema(mergedSchema(written));
  if (schema.type === 'array')
    return inOrder(tree).flatMap((item) =>
      Array.isArray(item)
        ? item.map((value) => readValue(schema.items ?? {}, value))
        : [readTree(schema.items ?? {}, item)],
    );
  const { additionalProperties: others } = schema;
  const fields = fieldSchemas(schema);
  return Object.fromEntries(
    [...tree].map(([name, field]): [string, unknown] => [
      name,
      readTree(fields.get(name) ?? (isObject(others) ? others : {}), field),
    ]),
  );
};

/** `tags[1]` comes after `tags[0]`, wherever it stands. */
const inOrder = (list: ReadonlyMap<string, Tree>): Tree[] =>
  [...list].toSorted(([one], [other]) => Number(one) - Number(other) || 0).map(([, item]) => item);

/** Of alternatives the one that has something in it. */
const nestedSchema = (schema: Schema): Schema =>
  schema.type === undefined
    ? ([...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
        .map(mergedSchema)
        .find(({ type }) => type === 'array' || type === 'object') ?? schema)
    : schema;
