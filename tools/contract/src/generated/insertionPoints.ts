import { isObject } from '../../../../src/contract/document.js';
import { takesFields, type OperationModel, type ParameterModel } from '../document/operations.js';
import type { SchemaModel } from '../document/schemaModel.js';
import type { Cell } from '../coverage/cells.js';
import { plainVariants, schemaChosenBy } from '../document/plainSchema.js';
import { jsonFields, jsonList, jsonOf } from '../json.js';
import {
  exampleBody,
  parameterExample,
  valueFor,
  type Sample,
  type Substitutions,
} from '../target/sample.js';

/** Somewhere in a request where a value stands. */
export interface InsertionPoint {
  /** As verdicts and cells name it: `query site_id`, `body qos.down`; `body` for the body as a whole. */
  readonly name: string;
  readonly kind: Cell['kind'];
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body';
  readonly schema: SchemaModel;
  /** A value that fits: JSON in a body, a plain text elsewhere. */
  readonly example: string;
  /** The value of a discriminator that chooses what has this field; undefined where the example has it. */
  readonly variant?: unknown;
  /** Does its schema stand at an earlier point of the request, too, as a text does that is there in each language? */
  readonly isRepeated?: boolean;
  /** The sample with another value there, written as in `example`; `undefined` leaves the point out. */
  set(sample: Sample, value: string | undefined): Sample;
}

/** Can the point have this value, or be left out? Without a value, or with dots, a path would be another one. */
export const canHave = ({ in: place }: InsertionPoint, value: string | undefined): boolean =>
  place !== 'path' || !['', '.', '..', undefined].includes(value);

/** Every point of a request to an operation, in the order of the contract. */
export const insertionPoints = (
  operation: OperationModel,
  substitutions: Substitutions,
): InsertionPoint[] => {
  const seen = new Set<SchemaModel>();
  const points = [...parameterPoints(operation, substitutions), ...bodyPoints(operation, substitutions)];
  return points.map((point) => {
    const isRepeated = seen.has(point.schema);
    seen.add(point.schema);
    return { ...point, isRepeated };
  });
};

const parameterPoints = (
  { path, parameters }: OperationModel,
  substitutions: Substitutions,
): InsertionPoint[] =>
  parameters.flatMap((parameter): InsertionPoint[] => {
    const { name, in: point, schema } = parameter;
    // How an object is written in a parameter is not for one text to say.
    if (!schema || schema.type === 'object' || parameter.written.content) return [];
    const example = parameterExample({ path }, parameter, substitutions);
    return [
      {
        name: `${point} ${name}`,
        kind: 'parameter',
        in: point,
        schema,
        example: typeof example === 'string' ? example : JSON.stringify(example),
        set: (sample, value) => withParameter(sample, point, name, value),
      },
    ];
  });

const withParameter = (
  sample: Sample,
  point: ParameterModel['in'],
  name: string,
  value: string | undefined,
): Sample => {
  const others = (list: Sample['query']): Sample['query'] => {
    const left = list.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
    return value === undefined ? left : [...left, [name, value]];
  };
  switch (point) {
    case 'path':
      return { ...sample, path: { ...sample.path, [name]: value ?? '' } };
    case 'query':
      return { ...sample, query: others(sample.query) };
    case 'header':
      return { ...sample, headers: others(sample.headers) };
    case 'cookie': {
      const left = sample.headers.filter(([given]) => given !== 'Cookie');
      const cookie = ['Cookie', `${name}=${encodeURIComponent((value ?? '').toWellFormed())}`] as const;
      return { ...sample, headers: value === undefined ? left : [...left, cookie] };
    }
  }
};

const bodyPoints = (operation: OperationModel, substitutions: Substitutions): InsertionPoint[] => {
  const { requestBody } = operation;
  if (!requestBody?.schema || !takesFields(requestBody)) return [];
  const { schema } = requestBody;
  const example = exampleBody(operation, substitutions);
  const whole: InsertionPoint = {
    name: 'body',
    kind: 'field',
    in: 'body',
    schema,
    example: JSON.stringify(example),
    set: (sample, value) => ({ ...sample, body: value }),
  };
  return [whole, ...fieldPoints(schemaChosenBy(schema, example), example, []), ...variantPoints(operation)];
};

/** The fields that the example does not have, because its discriminator chooses another variant. */
const variantPoints = ({ requestBody }: OperationModel): InsertionPoint[] => {
  if (!requestBody?.schema) return [];
  const { schema, examples } = requestBody;
  const [first] = examples;
  const shown = schemaChosenBy(schema, first?.value ?? valueFor(schema));
  const known = new Set(Object.keys(shown.properties ?? {}));
  return (plainVariants(schema) ?? []).flatMap((variant) => {
    if (variant.schema === shown) return [];
    const isChosen = (value: unknown): boolean => jsonFields(value)[variant.field] === variant.value;
    const written = examples.find(({ value }) => isChosen(value));
    const example = written?.value ?? {
      ...jsonFields(valueFor(variant.schema)),
      [variant.field]: variant.value,
    };
    const points = fieldPoints(variant.schema, example, []).filter(({ name }) => !known.has(fieldIn(name)));
    for (const { name } of points) known.add(fieldIn(name));
    const bodyOf = ({ body }: Sample): string | undefined =>
      isChosen(jsonOf(body)) ? body : JSON.stringify(example);
    return points.map((point) => ({
      ...point,
      variant: variant.value,
      set: (sample: Sample, value: string | undefined) =>
        point.set({ ...sample, body: bodyOf(sample) }, value),
    }));
  });
};

/** `body stack.layers` → `stack` */
const fieldIn = (name: string): string => name.replace(/^body |[.[].*$/g, '');

/** Of a list, the fields of its first element. */
const fieldPoints = (schema: SchemaModel, example: unknown, above: readonly string[]): InsertionPoint[] => {
  if (schema.items) {
    const [first] = jsonList(example);
    return fieldPoints(schemaChosenBy(schema.items, first), first, [...above, '0']);
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = [...above, name];
    const fixture = isObject(example) ? example[name] : undefined;
    return [
      {
        name: `body ${path.join('.').replaceAll(/(?:^|\.)0(?=\.)/g, '[]')}`,
        kind: 'field' as const,
        in: 'body' as const,
        schema: field,
        example: JSON.stringify(fixture ?? null),
        set: (sample: Sample, value: string | undefined) => ({
          ...sample,
          body: withField(sample.body ?? '{}', path, value),
        }),
      },
      ...fieldPoints(schemaChosenBy(field, fixture), fixture, path),
    ];
  });
};

/** Stands for a value that no number or text of this language can hold, until the body is written. */
const mark = '\u0000here\u0000';

/** The body with another value of a field, as JSON. */
export const withField = (body: string, path: readonly string[], value: string | undefined): string => {
  const whole: unknown = JSON.parse(body);
  const put = (fixture: unknown, [name = '', ...rest]: readonly string[]): unknown => {
    if (name === '0') return [put(jsonList(fixture)[0], rest), ...jsonList(fixture).slice(1)];
    const { [name]: old, ...others } = isObject(fixture) ? fixture : {};
    // What is absent has no fields to leave out.
    if (rest.length > 0 && old === undefined && value === undefined) return fixture;
    if (rest.length > 0) return { ...others, [name]: put(old, rest) };
    return value === undefined ? others : { ...others, [name]: mark };
  };
  return JSON.stringify(put(whole, path)).replace(JSON.stringify(mark), () => value ?? '');
};
