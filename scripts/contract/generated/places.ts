import { isObject } from '../document/json.js';
import type { Operation, Schema } from '../document/types.js';
import type { Cell } from '../stage.js';
import { exampleBody, parameterExample, type Sample, type Substitutions } from '../world/sample.js';

/** Somewhere in a request where a value stands. */
export interface Place {
  /** As verdicts and cells name it: `query site_id`, `body qos.down`; `body` for the body as a whole. */
  readonly name: string;
  readonly kind: Cell['kind'];
  readonly in: 'path' | 'query' | 'header' | 'body';
  readonly schema: Schema;
  /** A value that fits: JSON in a body, a plain text elsewhere. */
  readonly example: string;
  /** The sample with another value there, written as in `example`; `undefined` leaves the place out. */
  set(sample: Sample, value: string | undefined): Sample;
}

/** Every place of a request to an operation, in the order of the contract. */
export const placesOf = (operation: Operation, substitutions: Substitutions): Place[] => [
  ...parameterPlaces(operation, substitutions),
  ...bodyPlaces(operation, substitutions),
];

const parameterPlaces = ({ parameters }: Operation, substitutions: Substitutions): Place[] =>
  parameters.flatMap((parameter): Place[] => {
    const { name, in: place, schema } = parameter;
    if (!schema || place === 'cookie') return [];
    const example = parameterExample(parameter, substitutions);
    return [
      {
        name: `${place} ${name}`,
        kind: 'parameter',
        in: place,
        schema,
        example: typeof example === 'string' ? example : JSON.stringify(example),
        set: (sample, value) => withParameter(sample, place, name, value),
      },
    ];
  });

const withParameter = (
  sample: Sample,
  place: 'path' | 'query' | 'header',
  name: string,
  value: string | undefined,
): Sample => {
  const others = (list: Sample['query']): Sample['query'] => {
    const left = list.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
    return value === undefined ? left : [...left, [name, value]];
  };
  switch (place) {
    case 'path':
      return { ...sample, path: { ...sample.path, [name]: value ?? '' } };
    case 'query':
      return { ...sample, query: others(sample.query) };
    case 'header':
      return { ...sample, headers: others(sample.headers) };
  }
};

const bodyPlaces = (operation: Operation, substitutions: Substitutions): Place[] => {
  const { schema } = operation.requestBody ?? {};
  if (!schema) return [];
  const example = exampleBody(operation, substitutions);
  const whole: Place = {
    name: 'body',
    kind: 'field',
    in: 'body',
    schema,
    example: JSON.stringify(example),
    set: (sample, value) => ({ ...sample, body: value }),
  };
  return [whole, ...fieldPlaces(schema, example, [])];
};

const fieldPlaces = (schema: Schema, example: unknown, above: readonly string[]): Place[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = [...above, name];
    const inside = isObject(example) ? example[name] : undefined;
    return [
      {
        name: `body ${path.join('.')}`,
        kind: 'field' as const,
        in: 'body' as const,
        schema: field,
        example: JSON.stringify(inside ?? null),
        set: (sample: Sample, value: string | undefined) => ({
          ...sample,
          body: withField(sample.body ?? '{}', path, value),
        }),
      },
      ...fieldPlaces(field, inside, path),
    ];
  });

/** Stands for a value that no number or text of this language can hold, until the body is written. */
const mark = '\u0000here\u0000';

const withField = (body: string, path: readonly string[], value: string | undefined): string => {
  const whole: unknown = JSON.parse(body);
  const put = (inside: unknown, [name = '', ...rest]: readonly string[]): unknown => {
    const { [name]: old, ...others } = isObject(inside) ? inside : {};
    if (rest.length > 0) return { ...others, [name]: put(old, rest) };
    return value === undefined ? others : { ...others, [name]: mark };
  };
  return JSON.stringify(put(whole, path)).replace(JSON.stringify(mark), () => value ?? '');
};
