import { isObject, mergedSchema, type Parameter, type Schema } from './document.js';
import { defaultStyles } from './parameterStyles.js';

/**
 * How an object is written in a parameter: `filter[a]=1&filter[b]=2`, `a=1&b=2` as parameters of their own,
 * `a=1,b=2` or `a,1,b,2` in one text.
 */
type ObjectForm = 'bracketed' | 'own parameters' | 'assigned' | 'alternating';

/** What a parameter holds, with references that begin again followed. */
export const valueSchema = ({ schema }: Pick<Parameter, 'schema'>): Schema => mergedSchema(schema);

/** `undefined` for a parameter that is no object, or is JSON. */
export const objectFormOf = (parameter: Parameter): ObjectForm | undefined => {
  const { in: place, style = defaultStyles[place], explode } = parameter;
  if (parameter.content || valueSchema(parameter).type !== 'object') return undefined;
  if (style === 'deepObject') return 'bracketed';
  if (style === 'form') return (explode ?? true) ? 'own parameters' : 'alternating';
  return explode === true ? 'assigned' : 'alternating';
};

/** Why an object can't be read in a parameter, and where in its schema; `undefined` where it can. */
export const findObjectFault = (
  parameter: Parameter,
): { readonly what: string; readonly path: readonly string[] } | undefined => {
  const form = objectFormOf(parameter);
  if (form === undefined) return undefined;
  const { style, in: place, explode } = parameter;
  const { properties = {}, additionalProperties, discriminator } = valueSchema(parameter);
  if (place === 'cookie' && form === 'own parameters')
    return { what: 'an object in a cookie needs explode: false', path: [] };
  if (form === 'bracketed' && explode === false)
    return { what: 'style deepObject needs explode: true', path: ['explode'] };
  if (style !== undefined && !['deepObject', 'form', 'simple'].includes(style))
    return { what: `an object can not have the style ${style}`, path: ['style'] };
  if (discriminator)
    return { what: 'a discriminator needs JSON: content instead of schema', path: ['schema'] };
  if (form === 'own parameters' && additionalProperties !== undefined && additionalProperties !== false)
    return {
      what: 'additionalProperties would take all other parameters: write style: deepObject',
      path: ['schema', 'additionalProperties'],
    };
  for (const [name, field] of Object.entries(properties)) {
    const { type, discriminator: nested } = valueSchema({ schema: field });
    const path = ['schema', 'properties', name];
    if (type === 'object' || nested)
      return { what: `${name} is an object in an object: that needs JSON, content instead of schema`, path };
    if (type === 'array' && (form === 'assigned' || form === 'alternating'))
      return { what: `${name} is a list in an object, which only deepObject and explode can write`, path };
  }
  return undefined;
};

type Sent = Readonly<Record<string, unknown>>;

/** What reads an object in a parameter. */
export interface ObjectReader {
  /**
   * Its fields, as texts or lists of texts, among everything
   * that was sent in its place. `undefined` without any.
   */
  readonly pick: (sent: Sent) => unknown;
  /** Does a parameter with this name belong to it? */
  readonly owns: (name: string) => boolean;
}

/** The name of a field between the brackets. */
const innerName = (outer: string, name: string): string | undefined =>
  name.startsWith(`${outer}[`) && name.endsWith(']') ? name.slice(outer.length + 1, -1) : undefined;

/** Own fields only, whatever they are called. */
const objectOf = (fields: readonly (readonly [string | undefined, unknown])[]): Sent | undefined =>
  fields.length > 0 ? (Object.fromEntries(fields) as Sent) : undefined;

/** A parameter that is written as several. */
export const compileObjectReader = (parameter: Parameter): ObjectReader | undefined => {
  const { name: outer } = parameter;
  const { properties = {}, additionalProperties, patternProperties } = valueSchema(parameter);
  const isNamed = (name: string): boolean => Object.hasOwn(properties, name);
  const takesOthers = (additionalProperties ?? false) !== false || patternProperties !== undefined;
  switch (objectFormOf(parameter)) {
    case 'bracketed':
      return {
        pick: (sent) =>
          objectOf(
            Object.entries(sent).flatMap(([name, value]) => {
              const inner = innerName(outer, name);
              return inner === undefined ? [] : [[inner, value]];
            }),
          ),
        owns: (name) => {
          const inner = innerName(outer, name);
          return (
            inner !== undefined && (takesOthers || isNamed(inner) || Object.keys(properties).length === 0)
          );
        },
      };
    case 'own parameters':
      return {
        pick: (sent) => objectOf(Object.entries(sent).filter(([name]) => isNamed(name))),
        owns: isNamed,
      };
    default:
      return undefined;
  }
};

/**
 * The fields of an object in one text, `decode`d one by one;
 * a text that is none stays one, for validation to refuse.
 */
export const compileObjectText = (
  parameter: Parameter,
  decode: (text: string) => string | undefined,
): ((text: string) => unknown) | undefined => {
  const form = objectFormOf(parameter);
  if (form !== 'assigned' && form !== 'alternating') return undefined;
  return (text) => {
    const written = text === '' ? [] : text.split(',');
    const parts = parameter.in === 'header' ? written.map((part) => part.trim()) : written;
    const pairs =
      form === 'assigned'
        ? parts.map((part) => [part.split('=', 1)[0] ?? '', part.slice(part.indexOf('=') + 1)] as const)
        : Array.from({ length: Math.ceil(parts.length / 2) }, (_, index) =>
            parts.slice(index * 2, index * 2 + 2),
          );
    const isComplete =
      form === 'assigned' ? parts.every((part) => part.includes('=')) : parts.length % 2 === 0;
    if (!isComplete) return text;
    const fields = pairs.map(([name = '', value = '']) => [decode(name), decode(value)] as const);
    const names = fields.map(([name]) => name);
    // Twice is no value, as it is in the query.
    if (names.includes(undefined) || new Set(names).size < names.length) return text;
    return objectOf(fields) ?? {};
  };
};

/** A list has all values that were sent, also when there is just one. */
export const withLists = (schema: Schema): ((value: unknown) => unknown) => {
  const { properties = {}, additionalProperties } = schema;
  const isList = (field: unknown): boolean =>
    isObject(field) && valueSchema({ schema: field }).type === 'array';
  const lists = new Set(Object.keys(properties).filter((name) => isList(properties[name])));
  const othersAreLists = isList(additionalProperties);
  return (value) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, field]) => [
            name,
            lists.has(name) || (othersAreLists && !Object.hasOwn(properties, name)) ? [field].flat() : field,
          ]),
        )
      : value;
};
