import { isJson } from '../document/json.js';
import type { OperationModel, ParameterModel, SchemaModel } from '../document/types.js';
import type { HttpRequest } from '../request.js';

/** The parts of a request that an operation reads, before a key is added. */
export interface Sample {
  /** The values of the path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** Names and values, not encoded; a name may occur more than once. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The text of the body; undefined for no body. */
  readonly body?: string | undefined;
}

/** Values that replace those of the contract's examples, by field or parameter name. */
export type Substitutions = Readonly<Record<string, unknown>>;

/** The request that the contract shows: required parameters and the example of the body. */
export const exampleSample = (operation: OperationModel, substitutions: Substitutions): Sample => {
  const required = (place: ParameterModel['in']): [string, string][] =>
    operation.parameters
      .filter((parameter) => parameter.in === place && parameter.required)
      .map((parameter) => [parameter.name, textOf(parameterExample(parameter, substitutions))]);
  const body = exampleBody(operation, substitutions);
  return {
    path: Object.fromEntries(required('path')),
    query: required('query'),
    headers: required('header'),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
};

/** The same with only the required fields of the body, so that what a test adds stands out. */
export const leanSample = (operation: OperationModel, substitutions: Substitutions): Sample => {
  const sample = exampleSample(operation, substitutions);
  const body = exampleBody(operation, substitutions);
  if (!isJson(body)) return sample;
  const required = operation.requestBody?.schema?.required ?? [];
  const requiredFields = Object.entries(body).filter(([name]) => required.includes(name));
  return { ...sample, body: JSON.stringify(Object.fromEntries(requiredFields)) };
};

/** The example of a parameter, or a value that fits its schema. */
export const parameterExample = (
  { name, examples: [first], schema }: ParameterModel,
  substitutions: Substitutions,
): unknown => (Object.hasOwn(substitutions, name) ? substitutions[name] : (first?.value ?? valueFor(schema)));

/** The example of the body, or a value that fits its schema; undefined for an operation without a body. */
export const exampleBody = ({ requestBody }: OperationModel, substitutions: Substitutions): unknown => {
  if (!requestBody) return undefined;
  const [first] = requestBody.examples;
  const example: unknown = first?.value ?? valueFor(requestBody.schema);
  if (!isJson(example)) return example;
  const names = Object.keys(example).filter((name) => Object.hasOwn(substitutions, name));
  return { ...example, ...Object.fromEntries(names.map((name) => [name, substitutions[name]])) };
};

/** Some value that fits a schema. */
export const valueFor = (schema: SchemaModel | undefined): unknown => {
  const { type, example, default: standard, enum: [first] = [] } = schema ?? {};
  const known = example ?? standard ?? first;
  if (known !== undefined) return known;
  switch (type) {
    case 'integer':
    case 'number':
      return schema?.minimum ?? Math.min(1, schema?.maximum ?? 1);
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: schema?.minItems ?? 0 }, () => valueFor(schema?.items));
    case 'object':
      return Object.fromEntries(
        (schema?.required ?? []).map((name) => [name, valueFor(schema?.properties?.[name])]),
      );
    default:
      return 'x'.repeat(schema?.minLength ?? 1);
  }
};

/** The sample as a request, still without a key. */
export const requestOf = ({ method, path, requestBody }: OperationModel, sample: Sample): HttpRequest => {
  const filled = path.replace(/\{([^{}]+)\}/g, (_, name: string) => encode(sample.path[name] ?? ''));
  const query = sample.query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const type =
    sample.body === undefined
      ? []
      : [['Content-Type', requestBody?.mediaType ?? 'application/json'] as const];
  return {
    method,
    requestTarget: query === '' ? filled : `${filled}?${query}`,
    headers: [...type, ...sample.headers],
    body: sample.body,
  };
};

/** JSON padded with blanks to this many bytes. */
export const paddedTo = (bytes: number, json: string): string =>
  json + ' '.repeat(Math.max(0, bytes - Buffer.byteLength(json)));

/** Unpaired surrogates cannot be encoded, so no client could send them. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
