import { readFileSync } from 'node:fs';
import { parseContractModel, type ContractModel } from '../../tools/contract/src/contract.js';
import type { ContractUnderTest } from '../../tools/contract/src/contracts.js';
import type { LocalService } from '../scenarios/local/localService.js';
import { servedContracts } from '../scenarios/servedContracts.js';
import { webContractFile } from '../support/contract.js';
import { startLocalServiceInProcess } from './localServiceInProcess.js';

export const webContract = parseContractModel(readFileSync(webContractFile, 'utf8'), webContractFile);

/** What the run knows of the contract of the web UI. */
export const servedWebContract = (): ContractUnderTest => {
  const served = servedContracts.find(({ file }) => file === webContractFile);
  if (!served) throw new Error('the run does not know the contract of the web UI');
  return served;
};

/** The service that a run starts for the contract of the web UI, in this process. */
export const startWebService = (): Promise<LocalService> =>
  startLocalServiceInProcess({ served: servedWebContract(), contract: webContract });

/** The contract of the web UI, as if it had only these paths, whose operations succeed. */
export const onlySuccesses = (...paths: string[]): ContractModel => ({
  ...webContract,
  operations: webContract.operations
    .filter(({ path }) => paths.includes(path))
    .map((operation) => ({
      ...operation,
      responses: operation.responses.filter(({ status }) => status < 300),
    })),
});
