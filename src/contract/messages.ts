import type { ErrorObject } from 'ajv';
import type { Parameter, Schema } from './document.js';

/** Chooses what a client reads when a request fails validation. */
export type FieldMessage = (errors: readonly ErrorObject[]) => string;

interface Field {
  readonly path: string;
  readonly text: (keyword: string) => string;
}

const textOf = (name: string, { 'x-message': message }: Schema): Field['text'] => {
  if (typeof message === 'string') return () => message;
  return (keyword) => message?.[keyword] ?? message?.['otherwise'] ?? `${name} ungültig`;
};

const fieldsOf = (schema: Schema, path: string): Field[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    { path: `${path}/${name}`, text: textOf(name, field) },
    ...fieldsOf(field, `${path}/${name}`),
  ]);

/** Fields in the contract's order: query, then body, then headers, because the specification starts with the content. */
export const compileMessages = (parameters: readonly Parameter[], body: Schema | undefined): FieldMessage => {
  const parameterFields = (place: Parameter['in']): Field[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema }) => ({
        path: `/${place}/${place === 'header' ? name.toLowerCase() : name}`,
        text: textOf(name, schema),
      }));
  const fields = [
    ...parameterFields('path'),
    ...parameterFields('query'),
    ...(body ? fieldsOf(body, '/requestBody') : []),
    ...parameterFields('header'),
  ];
  return (errors) => {
    const places = errors.map((error) => ({ path: placeOf(error), keyword: error.keyword }));
    for (const field of fields) {
      const error = places.find(({ path }) => path === field.path);
      if (error) return field.text(error.keyword);
    }
    return 'Anfrage ungültig';
  };
};

const placeOf = ({ instancePath, keyword, params }: ErrorObject): string =>
  keyword === 'required' ? `${instancePath}/${String(params['missingProperty'])}` : instancePath;
