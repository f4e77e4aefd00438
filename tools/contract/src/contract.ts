import { readFileSync } from 'node:fs';
import { parseContract, type Contract, type ParseOptions } from '../../../src/contract/contract.js';
import { ContractError, pointerOf, type Path, type Position } from '../../../src/contract/source.js';
import { collectExamples, type Example } from './document/examples.js';
import {
  readOperation,
  type DescribedModel,
  type OperationModel,
  type ResponseModel,
} from './document/operations.js';
import { makeValidator } from './document/validator.js';
import { jsonFields, jsonList } from './json.js';

/** A contract as the stages read it: loaded as the service loads it. */
export interface ContractModel {
  /** As it is named in reports. */
  readonly file: string;
  readonly source: string;
  /** `info.version` */
  readonly version: string;
  readonly loaded: Contract;
  /** In the order of the file. */
  readonly operations: readonly OperationModel[];
  /** Operations of a contract of others that can't be tested, and why. */
  readonly leftOut?: readonly string[];
  /** Every example of every operation; one of a shared component once for each operation that uses it. */
  readonly examples: readonly Example[];
  /** The operation with this id. Throws when there is none. */
  operation(id: string): OperationModel;
  /** Where something stands, as a text for a problem: `openapi.yaml:120:7`. */
  at(path: Path): string;
}

/** So large that its operations show together what each one of a small contract shows. */
export const isLarge = ({ operations }: Pick<ContractModel, 'operations'>): boolean => operations.length > 10;

/** A contract that the service can't load; its text is there all the same. */
export interface UnloadableContract {
  readonly file: string;
  readonly source: string;
  readonly error: ContractError;
}

export const placeOf = ({ file, line, column }: Position): string => `${file}:${line}:${column}`;

/** Reads a contract from a file. */
export const loadContractModel = (
  file: string,
  { thirdParty = false }: { readonly thirdParty?: boolean } = {},
): ContractModel | UnloadableContract =>
  unlessUnloadable(
    file,
    readFileSync(file, 'utf8'),
    thirdParty ? parseThirdPartyContract : parseContractModel,
  );

/** Reads a contract from its text. */
export const tryContractModel = (
  source: string,
  file = 'openapi.yaml',
  options: Pick<ParseOptions, 'readFile'> = {},
): ContractModel | UnloadableContract =>
  unlessUnloadable(file, source, () => parseContractModel(source, file, options));

const unlessUnloadable = (
  file: string,
  source: string,
  parse: (source: string, file: string) => ContractModel,
): ContractModel | UnloadableContract => {
  try {
    return parse(source, file);
  } catch (error) {
    if (error instanceof ContractError) return { file, source, error };
    throw error;
  }
};

/** A contract of another service: what can't be tested of it is left out. Throws `ContractError`. */
export const parseThirdPartyContract = (
  source: string,
  file = 'openapi.yaml',
  options: Pick<ParseOptions, 'readFile'> = {},
): ContractModel => {
  const leftOut: string[] = [];
  const onUnsupported = ({ message }: ContractError): void => void leftOut.push(message);
  const contract = parseContractModel(source, file, { ...options, onUnsupported, isForeign: true });
  const operations = contract.operations.filter((operation) => {
    const fault = schemaFault(operation);
    if (fault !== undefined) leftOut.push(`${contract.at(operation.location)}: ${operation.id}: ${fault}`);
    return fault === undefined;
  });
  return { ...contract, operations, examples: operations.flatMap(collectExamples), leftOut };
};

/** Why a schema of an operation can't be used. */
const schemaFault = ({ parameters, requestBody, responses }: OperationModel): string | undefined => {
  const described = [...parameters, ...(requestBody ? [requestBody] : []), ...responses.flatMap(partsOf)];
  try {
    for (const { schema } of described) if (schema) makeValidator(schema);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

const partsOf = ({ bodies, headers }: ResponseModel): DescribedModel[] => [...bodies, ...headers];

/** The same for a contract that can be loaded. Throws `ContractError`. */
export const parseContractModel = (
  source: string,
  file = 'openapi.yaml',
  options: Pick<ParseOptions, 'isForeign' | 'onUnsupported' | 'readFile'> = {},
): ContractModel => {
  const loaded = parseContract(source, { file, ...options });
  const operations = [...loaded.operations.values()].map(readOperation);
  return {
    file,
    source,
    version: loaded.resolved.info.version,
    loaded,
    operations,
    examples: operations.flatMap(collectExamples),
    operation: (id) => {
      const found = operations.find((operation) => operation.id === id);
      if (!found) throw new Error(`the contract has no operation ${id}`);
      return found;
    },
    at: (path) => placeOf(loaded.locate(realPath(loaded.document, path))),
  };
};

/** A contract of another time: what the service no longer supports of it is left out. Throws `ContractError`. */
export const parseEarlierContract = (
  source: string,
  file: string,
  options: Pick<ParseOptions, 'readFile'> = {},
): ContractModel => {
  const loaded = tryContractModel(source, file, options);
  return 'error' in loaded
    ? parseContractModel(source, file, { ...options, onUnsupported: () => undefined })
    : loaded;
};

const get = (node: unknown, key: string | number): unknown =>
  jsonFields(node)[key] ?? jsonList(node)[Number(key)];

/** What stands somewhere in a document, when references are followed. */
export const documentValue = (document: unknown, path: Path): unknown =>
  realPath(document, path).reduce<unknown>(get, document);

/** Where something really stands: in a component, when references lead there. */
const realPath = (document: unknown, path: Path): Path => {
  let [node, real] = [document, [] as Path];
  const follow = (): void => {
    const { $ref: reference } = jsonFields(node);
    const pointer = typeof reference === 'string' ? pointerOf(reference) : undefined;
    if (!pointer) return;
    [node, real] = [pointer.reduce(get, document), pointer];
    follow();
  };
  for (const key of path) {
    follow();
    [node, real] = [get(node, key), [...real, key]];
  }
  follow();
  return real;
};
