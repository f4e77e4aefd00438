import { sample as sampleSchema } from 'openapi-sampler';
import { isObject } from '../../../../src/contract/document.js';
import type { Example } from '../document/examples.js';
import { takesFields, type OperationModel, type ParameterModel } from '../document/operations.js';
import type { SchemaModel } from '../document/schemaModel.js';
import { schemaChosenBy } from '../document/plainSchema.js';
import type { HttpRequest } from '../request.js';
import { sentBody } from './formBody.js';
import { parameterTexts } from './parameterTexts.js';

/** The parts of a request that an operation reads, before a key is added. */
export interface Sample {
  /** The values of the path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** Names and values, not encoded; a name may occur more than once. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The text of the body, of a form its fields as JSON; undefined for no body. */
  readonly body?: string | undefined;
  /** Is an answer that is a stream of events read to its end? */
  readonly isWhole?: boolean;
}

/** Values that replace those of the contract's examples, by field or parameter name; in `/sites/{id}` that is `sites.id`. */
export type Substitutions = Readonly<Record<string, unknown>>;

/** The request that the contract shows: required parameters and the example of the body. */
export const exampleSample = (operation: OperationModel, substitutions: Substitutions): Sample => {
  const required = (place: ParameterModel['in']): [string, string][] =>
    operation.parameters
      .filter((parameter) => parameter.in === place && parameter.required)
      .flatMap((parameter) =>
        parameterTexts(parameter.written, parameterExample(operation, parameter, substitutions)),
      );
  const body = exampleBody(operation, substitutions);
  return {
    path: Object.fromEntries(required('path')),
    query: required('query'),
    headers: required('header'),
    ...(body !== undefined && { body: bodyText(operation, body) }),
  };
};

/** The same with only the required fields of the body, so that what a test adds stands out. */
export const leanSample = (operation: OperationModel, substitutions: Substitutions): Sample => {
  const sample = exampleSample(operation, substitutions);
  const body = exampleBody(operation, substitutions);
  if (!isObject(body)) return sample;
  const { required = [] } = schemaChosenBy(operation.requestBody?.schema ?? {}, body);
  const requiredFields = Object.entries(body).filter(([name]) => required.includes(name));
  return { ...sample, body: JSON.stringify(Object.fromEntries(requiredFields)) };
};

/** The example of a parameter, or a value that fits its schema. */
export const parameterExample = (
  operation: Pick<OperationModel, 'path'>,
  parameter: ParameterModel,
  substitutions: Substitutions,
): unknown => {
  const example = parameter.examples[0]?.value ?? valueFor(parameter.schema);
  return substituted(substitutionName(operation, parameter), example, substitutions);
};

/** What `{id}` means depends on what stands before it in the path. */
export const substitutionName = (
  { path }: Pick<OperationModel, 'path'>,
  { name, in: place }: Pick<Example, 'name' | 'in'>,
): string => {
  const segments = path.split('/');
  const resource = segments[segments.indexOf(`{${name}}`) - 1];
  return place === 'path' && resource ? `${resource}.${name}` : name;
};

/** The example of the body, or a value that fits its schema; undefined for an operation without a body. */
export const exampleBody = ({ requestBody }: OperationModel, substitutions: Substitutions): unknown => {
  if (!requestBody) return undefined;
  const [first] = requestBody.examples;
  return substituted('', first?.value ?? valueFor(requestBody.schema), substitutions);
};

/** A parameter, or a body and its fields, with the values of the target: those of the contract are of other places. */
export const substituted = (name: string, value: unknown, substitutions: Substitutions): unknown => {
  if (Object.hasOwn(substitutions, name)) return substitutions[name];
  if (!isObject(value)) return value;
  return {
    ...value,
    ...Object.fromEntries(Object.entries(substitutions).filter(([field]) => field in value)),
  };
};

/** Some value that fits a schema. */
export const valueFor = (schema: SchemaModel = {}): unknown =>
  schema.default ??
  sampleSchema(schema as object, {
    skipNonRequired: true,
    quiet: true,
  });

/** The sample with a value in the place of an example. */
export const withExample = (
  operation: OperationModel,
  sample: Sample,
  { kind, name, in: place }: Example,
  value: unknown,
): Sample => {
  if (kind === 'request') return { ...sample, body: bodyText(operation, value) };
  const parameter = operation.parameters.find((one) => one.in === place && one.name === name);
  const pairs = parameter ? parameterTexts(parameter.written, value) : [[name, textOf(value)] as const];
  const replaced = new Set([name, ...pairs.map(([given]) => given)]);
  const others = (sent: Sample['query']): Sample['query'] => sent.filter(([given]) => !replaced.has(given));
  switch (place) {
    case 'path':
      return { ...sample, path: { ...sample.path, [name]: pairs[0]?.[1] ?? '' } };
    case 'header':
      return { ...sample, headers: [...others(sample.headers), ...pairs] };
    default:
      return { ...sample, query: [...others(sample.query), ...pairs] };
  }
};

/** The sample as a request, still without a key. */
export const requestOf = (operation: OperationModel, sample: Sample): HttpRequest => {
  const { method, path } = operation;
  const filled = path.replace(/\{([^{}]+)\}/g, (_, name: string) => encode(sample.path[name] ?? ''));
  const query = sample.query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const sent = sentBody(operation, sample);
  return {
    method,
    requestTarget: query === '' ? filled : `${filled}?${query}`,
    headers: [...(sent ? [['Content-Type', sent.mediaType] as const] : []), ...sample.headers],
    body: sent?.body,
    ...(sample.isWhole && { isWhole: true }),
  };
};

const bodyText = ({ requestBody }: OperationModel, value: unknown): string =>
  requestBody && takesFields(requestBody) ? JSON.stringify(value) : textOf(value);

/** Unpaired surrogates cannot be encoded, so no client could send them. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
