import type { ErrorObject } from 'ajv';
import { toPointerSegment } from '../lib/jsonPointer.js';
import { fillTemplate } from '../lib/textTemplate.js';
import { mergeAllOf, recursionTarget, type Parameter, type Schema } from './document.js';

/** Chooses what a client reads when a request fails validation. */
export type FieldMessage = (errors: readonly ErrorObject[]) => string;

interface Field {
  readonly path: string;
  readonly text: (keyword: string) => string;
}

/** For fields without a message of their own, and for requests whose fault is in no field. */
export interface FallbackMessages {
  /** Has the name of the field in it. */
  readonly field: string;
  /** The same for one that only responses have. */
  readonly readOnly: string;
  readonly request: string;
}

const textOf = (name: string, schema: Schema, fallback: FallbackMessages): Field['text'] => {
  const { 'x-message': message } = mergeAllOf(recursionTarget(schema) ?? schema);
  if (typeof message === 'string') return () => message;
  return (keyword) =>
    message?.[keyword] ??
    message?.['otherwise'] ??
    fillTemplate(keyword === 'readOnly' ? fallback.readOnly : fallback.field, { field: name });
};

/** Where a schema begins again, and where it began: its fields have the same messages there. */
interface Repetition {
  readonly at: readonly string[];
  readonly start: readonly string[];
}

/** The schemas around one, with their paths, and what was found to begin again. */
interface Surroundings {
  readonly above: ReadonlyMap<Schema, string>;
  readonly repetitions: Repetition[];
}

/** The fields of a schema, those of lists under `*`. An item is a field where it has a message of its own. */
const fieldsOf = (
  written: Schema,
  path: string,
  fallback: FallbackMessages,
  { above, repetitions }: Surroundings,
): Field[] => {
  const target = recursionTarget(written);
  const start = target && above.get(target);
  if (start !== undefined) repetitions.push({ at: path.split('/'), start: start.split('/') });
  if (start !== undefined) return [];
  const schema = target ?? written;
  const parts = [schema, ...(schema.allOf ?? []).map((part) => recursionTarget(part) ?? part)];
  const around = { above: new Map([...above, ...parts.map((part) => [part, path] as const)]), repetitions };
  const { properties = {}, items } = mergeAllOf(schema);
  return [
    ...Object.entries(properties).flatMap(([name, field]) => {
      const place = `${path}/${toPointerSegment(name)}`;
      return [
        { path: place, text: textOf(name, field, fallback) },
        ...fieldsOf(field, place, fallback, around),
      ];
    }),
    ...(items && mergeAllOf(recursionTarget(items) ?? items)['x-message'] !== undefined
      ? [{ path: `${path}/*`, text: textOf('', items, fallback) }]
      : []),
    ...(items ? fieldsOf(items, `${path}/*`, fallback, around) : []),
  ];
};

/**
 * Fields in the contract's order: path, query, body, then headers and cookies, because the specification starts with the
 * content.
 */
export const compileMessages = (
  parameters: readonly Parameter[],
  body: Schema | undefined,
  fallback: FallbackMessages,
): FieldMessage => {
  const parameterFields = (place: Parameter['in']): Field[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema }) => ({
        path: `/${place}/${toPointerSegment(place === 'header' ? name.toLowerCase() : name)}`,
        text: textOf(name, schema, fallback),
      }));
  const repetitions: Repetition[] = [];
  const fields = [
    ...parameterFields('path'),
    ...parameterFields('query'),
    ...(body ? fieldsOf(body, '/requestBody', fallback, { above: new Map(), repetitions }) : []),
    ...parameterFields('header'),
    ...parameterFields('cookie'),
  ];
  const ranks = new Map(fields.map(({ path }, rank) => [path, rank]));
  const depth = Math.max(0, ...fields.map(({ path }) => path.split('/').length));
  /** The innermost field that a place belongs to: an item of a list, or a part of a free value, is its field's. */
  const rankOf = (place: string): number | undefined => {
    const parts = withoutRepetitions(place.split('/'), repetitions).slice(0, depth);
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
    return fields[first.rank]?.text(first.keyword) ?? fallback.request;
  };
};

/** The same place in the schema's first occurrence. */
const withoutRepetitions = (
  place: readonly string[],
  repetitions: readonly Repetition[],
): readonly string[] => {
  const found = repetitions.find(
    ({ at }) =>
      place.length > at.length &&
      at.every((part, index) => part === place[index] || (part === '*' && /^\d+$/.test(place[index] ?? ''))),
  );
  if (!found) return place;
  return withoutRepetitions([...found.start, ...place.slice(found.at.length)], repetitions);
};

const placeOf = ({ instancePath, keyword, params }: ErrorObject): string =>
  keyword === 'required' || keyword === 'dependentRequired'
    ? `${instancePath}/${toPointerSegment(String(params['missingProperty']))}`
    : instancePath;
