import { readFileSync } from 'node:fs';
import { parseContract, type Contract, type ParseOptions } from '../../../src/contract/contract.js';
import { ContractError, pointerOf, type Path, type Position } from '../../../src/contract/source.js';
import { collectExamples, type Example } from './document/examples.js';
import { readOperation, type OperationModel } from './document/operations.js';
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
  /** Every example of every operation; one of a shared component once for each operation that uses it. */
  readonly examples: readonly Example[];
  /** The operation with this id. Throws when there is none. */
  operation(id: string): OperationModel;
  /** Where something stands, as a text for a problem: `openapi.yaml:120:7`. */
  at(path: Path): string;
}

/** A contract that the service can't load; its text is there all the same. */
export interface UnloadableContract {
  readonly file: string;
  readonly source: string;
  readonly error: ContractError;
}

export const placeOf = ({ file, line, column }: Position): string => `${file}:${line}:${column}`;

/** Reads a contract from a file. */
export const loadContractModel = (file: string): ContractModel | UnloadableContract =>
  tryContractModel(readFileSync(file, 'utf8'), file);

/** Reads a contract from its text. */
export const tryContractModel = (
  source: string,
  file = 'openapi.yaml',
  options: Pick<ParseOptions, 'readFile'> = {},
): ContractModel | UnloadableContract => {
  try {
    return parseContractModel(source, file, options);
  } catch (error) {
    if (error instanceof ContractError) return { file, source, error };
    throw error;
  }
};

/** The same for a contract that can be loaded. Throws `ContractError`. */
export const parseContractModel = (
  source: string,
  file = 'openapi.yaml',
  options: Pick<ParseOptions, 'onUnsupported' | 'readFile'> = {},
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

/** Where something really stands: in a component, when references lead there. */
const realPath = (document: unknown, path: Path): Path => {
  const get = (node: unknown, key: string | number): unknown =>
    jsonFields(node)[key] ?? jsonList(node)[Number(key)];
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
