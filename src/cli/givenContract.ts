import { types } from 'node:util';
import { contractFile, loadContract, type Contract, type Operation } from '../contract/contract.js';
import { isObject, methods, type OperationObject } from '../contract/document.js';
import { checkExamples } from '../contract/examples.js';
import { findServerPathFault } from '../contract/serverPath.js';
import { ContractError } from '../contract/source.js';
import { findUnvalidatedBodies } from '../contract/unvalidatedBodies.js';
import { sanitizeLine } from '../lib/label.js';
import { fileUnreadable } from './givenFile.js';
import { CommandError, counted } from './io.js';

/**
 * The contract in a file, or the one that comes with the program. Another one was written for another service: what
 * can't be served of it is left out, and `onLeftOut` gets the reason. It also gets what is served in another way than the
 * contract defines. Its operations are found below `basePath`. Throws when nothing is left.
 */
export const loadGivenContract = (
  file: string | undefined,
  basePath: string,
  onLeftOut: (reason: string) => void,
): Contract => {
  const reasons: string[] = [];
  const leaveOut = (reason: string): void => {
    reasons.push(reason);
    onLeftOut(reason);
  };
  const contract = file === undefined ? loadOwnContract() : loadForeignContract(file, basePath, leaveOut);
  if (contract.operations.size === 0) throw nothingToServe(file ?? contractFile, contract, reasons);
  return contract;
};

const loadOwnContract = (): Contract => {
  const contract = loadContract(contractFile);
  checkExamples(contract);
  return contract;
};

const loadForeignContract = (
  file: string,
  basePath: string,
  onLeftOut: (reason: string) => void,
): Contract => {
  const onUnsupported = ({ message }: ContractError): void => onLeftOut(message);
  const contract = withFittingExamples(readContract(file, onUnsupported), onLeftOut);
  const faults = [findServerPathFault(contract, basePath), ...findUnvalidatedBodies(contract)];
  if (contract.operations.size > 0) for (const fault of faults) if (fault) onUnsupported(fault);
  return contract;
};

const readContract = (file: string, onUnsupported: (error: ContractError) => void): Contract => {
  try {
    return loadContract(file, { onUnsupported, isForeign: true });
  } catch (error) {
    const isOfSystem = types.isNativeError(error) && 'syscall' in error;
    throw isOfSystem ? fileUnreadable(`--contract: "${file.slice(0, 300)}"`, error) : error;
  }
};

/** Reports how many operations were left out, and why the first one was: the log may be silent. */
const nothingToServe = (
  file: string,
  { document }: Contract,
  [firstReason]: readonly string[],
): CommandError => {
  const written = Object.values(document.paths).flatMap((item) =>
    isObject(item) ? methods.filter((method) => Object.hasOwn(item, method)) : [],
  );
  const why = firstReason === undefined ? '' : `; the first reason: ${sanitizeLine(firstReason)}`;
  return new CommandError(
    'contract-unusable',
    `${file}: 0 of ${counted(written.length, 'operation')} can be served${why}`,
  );
};

/** Takes the examples from an operation with one that does not fit, and leaves out one with an invalid schema. */
const withFittingExamples = (contract: Contract, onLeftOut: (reason: string) => void): Contract => {
  const reasonAgainst = (operation: Operation): string | undefined => {
    try {
      checkExamples({ ...contract, operations: new Map([[operation.id, operation]]) });
      return undefined;
    } catch (error) {
      return error instanceof ContractError
        ? error.message
        : `${operation.name}: ${(error as Error).message}`;
    }
  };
  const operations = new Map<string, Operation>();
  const paths: Contract['resolved']['paths'] = {};
  for (const operation of contract.operations.values()) {
    const against = reasonAgainst(operation);
    const fitting =
      against === undefined
        ? operation
        : { ...operation, definition: withoutExamples(operation.definition) as OperationObject };
    const reason = reasonAgainst(fitting);
    if (reason !== undefined) {
      onLeftOut(reason);
      continue;
    }
    if (against !== undefined) onLeftOut(`${against}; it is served without its examples`);
    operations.set(fitting.id, fitting);
    const path = String(fitting.location[1]);
    paths[path] = { ...paths[path], [fitting.method]: fitting.definition };
  }
  return { ...contract, operations, resolved: { ...contract.resolved, paths } };
};

/** Examples of parameters, headers and bodies; those in schemas are only for people. */
const withoutExamples = (value: unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null || depth > maxExampleDepth) return value;
  if (Array.isArray(value)) return value.map((item) => withoutExamples(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !['example', 'examples'].includes(name))
      .map(([name, field]) => [name, name === 'schema' ? field : withoutExamples(field, depth + 1)]),
  );
};

/** `responses`, a status, `headers`, a name, its fields. */
const maxExampleDepth = 6;
