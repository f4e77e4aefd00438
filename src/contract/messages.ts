import type { ErrorObject } from 'ajv';
import { mergeAllOf, type Parameter, type Schema } from './document.js';

/** Chooses what a client reads when a request fails validation. */
export type FieldMessage = (errors: readonly ErrorObject[]) => string;

interface Field {
  readonly path: string;
  readonly text: (keyword: string) => string;
}

const textOf = (name: string, schema: Schema, fallback: string | undefined): Field['text'] => {
  const { 'x-message': message } = mergeAllOf(schema);
  if (typeof message === 'string') return () => message;
  return (keyword) => message?.[keyword] ?? message?.['otherwise'] ?? fallback ?? `${name} ungültig`;
};

/** The fields of a schema, those of lists under `*`. An item is a field where it has a message of its own. */
const fieldsOf = (schema: Schema, path: string, fallback: string | undefined): Field[] => {
  const { properties = {}, items } = mergeAllOf(schema);
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      { path: `${path}/${name}`, text: textOf(name, field, fallback) },
      ...fieldsOf(field, `${path}/${name}`, fallback),
    ]),
    ...(items && mergeAllOf(items)['x-message'] !== undefined
      ? [{ path: `${path}/*`, text: textOf('', items, fallback) }]
      : []),
    ...(items ? fieldsOf(items, `${path}/*`, fallback) : []),
  ];
};

/**
 * Fields in the contract's order: path, query, body, then headers and cookies, because the specification starts with the
 * content. `fallback` is for fields without a message of their own.
 */
export const compileMessages = (
  parameters: readonly Parameter[],
  body: Schema | undefined,
  fallback?: string,
): FieldMessage => {
  const parameterFields = (place: Parameter['in']): Field[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema }) => ({
        path: `/${place}/${place === 'header' ? name.toLowerCase() : name}`,
        text: textOf(name, schema, fallback),
      }));
  const fields = [
    ...parameterFields('path'),
    ...parameterFields('query'),
    ...(body ? fieldsOf(body, '/requestBody', fallback) : []),
    ...parameterFields('header'),
    ...parameterFields('cookie'),
  ];
  const ranks = new Map(fields.map(({ path }, rank) => [path, rank]));
  const depth = Math.max(0, ...fields.map(({ path }) => path.split('/').length));
  /** The innermost field that a place belongs to: an item of a list, or a part of a free value, is its field's. */
  const rankOf = (place: string): number | undefined => {
    const parts = place.split('/', depth);
    // A field of an item is the same field in every item.
    const inItems = parts.map((part) => (/^\d+$/.test(part) ? '*' : part));
    for (let length = parts.length; length > 0; length -= 1) {
      const rank =
        ranks.get(parts.slice(0, length).join('/')) ?? ranks.get(inItems.slice(0, length).join('/'));
      if (rank !== undefined) return rank;
    }
    return undefined;
  };
  return (errors) => {
    let first = { rank: fields.length, keyword: '' };
    for (const error of errors) {
      const rank = rankOf(placeOf(error));
      if (rank !== undefined && rank < first.rank) first = { rank, keyword: error.keyword };
    }
    return fields[first.rank]?.text(first.keyword) ?? fallback ?? 'Anfrage ungültig';
  };
};

const placeOf = ({ instancePath, keyword, params }: ErrorObject): string =>
  keyword === 'required' || keyword === 'dependentRequired'
    ? `${instancePath}/${String(params['missingProperty'])}`
    : instancePath;
