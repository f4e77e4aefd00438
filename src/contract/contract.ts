import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { compileConversion, type Conversion } from './conversion.js';
import {
  jsonMedia,
  methods,
  resolveReferences,
  type ContractDocument,
  type OperationObject,
  type Parameter,
} from './document.js';
import { compileMessages, type FieldMessage } from './messages.js';
import { ContractError, readSource, type Path, type Position, type Refuse } from './source.js';
import { checkStructure } from './structure.js';

/** Error code → the status and the text that the contract gives it. */
export type Problems = ReadonlyMap<string, { readonly status: number; readonly text: string }>;

/** One operation with all that a request needs of it, worked out when the contract is loaded. */
export interface Operation {
  readonly id: string;
  /** Where it stands in the contract. */
  readonly location: Path;
  /** As the contract has it, with references resolved. */
  readonly definition: OperationObject;
  readonly scope: string;
  /** How many bytes a body may have. `undefined`: no body is read. */
  readonly maxBodyBytes: number | undefined;
  readonly statuses: ReadonlySet<number>;
  readonly problems: Problems;
  readonly query: readonly (readonly [string, Conversion])[];
  /** The names of header parameters, as written and as node:http has them. */
  readonly headers: readonly (readonly [string, string])[];
  /** Is there anything that validation could refuse? */
  readonly canFail: boolean;
  readonly body: Conversion;
  /** The body without the contract's defaults: what the client itself sent. */
  readonly sentBody: Conversion;
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
  /** Where a value of `resolved` stands in the file. */
  locate(path: Path): Position;
}

/** Reads and compiles a contract. Throws `ContractError`. */
export const loadContract = (file: string): Contract => parseContract(readFileSync(file, 'utf8'), file);

export const parseContract = (text: string, file = 'openapi.yaml'): Contract => {
  const { document, at, rangeOf } = readSource(text, file);
  const refuse: Refuse = (path, what) => {
    throw new ContractError(what, at(path));
  };
  const resolved = checkStructure(resolveReferences(document, refuse), refuse);
  const url = ['servers', 0, 'url'];
  const serverUrl = rangeOf(url) ?? refuse(url, 'servers[0].url is missing');
  const operations = new Map<string, Operation>();
  for (const [path, item] of Object.entries(resolved.paths)) {
    for (const method of methods) {
      const definition = item[method];
      if (definition)
        operations.set(definition.operationId, compileOperation(definition, ['paths', path, method]));
    }
  }
  return {
    source: text,
    serverUrl,
    document: document as ContractDocument,
    resolved,
    operations,
    locate: at,
  };
};

const compileOperation = (definition: OperationObject, location: Path): Operation => {
  const parameters = definition.parameters ?? [];
  const bodySchema = definition.requestBody?.content[jsonMedia].schema;
  const responses = Object.entries(definition.responses);
  return {
    id: definition.operationId,
    location,
    definition,
    scope: definition['x-scope'],
    maxBodyBytes: definition.requestBody?.['x-max-bytes'],
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
    sentBody: bodySchema ? compileConversion(bodySchema, 'left out') : () => undefined,
    messageFor: compileMessages(parameters, bodySchema),
  };
};

const acceptsAnyText = ({ in: place, required, schema }: Parameter): boolean =>
  place === 'header' && required !== true && isDeepStrictEqual(schema, { type: 'string' });

/**
 * `openapi.yaml` at the root of the package, seen from a module in `src/contract/` or, when it is built, in
 * `dist/src/contract/`. Only what is built ends in `.js`; folders of these names may be anywhere above.
 */
export const contractFileFrom = (module: string): string =>
  fileURLToPath(new URL(module.endsWith('.js') ? '../../../openapi.yaml' : '../../openapi.yaml', module));

export const contractFile = contractFileFrom(import.meta.url);
