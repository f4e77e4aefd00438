import { types } from 'node:util';
import { contractFile, loadServiceContract } from '../config/packagedContracts.js';
import { loadContract, type Contract } from '../contract/contract.js';
import { isObject, methods } from '../contract/document.js';
import { makeExamination } from '../contract/dialects/examination.js';
import { checkExamples } from '../contract/mock/examples.js';
import { findServerPathFault, serverPathOf } from '../contract/serverPath.js';
import type { ContractError } from '../contract/source.js';
import { findUnvalidatedBodies } from '../contract/dialects/unvalidatedBodies.js';
import { sanitizeLine } from '../lib/label.js';
import { fileUnreadable } from './givenFile.js';
import { CommandError, counted } from './io.js';

/**
 * The contract in a file, or the one that comes with the program. Another one was written for another
 * service: what can't be served of it is left out, and `onLeftOut` gets the reason, of schemas and examples
 * when an operation is first used. It also gets what is served in another way than the contract defines. Its
 * operations are found below the path that `basePathOf` returns; `remedyFor` says what to do where the
 * contract has another path. Throws when nothing is left.
 */
export const loadGivenContract = (
  file: string | undefined,
  basePathOf: (contract: Contract) => string,
  onLeftOut: (reason: string) => void,
  remedyFor?: (serverPath: string) => string,
): Contract => {
  const reasons: string[] = [];
  const leaveOut = (reason: string): void => {
    reasons.push(reason);
    onLeftOut(reason);
  };
  const contract =
    file === undefined ? loadOwnContract() : loadForeignContract(file, basePathOf, leaveOut, remedyFor);
  if (contract.operations.size === 0) throw nothingToServe(file ?? contractFile, contract, reasons);
  return contract;
};

const loadOwnContract = (): Contract => {
  const contract = loadServiceContract();
  checkExamples(contract);
  return contract;
};

const loadForeignContract = (
  file: string,
  basePathOf: (contract: Contract) => string,
  onLeftOut: (reason: string) => void,
  remedyFor?: (serverPath: string) => string,
): Contract => {
  const onUnsupported = ({ message }: ContractError): void => onLeftOut(message);
  const written = readContract(file, onUnsupported);
  const contract = { ...written, examine: makeExamination(written, onLeftOut) };
  const remedy = remedyFor?.(serverPathOf(contract));
  const faults = [
    findServerPathFault(contract, basePathOf(contract), remedy),
    ...findUnvalidatedBodies(contract),
  ];
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
