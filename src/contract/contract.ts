import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import dereferencing from 'dereference-json-schema';
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { compileConversion, type Conversion } from './convert.js';
import { compileMessages, type FieldMessage } from './messages.js';
import { isObject, type Schema } from './schema.js';

export interface Parameter {
  name: string;
  in: 'query' | 'header' | 'path' | 'cookie';
  required?: boolean;
  schema: Schema;
  'x-described'?: boolean;
}

interface Response {
  description: string;
  content?: Record<string, { schema?: Schema }>;
  'x-error'?: string;
  'x-message'?: string;
}

interface OperationObject {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  responses: Record<string, Response>;
  'x-scope': string;
  'x-described'?: number[];
}

export interface ContractDocument {
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, OperationObject>>;
}

/** Error code → the status and the text that the contract gives it. */
export type Problems = ReadonlyMap<string, { readonly status: number; readonly text: string }>;

/** One operation with all that a request needs of it, worked out when the contract is loaded. */
export interface Operation {
  readonly id: string;
  readonly scope: string;
  readonly hasBody: boolean;
  readonly statuses: ReadonlySet<number>;
  readonly problems: Problems;
  readonly query: readonly (readonly [string, Conversion])[];
  /** The names of header parameters, as written and as node:http has them. */
  readonly headers: readonly (readonly [string, string])[];
  /** Is there anything that validation could refuse? */
  readonly canFail: boolean;
  readonly body: Conversion;
  readonly messageFor: FieldMessage;
}

/** The contract as it is used at run time. */
export interface Contract {
  /** The file as the designer wrote it. */
  readonly source: string;
  /** Where in `source` the address of the first server stands. */
  readonly serverUrl: readonly [start: number, end: number];
  /** As written, with its references. */
  readonly document: ContractDocument;
  /** With every reference replaced by what it refers to. */
  readonly resolved: ContractDocument;
  readonly operations: ReadonlyMap<string, Operation>;
}

/** A contract that can't be used; the message names the place. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

const scopes = ['read', 'write'];
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Reads and compiles a contract. */
export const loadContract = (file: string): Contract => parseContract(readFileSync(file, 'utf8'), file);

export const parseContract = (source: string, file = 'openapi.yaml'): Contract => {
  const lines = new LineCounter();
  const yaml = parseDocument(source, { lineCounter: lines });
  const [fault] = yaml.errors;
  if (fault) throw new ContractError(`${file}: ${fault.message}`);
  const url = yaml.getIn(['servers', 0, 'url'], true);
  if (!isMap(yaml.contents) || !isScalar(url) || !url.range) {
    throw new ContractError(`${file}: servers[0].url is missing`);
  }
  const document = yaml.toJS() as ContractDocument;
  const resolved = dereferencing.dereferenceSync(structuredClone(document)) as ContractDocument;
  const operations = new Map<string, Operation>();
  for (const [path, item] of Object.entries(resolved.paths)) {
    for (const method of methods.filter((name) => name in item)) {
      const operation = compileOperation(item[method], `${file}: ${method.toUpperCase()} ${path}`);
      operations.set(operation.id, operation);
    }
  }
  return { source, serverUrl: [url.range[0], url.range[1]], document, resolved, operations };
};

const compileOperation = (written: OperationObject | undefined, place: string): Operation => {
  if (!isObject(written) || !written.operationId) throw new ContractError(`${place}: operationId is missing`);
  const scope = written['x-scope'];
  if (!scopes.includes(scope)) {
    throw new ContractError(
      `${place}: x-scope is ${scope ? `"${scope}"` : 'missing'}: one of ${scopes.join(', ')}`,
    );
  }
  const parameters = written.parameters ?? [];
  const bodySchema = written.requestBody?.content['application/json'].schema;
  const responses = Object.entries(written.responses);
  return {
    id: written.operationId,
    scope,
    hasBody: bodySchema !== undefined,
    statuses: new Set(responses.map(([status]) => Number(status))),
    problems: new Map(
      responses.flatMap(([status, { 'x-error': code, 'x-message': text }]) =>
        code === undefined ? [] : [[code, { status: Number(status), text: text ?? code }]],
      ),
    ),
    query: parameters
      .filter(({ in: place }) => place === 'query')
      .map(({ name, schema }) => [name, compileConversion(schema)]),
    headers: parameters
      .filter(({ in: place }) => place === 'header')
      .map(({ name }) => [name, name.toLowerCase()]),
    canFail: bodySchema !== undefined || parameters.some((parameter) => !acceptsAnyText(parameter)),
    body: bodySchema ? compileConversion(bodySchema) : () => undefined,
    messageFor: compileMessages(parameters, bodySchema),
  };
};

const acceptsAnyText = ({ in: place, required, schema }: Parameter): boolean =>
  place === 'header' && required !== true && isDeepStrictEqual(schema, { type: 'string' });
