import { isObject } from '../document.js';
import { pointerOf } from '../source.js';

type Fields = Record<string, unknown>;

/** A schema with a discriminator whose variants are the components that have it in their `allOf`. */
export interface Parent {
  readonly name: string;
  /** Under which name the schema itself stands once its own name means its variants. */
  readonly base: string;
  readonly children: readonly string[];
}

export const schemaReference = (name: string): string =>
  `#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25')}`;

/** The name of the component that a reference leads to, and what follows it. */
export const schemaNameOf = (reference: unknown): { name: string; inside: readonly string[] } | undefined => {
  const pointer = typeof reference === 'string' ? pointerOf(reference) : undefined;
  const [root, section, name, ...inside] = pointer ?? [];
  return root === 'components' && section === 'schemas' && name !== undefined ? { name, inside } : undefined;
};

/** What a schema has in its `allOf` under a name. */
const parentsOf = (schema: unknown): string[] =>
  isObject(schema) && Array.isArray(schema['allOf'])
    ? schema['allOf'].flatMap((part: unknown) => {
        const found = isObject(part) ? schemaNameOf(part['$ref']) : undefined;
        return found?.inside.length === 0 ? [found.name] : [];
      })
    : [];

/** The parents among the components of a contract, by name. */
export const findParents = (schemas: Fields): ReadonlyMap<string, Parent> => {
  const isParent = (schema: unknown): schema is Fields & { discriminator: Fields } =>
    isObject(schema) && isObject(schema['discriminator']) && !schema['oneOf'] && !schema['anyOf'];
  const above = new Map(Object.entries(schemas).map(([name, schema]) => [name, parentsOf(schema)]));
  const descends = (name: string, parent: string, seen: readonly string[] = []): boolean =>
    !seen.includes(name) &&
    (above.get(name) ?? []).some((one) => one === parent || descends(one, parent, [...seen, name]));
  const parents = Object.entries(schemas).flatMap(([name, schema]): [string, Parent][] => {
    if (!isParent(schema)) return [];
    const { mapping } = schema.discriminator;
    const mapped = isObject(mapping) ? Object.values(mapping) : [];
    // The schema itself is a variant where the contract says so.
    const isOwnVariant = mapped.some((target) => target === name || schemaNameOf(target)?.name === name);
    const children = Object.keys(schemas).filter((one) =>
      one === name ? isOwnVariant : descends(one, name),
    );
    return children.length === 0 ? [] : [[name, { name, base: `${name}:base`, children }]];
  });
  return new Map(parents);
};
