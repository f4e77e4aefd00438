import type { ErrorObject } from 'ajv';
import { fromPointerSegment } from '../lib/jsonPointer.js';
import { fillTemplate } from '../lib/textTemplate.js';
import { variantsOf } from './dialects/discriminators.js';
import { objectFormOf } from './objectParameters.js';
import { isObject, mergedSchema, type Parameter, type Schema } from './document.js';

/** Chooses what a client reads when a request with this body fails validation. */
export type FieldMessage = (errors: readonly ErrorObject[], body?: unknown) => string;

type Text = (keyword: string) => string;

/** A value that an error may be in. */
interface Field {
  /** Without one, what it is in decides. */
  readonly text: Text | undefined;
  /** What is in a value of it, by name, in the contract's order; items of lists as `*`. */
  readonly inside: (value: unknown) => ReadonlyMap<string, Field>;
}

/** For fields without a message of their own, and for requests whose fault is in no field. */
export interface FallbackMessages {
  /** Has the name of the field in it. */
  readonly field: string;
  /** The same for one that only responses have. */
  readonly readOnly: string;
  readonly request: string;
}

const textOf = (name: string, schema: Schema, fallback: FallbackMessages): Text => {
  const { 'x-message': message } = mergedSchema(schema);
  if (typeof message === 'string') return () => message;
  return (keyword) =>
    message?.[keyword] ??
    message?.['otherwise'] ??
    fillTemplate(keyword === 'readOnly' ? fallback.readOnly : fallback.field, { field: name });
};

const noFields: ReadonlyMap<string, Field> = new Map();

/** Looks into a schema when an error is in it: one that leads back to itself has no end. */
const fieldOf = (
  written: Schema,
  text: Text | undefined,
  fallback: FallbackMessages,
  nameOf?: NameInside,
): Field => {
  let found: Field['inside'] | undefined;
  return { text, inside: (value) => (found ??= fieldsOf(written, fallback, nameOf))(value) };
};

/** What a client calls a field of a value. */
type NameInside = (name: string) => string;

const fieldsOf = (
  written: Schema,
  fallback: FallbackMessages,
  nameOf: NameInside = (name) => name,
): Field['inside'] => {
  const schema = mergedSchema(written);
  const { properties = {}, items } = schema;
  const own = Object.entries(properties).map(([name, field]): [string, Field] => [
    name,
    fieldOf(field, textOf(nameOf(name), field, fallback), fallback),
  ]);
  if (items) {
    // An item is a field where it has a message of its own.
    const { 'x-message': message } = mergedSchema(items);
    own.push([
      '*',
      fieldOf(items, message === undefined ? undefined : textOf('', items, fallback), fallback),
    ]);
  }
  const chosen = variantsOf(schema);
  if (!chosen) {
    const fields = new Map(own);
    return () => fields;
  }
  const { field, variants } = chosen;
  const choosing = [...variants.values()].flatMap(({ properties: { [field]: one } = {} }) => one ?? []);
  const worded = choosing.find((one) => one['x-message'] !== undefined) ?? {};
  const common = new Map([[field, fieldOf({}, textOf(field, worded, fallback), fallback)], ...own]);
  const byValue = new Map(
    [...variants].map(([value, variant]) => [value, fieldOf(variant, undefined, fallback)]),
  );
  return (value) => {
    const variant = isObject(value) && Object.hasOwn(value, field) ? byValue.get(value[field]) : undefined;
    return variant ? new Map([...own, ...variant.inside(value)]) : common;
  };
};

const inBrackets =
  (outer: string): NameInside =>
  (name) =>
    `${outer}[${name}]`;

/** A field in which an error is: where it stands in the contract's order, level by level. */
interface Found {
  readonly ranks: readonly number[];
  readonly text: Text;
}

/**
 * The innermost field that a place belongs to: an item of a list, or a part of a free value, is its field's.
 */
const findField = (top: Field, place: readonly string[], request: unknown): Found | undefined => {
  let [field, value, ranks, found]: [Field, unknown, number[], Found | undefined] = [
    top,
    request,
    [],
    undefined,
  ];
  for (const name of place) {
    const inside = field.inside(value);
    const key = !inside.has(name) && /^\d+$/.test(name) ? '*' : name;
    const next = inside.get(key);
    if (!next) break;
    ranks = [...ranks, [...inside.keys()].indexOf(key)];
    field = next;
    value = isContainer(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    if (field.text) found = { ranks, text: field.text };
  }
  return found;
};

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isBefore = (one: readonly number[], other: readonly number[]): boolean => {
  const differs = one.findIndex((rank, level) => rank !== other[level]);
  return differs < 0 ? one.length < other.length : (one[differs] ?? 0) < (other[differs] ?? -1);
};

/**
 * Fields in the contract's order: path, query, body, then headers and cookies,
 * because a client thinks of the content first.
 */
export const compileMessages = (
  parameters: readonly Parameter[],
  body: Schema | undefined,
  fallback: FallbackMessages,
): FieldMessage => {
  const parametersIn = (place: Parameter['in']): [string, Field] => {
    const found = parameters.filter((parameter) => parameter.in === place);
    const fields = new Map(
      found.map((parameter): [string, Field] => {
        const { name, schema } = parameter;
        const nameInside = objectFormOf(parameter) === 'bracketed' ? inBrackets(name) : undefined;
        return [
          place === 'header' ? name.toLowerCase() : name,
          fieldOf(schema, textOf(name, schema, fallback), fallback, nameInside),
        ];
      }),
    );
    return [place, { text: undefined, inside: () => fields }];
  };
  const places = new Map([
    parametersIn('path'),
    parametersIn('query'),
    ['requestBody', body ? fieldOf(body, undefined, fallback) : { text: undefined, inside: () => noFields }],
    parametersIn('header'),
    parametersIn('cookie'),
  ]);
  const request: Field = { text: undefined, inside: () => places };
  return (errors, sent) => {
    let first: (Found & { readonly keyword: string }) | undefined;
    for (const error of errors) {
      const found = findField(request, placeOf(error), { requestBody: sent });
      if (found && (!first || isBefore(found.ranks, first.ranks)))
        first = { ...found, keyword: error.keyword };
    }
    return first?.text(first.keyword) ?? fallback.request;
  };
};

const placeOf = ({ instancePath, keyword, params }: ErrorObject): string[] => {
  const inside: unknown =
    keyword === 'discriminator'
      ? params['tag']
      : keyword === 'required' || keyword === 'dependentRequired'
        ? params['missingProperty']
        : undefined;
  const place = instancePath.split('/').slice(1).map(fromPointerSegment);
  return typeof inside === 'string' ? [...place, inside] : place;
};
