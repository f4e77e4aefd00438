import { isObject, isOpenApi31, mergedSchema, type Schema } from '../document.js';
import { shapeOfField, type Shape } from '../documentShape.js';
import { findParents, schemaNameOf, schemaReference, type Parent } from './inheritance.js';
import { ContractError, pointerOf, type Path, type Source } from '../source.js';

/**
 * A `discriminator` says by the value of a field which of several schemas a value has to fit. Contracts write
 * it in three ways: beside `oneOf`, beside `anyOf`, and in a component that others have in their `allOf`.
 * Here they become one: a `oneOf` whose schemas each begin with the values of the field that choose them.
 */

type Fields = Record<string, unknown>;

const isContainer = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const asFields = (value: unknown): Fields => (isObject(value) ? value : {});

/** The variants of an expanded schema, by the values that choose them. */
export const variantsOf = ({
  discriminator,
  oneOf = [],
}: Schema): { readonly field: string; readonly variants: ReadonlyMap<unknown, Schema> } | undefined => {
  if (!discriminator) return undefined;
  const { propertyName: field } = discriminator;
  const chosenBy = (variant: Schema): [unknown, Schema][] =>
    (variant.properties?.[field]?.enum ?? []).map((value) => [value, variant]);
  return { field, variants: new Map(oneOf.flatMap(chosenBy)) };
};

/** The fields of objects that fit an expanded schema, those of all its variants among them. */
export const fieldsOfVariants = (schema: Schema): Readonly<Record<string, Schema>> => {
  const { properties = {}, discriminator, oneOf = [] } = mergedSchema(schema);
  return discriminator
    ? (Object.assign({}, properties, ...oneOf.map(fieldsOfVariants)) as Record<string, Schema>)
    : properties;
};

/** Does the discriminator of a schema, if it has one, choose the same variant for both? */
export const isSameVariant = (schema: Schema, one: unknown, other: unknown): boolean => {
  const field = mergedSchema(schema).discriminator?.propertyName;
  if (field === undefined || !isObject(one) || !isObject(other)) return true;
  return !Object.hasOwn(one, field) || !Object.hasOwn(other, field) || one[field] === other[field];
};

/** Was this schema expanded? One that stands where a contract has no schemas was not. */
export const isExpanded = ({ discriminator, oneOf }: Fields): boolean =>
  isObject(discriminator) &&
  Object.keys(discriminator).join() === 'propertyName' &&
  Array.isArray(oneOf) &&
  oneOf.every((variant) => isObject(variant) && Array.isArray(variant['allOf']));

const mentionsDiscriminator = (node: unknown): boolean =>
  isContainer(node) &&
  ((isObject(node) && node['discriminator'] !== undefined) ||
    Object.values(node).some(mentionsDiscriminator));

/** What is said of the value as a whole stays beside the variants; everything else becomes a part of each. */
const ofWhole = [
  ...[
    'title',
    'description',
    'deprecated',
    'nullable',
    'readOnly',
    'writeOnly',
    'default',
    'example',
    'examples',
  ],
  ...['type', 'externalDocs', 'x-otherwise', 'x-message'],
];

/** Would change the field after it has chosen, or take it from one direction. */
const notOfField = ['default', 'nullable', 'readOnly', 'writeOnly', 'x-lenient', 'x-trim'];

const schemaShape: Shape = { form: 'one', kind: 'schema' };

/** One of the schemas that a discriminator chooses from. */
interface Variant {
  readonly schema: Fields;
  readonly at: Path;
  /** As an error calls it. */
  readonly title: string;
  readonly component: string | undefined;
}

/** Finds what a schema of a document says of a field. */
const makeFindField = (document: Fields) => {
  const follow = (node: unknown): unknown => {
    const reference = isObject(node) ? node['$ref'] : undefined;
    const pointer = typeof reference === 'string' ? pointerOf(reference) : undefined;
    return pointer?.reduce<unknown>(
      (inside, name) => (isContainer(inside) && Object.hasOwn(inside, name) ? inside[name] : undefined),
      document,
    );
  };

  /** What a schema says of a field, itself or in its parts. */
  const findField = (schema: unknown, field: string, seen: readonly unknown[] = []): unknown => {
    if (!isObject(schema) || seen.includes(schema)) return undefined;
    const own = asFields(schema['properties'])[field];
    if (own !== undefined) return follow(own) ?? own;
    const parts = Array.isArray(schema['allOf']) ? (schema['allOf'] as unknown[]) : [];
    for (const part of [follow(schema), ...parts]) {
      const found = findField(part, field, [...seen, schema]);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  return findField;
};

const leadsTo = (target: unknown, { schema, component }: Variant): boolean =>
  typeof target === 'string' &&
  (target === component || pointerOf(target)?.join('\n') === pointerOf(String(schema['$ref']))?.join('\n'));

const variantsWritten = (node: Fields, path: Path): Variant[] => {
  const keyword = node['oneOf'] === undefined ? 'anyOf' : 'oneOf';
  const { [keyword]: list } = node;
  return (Array.isArray(list) ? list : []).map((schema: unknown, index) => {
    const name = schemaNameOf(asFields(schema)['$ref']);
    const component = name?.inside.length === 0 ? name.name : undefined;
    const at = [...path, keyword, index];
    return { schema: asFields(schema), at, title: component ?? `${keyword}[${String(index)}]`, component };
  });
};

const variantsBelow = ({ name, base, children }: Parent): Variant[] =>
  children.map((child) => ({
    schema: { $ref: schemaReference(child === name ? base : child) },
    at: ['components', 'schemas', child],
    title: child,
    component: child,
  }));

/**
 * The values that choose a variant: those of the mapping, or else its name,
 * or those that its own field may have.
 */
const valuesOf = (variant: Variant, mapping: Fields, allowed: readonly unknown[] | undefined): unknown[] => {
  const mapped = Object.entries(mapping).filter(([, target]) => leadsTo(target, variant));
  if (mapped.length > 0) return mapped.map(([value]) => value);
  const { component } = variant;
  const isNamed = component !== undefined && (allowed === undefined || allowed.includes(component));
  return isNamed ? [component] : [...(allowed ?? [])];
};

/**
 * The contract with its discriminators expanded. One that is wrong is refused,
 * or left out of a contract of somebody else (`isForgiving`).
 */
export const expandDiscriminators = <S extends Pick<Source, 'document' | 'at'>>(
  source: S,
  isForgiving: boolean,
): S => {
  const { document } = source;
  if (!isObject(document) || !mentionsDiscriminator(document)) return source;
  const is31 = isOpenApi31(document);
  const components = asFields(document['components']);
  const schemas = asFields(components['schemas']);
  const parents = findParents(schemas);
  const findField = makeFindField(document);
  /** Where objects of the expanded contract stand in the written one, unless in the same place. */
  const places = new WeakMap<object, Path>();
  const note = <T extends object>(node: T, path: Path): T => {
    places.set(node, path);
    return node;
  };
  const refuse = (path: Path, what: string): never => {
    throw new ContractError(what, source.at(path));
  };

  const expand = (node: Fields, path: Path, parent: Parent | undefined): Fields => {
    const at = [...path, 'discriminator'];
    const { discriminator, oneOf: _oneOf, anyOf: _anyOf, ...rest } = node;
    const { propertyName: field, mapping: given = {} } = asFields(discriminator);
    if (typeof field !== 'string' || field === '') return refuse(at, 'a discriminator needs a propertyName');
    if (!isObject(given))
      refuse([...at, 'mapping'], `the mapping of the discriminator ${field} must be an object`);
    const mapping = asFields(given);
    const all = parent ? variantsBelow(parent) : variantsWritten(node, path);
    const isNull = ({ schema }: Variant): boolean => is31 && schema['type'] === 'null';
    const variants = all.filter((variant) => !isNull(variant));
    if (variants.length === 0) refuse(at, `the discriminator ${field} has no schemas to choose from`);
    const type = node['type'] ?? (variants.length < all.length ? ['object', 'null'] : 'object');
    if (![type].flat().includes('object'))
      refuse([...path, 'type'], `the discriminator ${field} needs objects`);
    for (const [value, target] of Object.entries(mapping))
      if (!variants.some((variant) => leadsTo(target, variant)))
        refuse(
          [...at, 'mapping', value],
          `${value} of the discriminator ${field} leads to none of its schemas`,
        );

    const [whole, own] = divide(rest);
    // What a parent itself says, its children have from it.
    const shared = parent ? {} : own;
    const sharedParts = Object.keys(shared).length > 0 ? [note(expandBelow(shared, path), path)] : [];
    const taken = new Map<unknown, string>();
    const expandVariant = (variant: Variant): Fields => {
      const { title, at: place } = variant;
      const said = findField(variant.schema, field) ?? findField(shared, field);
      if (said === undefined) refuse(place, `${title} does not have the field ${field} of the discriminator`);
      const { type: fieldType = 'string', const: only, enum: listed, 'x-message': message } = asFields(said);
      if (fieldType !== 'string')
        refuse(place, `${title}: the field ${field} of the discriminator must be a text`);
      for (const key of notOfField)
        if (asFields(said)[key] !== undefined && asFields(said)[key] !== false)
          refuse(place, `${title}: ${key} can not stand at the field ${field} of the discriminator`);
      const allowed = only === undefined ? (listed as unknown[] | undefined) : [only];
      const values = valuesOf(variant, mapping, parent ? undefined : allowed);
      if (values.length === 0)
        refuse(
          place,
          `${title} has no name as a value of the discriminator ${field}: give the field an enum`,
        );
      for (const value of values) {
        if (allowed?.includes(value) === false)
          refuse(place, `${title} is chosen by ${String(value)}, which its field ${field} does not allow`);
        if (taken.has(value))
          refuse(
            place,
            `${title} and ${taken.get(value) ?? ''} are both chosen by ${String(value)} of ${field}`,
          );
        taken.set(value, title);
      }
      const chosen = { type: 'string', enum: values, ...(message !== undefined && { 'x-message': message }) };
      const inner = expandNode(variant.schema, place, schemaShape);
      return note(
        {
          type: 'object',
          required: [field],
          properties: { [field]: chosen },
          allOf: [...sharedParts, inner],
        },
        place,
      );
    };
    const oneOf = variants.map(expandVariant);
    return note({ ...whole, type, oneOf, discriminator: { propertyName: field } }, path);
  };

  const attempt = (node: Fields, path: Path, parent?: Parent): unknown => {
    try {
      return expand(node, path, parent);
    } catch (error) {
      if (!isForgiving || !(error instanceof ContractError)) throw error;
      const { discriminator: _left, ...rest } = node;
      return note(expandBelow(rest, path), path);
    }
  };

  /** The same node, unless something in it is expanded. */
  const expandNode = (node: unknown, path: Path, shape: Shape): unknown => {
    if (!isContainer(node) || shape.kind === 'free' || shape.kind === 'discriminator') return node;
    if (typeof node['$ref'] === 'string') {
      const found = schemaNameOf(node['$ref']);
      const parent = found && found.inside.length > 0 ? parents.get(found.name) : undefined;
      return parent
        ? { ...node, $ref: [schemaReference(parent.base), ...(found?.inside ?? [])].join('/') }
        : node;
    }
    const isSchema = shape.form === 'one' && shape.kind === 'schema';
    return isSchema && isObject(node) && node['discriminator'] !== undefined
      ? attempt(node, path)
      : expandBelow(node, path, shape);
  };
  const expandBelow = (node: Fields, path: Path, shape: Shape = schemaShape): Fields => {
    const changed = Object.entries(node).map(([name, value]): [string, unknown] => [
      name,
      expandNode(value, [...path, name], shapeOfField(shape, name)),
    ]);
    if (changed.every(([name, value]) => value === node[name])) return node;
    const made = Array.isArray(node) ? changed.map(([, value]) => value) : Object.fromEntries(changed);
    return note(made as Fields, path);
  };

  const documentShape: Shape = { form: 'one', kind: 'document' };
  const { components: _components, ...others } = document;
  const expandedSchemas = Object.entries(schemas).flatMap(([name, schema]): [string, unknown][] => {
    const path = ['components', 'schemas', name];
    const written = withBases(schema, parents);
    if (written !== schema) note(written as Fields, path);
    const parent = parents.get(name);
    if (!parent) return [[name, expandNode(written, path, schemaShape)]];
    const { discriminator: _discriminator, ...base } = asFields(written);
    return [
      [name, attempt(asFields(written), path, parent)],
      [parent.base, note(expandBelow(base, path), path)],
    ];
  });
  const { schemas: _schemas, ...sections } = components;
  const expanded: Fields = {
    ...expandBelow(others, [], documentShape),
    components: {
      ...expandBelow(sections, ['components'], { form: 'one', kind: 'components' }),
      schemas: Object.fromEntries(expandedSchemas),
    },
  };
  return { ...source, document: expanded, at: (path) => source.at(writtenPath(expanded, places, path)) };
};

const divide = (schema: Fields): [whole: Fields, shared: Fields] => {
  const entries = Object.entries(schema);
  return [
    Object.fromEntries(entries.filter(([name]) => ofWhole.includes(name))),
    Object.fromEntries(entries.filter(([name]) => !ofWhole.includes(name))),
  ];
};

/** A component that inherits from a parent consists of what the parent itself says, not of its variants. */
const withBases = (schema: unknown, parents: ReadonlyMap<string, Parent>): unknown => {
  if (!isObject(schema) || !Array.isArray(schema['allOf'])) return schema;
  const baseOf = (part: unknown): Parent | undefined => {
    const found = isObject(part) ? schemaNameOf(part['$ref']) : undefined;
    return found?.inside.length === 0 ? parents.get(found.name) : undefined;
  };
  if (!schema['allOf'].some(baseOf)) return schema;
  return {
    ...schema,
    allOf: schema['allOf'].map((part: unknown) => {
      const parent = baseOf(part);
      return parent ? { ...asFields(part), $ref: schemaReference(parent.base) } : part;
    }),
  };
};

/** Where something in an expanded contract stands in the written one; references are followed. */
const writtenPath = (expanded: Fields, places: WeakMap<object, Path>, path: Path): Path => {
  let node: unknown = expanded;
  let written: Path = [];
  const step = (name: string | number): void => {
    node = isContainer(node) && Object.hasOwn(node, name) ? node[name] : undefined;
    written = (isContainer(node) && places.get(node)) || [...written, name];
  };
  for (const name of path) {
    const seen = new Set<unknown>();
    for (let here = node; name !== '$ref' && isContainer(here) && !seen.has(here); here = node) {
      seen.add(here);
      const pointer = typeof here['$ref'] === 'string' ? pointerOf(here['$ref']) : undefined;
      if (!pointer) break;
      [node, written] = [expanded, []];
      pointer.forEach(step);
    }
    step(name);
  }
  return written;
};
