import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadContract, parseContract, type Contract } from '../contract/contract.js';
import { loadPreparedSource } from '../contract/preparedSource.js';
import { packageRoot } from '../lib/packageRoot.js';

/** The contract of this package. */
export const contractFile = join(packageRoot, 'openapi.yaml');

/** The contract of the pages. */
export const webContractFile = join(packageRoot, 'web.yaml');

/** Where the specification has the description. */
export const descriptionPath = '/openapi.php';

/** Loads a contract; one of this package as the build has prepared it. Throws `ContractError`. */
export const loadServiceContract = (file = contractFile): Contract => {
  if (file !== contractFile && file !== webContractFile) return loadContract(file);
  const text = readFileSync(file, 'utf8');
  return parseContract(text, { file }, loadPreparedSource(text, file));
};
