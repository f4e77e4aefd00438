import { variantsOf } from '../../../../src/contract/dialects/discriminators.js';
import { isObject, type Schema } from '../../../../src/contract/document.js';
import { isSameJson, jsonFields } from '../json.js';
import type { SchemaModel } from './schemaModel.js';

/**
 * Stages look for the fields of an object in its `properties`. So what a contract divides with `allOf` is put together here,
 * where one schema can say the same; the variants of a discriminator remain.
 */
export const plainSchema = (schema: SchemaModel): SchemaModel => {
  const known = plainSchemas.get(schema);
  if (known) return known;
  const plain = mergeParts(withPlainFields(schema));
  plainSchemas.set(schema, plain);
  return plain;
};

/** Operations share schemas. */
const plainSchemas = new WeakMap<SchemaModel, SchemaModel>();

const withPlainFields = (schema: SchemaModel): SchemaModel => {
  const { properties, items, allOf, oneOf } = schema;
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => [name, isObject(field) ? plainSchema(field) : field] as const,
  );
  const plainList = (list: readonly Schema[]): Schema[] => list.map((one) => plainSchema(one as SchemaModel));
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(isObject(items) && { items: plainSchema(items) }),
    ...(allOf && { allOf: plainList(allOf) }),
    ...(oneOf && schema.discriminator && { oneOf: plainList(oneOf) }),
  };
};

const mergeParts = (schema: SchemaModel): SchemaModel => {
  const { allOf, ...own } = schema;
  return allOf ? (mergeAll([...allOf, own] as SchemaModel[]) ?? schema) : schema;
};

/** One schema that says what all of these say; undefined where there is none. */
const mergeAll = (schemas: readonly SchemaModel[]): SchemaModel | undefined =>
  schemas.reduce<SchemaModel | undefined>((merged, schema) => merged && mergeTwo(merged, schema), {});

const mergeTwo = (one: SchemaModel, other: SchemaModel): SchemaModel | undefined => {
  if (!leavesOpen(one, other) || !leavesOpen(other, one)) return undefined;
  const merged: Record<string, unknown> = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const both = mergeKeyword(keyword, one[keyword], value);
    if (both === undefined) return undefined;
    merged[keyword] = both;
  }
  return merged;
};

/** Does a schema that is closed name all fields of the other one? Together they would allow more than it does. */
const leavesOpen = ({ additionalProperties, properties = {} }: SchemaModel, other: SchemaModel): boolean =>
  additionalProperties !== false ||
  Object.keys(other.properties ?? {}).every((name) => Object.hasOwn(properties, name));

/** They say nothing of what is valid. */
const annotations = /^(?:title|description|examples?|default|deprecated|externalDocs|xml|x-.*)$/;

/** What both values of a keyword say together; undefined where one value can't say it. */
const mergeKeyword = (keyword: string, one: unknown, other: unknown): unknown => {
  if (!Object.hasOwn(mergedKeywords, keyword) && one !== undefined)
    return annotations.test(keyword) || isSameJson(one, other) ? other : undefined;
  // What these mean depends on the keywords beside them.
  const isPlain = keyword === 'additionalProperties' && other === false;
  if (
    keyword === 'nullable' ||
    (/Properties$|^exclusive/.test(keyword) && !isPlain && typeof other !== 'number')
  )
    return undefined;
  return one === undefined ? other : mergedKeywords[keyword]?.(one, other);
};

const mergedKeywords: Readonly<Record<string, (one: unknown, other: unknown) => unknown>> = {
  properties: (one, other) => mergeFields(jsonFields(one), jsonFields(other)),
  required: (one, other) => [...new Set([one, other].flat())],
  enum: (one, other) =>
    [one].flat().filter((value) => [other].flat().some((same) => isSameJson(value, same))),
  readOnly: (one, other) => one === true || other === true,
  writeOnly: (one, other) => one === true || other === true,
  minimum: (one, other) => Math.max(Number(one), Number(other)),
  minLength: (one, other) => Math.max(Number(one), Number(other)),
  minItems: (one, other) => Math.max(Number(one), Number(other)),
  maximum: (one, other) => Math.min(Number(one), Number(other)),
  maxLength: (one, other) => Math.min(Number(one), Number(other)),
  maxItems: (one, other) => Math.min(Number(one), Number(other)),
};

const mergeFields = (
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined => {
  const merged: Record<string, unknown> = { ...one };
  for (const [name, field] of Object.entries(other)) {
    const before = Object.hasOwn(one, name) ? one[name] : {};
    const both = isObject(before) && isObject(field) ? mergeAll([before, field]) : undefined;
    if (!both) return undefined;
    merged[name] = both;
  }
  return merged;
};

/** One of the schemas that a discriminator chooses from, with what is said of all of them. */
export interface Variant {
  /** The field that chooses it, and its value. */
  readonly field: string;
  readonly value: unknown;
  readonly schema: SchemaModel;
}

/** The variants of a schema with a discriminator; undefined for any other schema, and where one is not plain. */
export const plainVariants = (schema: SchemaModel): readonly Variant[] | undefined => {
  const { field = '', variants } = variantsOf(schema) ?? {};
  if (!variants) return undefined;
  const known = knownVariants.get(schema);
  if (known) return known;
  const { discriminator: _discriminator, oneOf: _oneOf, ...whole } = schema;
  const plain = [...variants].flatMap(([value, variant]): Variant[] => {
    const merged = mergeAll([whole, variant as SchemaModel]);
    return merged && !merged['allOf'] ? [{ field, value, schema: merged }] : [];
  });
  const all = plain.length === variants.size ? plain : undefined;
  if (all) knownVariants.set(schema, all);
  return all;
};

/** A variant is the same object each time, as is its validator. */
const knownVariants = new WeakMap<SchemaModel, readonly Variant[]>();

/** The schema that holds for a value: of several variants the one that it chooses. */
export const schemaChosenBy = (schema: SchemaModel, value: unknown): SchemaModel => {
  const variants = plainVariants(schema) ?? [];
  return variants.find((variant) => jsonFields(value)[variant.field] === variant.value)?.schema ?? schema;
};

/** The fields of an object, those of all its variants among them: the field that chooses one has the values of all. */
export const fieldsOfObject = (schema: SchemaModel): Readonly<Record<string, SchemaModel>> => {
  const variants = plainVariants(schema);
  if (!variants) return schema.properties ?? {};
  const fields = Object.assign({}, ...variants.map((variant) => variant.schema.properties)) as Record<
    string,
    SchemaModel
  >;
  const field = variants[0]?.field ?? '';
  return { ...fields, [field]: { ...fields[field], enum: variants.map(({ value }) => value) } };
};
