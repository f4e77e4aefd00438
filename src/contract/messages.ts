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

/** The fields of a schema, those of lists under `*`. */
const fieldsOf = (schema: Schema, path: string, fallback: string | undefined): Field[] => {
  const { properties = {}, items } = mergeAllOf(schema);
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      { path: `${path}/${name}`, text: textOf(name, field, fallback) },
      ...fieldsOf(field, `${path}/${name}`, fallback),
    ]),
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
  return (errors) => {
    const places = errors.map((error) => ({ path: placeOf(error), keyword: error.keyword }));
    for (const field of fields) {
      const error = places.find(({ path }) => path === field.path || inItems(path) === field.path);
      if (error) return field.text(error.keyword);
    }
    // Deeper inside: an item of a list, or a part of a value whose own message stands further out.
    const [first] = places;
    const inside = first && fields.filter(({ path }) => isInside(first.path, path)).at(-1);
    return inside ? inside.text(first.keyword) : (fallback ?? 'Anfrage ungültig');
  };
};

/** A field of an item is the same field in every item. */
const inItems = (path: string): string => path.replaceAll(/\/\d+(?=\/)/g, '/*');

const isInside = (path: string, field: string): boolean => {
  const [parts, wanted] = [path.split('/'), field.split('/')];
  return wanted.every(
    (part, index) => part === parts[index] || (part === '*' && /^\d+$/.test(parts[index] ?? '')),
  );
};

const placeOf = ({ instancePath, keyword, params }: ErrorObject): string =>
  keyword === 'required' ? `${instancePath}/${String(params['missingProperty'])}` : instancePath;
