import type { Path, Refuse } from './contractError.js';
import { isObject } from './schema.js';

/** `#/components/schemas/Site` as a path. `undefined` for what is no reference within the file. */
export const pointerOf = (reference: string): string[] | undefined =>
  reference.startsWith('#/')
    ? reference
        .slice(2)
        .split('/')
        .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    : undefined;

/** A copy with every reference replaced by what it refers to. */
export const resolveReferences = (document: unknown, refuse: Refuse): unknown => {
  const known = new Map<string, unknown>();
  const open: string[] = [];

  const follow = (reference: string, path: Path): unknown => {
    if (known.has(reference)) return known.get(reference);
    const pointer =
      pointerOf(reference) ??
      refuse(path, `$ref "${reference}" does not begin with #/: it must stay within the file`);
    if (open.includes(reference))
      refuse(path, `$ref "${reference}" leads back to itself; recursive schemas are not supported`);
    const target = pointer.reduce<unknown>(
      (node, name) => (isNode(node) && Object.hasOwn(node, name) ? node[name] : undefined),
      document,
    );
    if (target === undefined) refuse(path, `$ref "${reference}" leads to nothing`);
    open.push(reference);
    const value = walk(target, pointer);
    open.pop();
    known.set(reference, value);
    return value;
  };

  const walk = (node: unknown, path: Path): unknown => {
    if (Array.isArray(node)) return node.map((item: unknown, index) => walk(item, [...path, index]));
    if (!isObject(node)) return node;
    if (typeof node['$ref'] === 'string') return follow(node['$ref'], [...path, '$ref']);
    return Object.fromEntries(
      Object.entries(node).map(([name, value]) => [name, walk(value, [...path, name])]),
    );
  };
  return walk(document, []);
};

const isNode = (value: unknown): value is Record<string, unknown> => Array.isArray(value) || isObject(value);
