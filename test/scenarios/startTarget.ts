import type { ContractModel } from '../../tools/contract/src/contract.js';
import type { ContractUnderTest } from '../../tools/contract/src/contracts.js';
import type { ContractRunOptions } from '../../tools/contract/src/options.js';
import { makeLocalTarget } from './local/localTarget.js';
import { makeRemoteTarget } from '../../tools/contract/src/target/remote/remoteTarget.js';
import type { Target } from '../../tools/contract/src/target/target.js';

/** The service at `options.url`, or one that is started for this run. */
export const startTarget = (
  served: ContractUnderTest,
  contract: ContractModel,
  options: ContractRunOptions,
): Promise<Target> =>
  options.url === undefined
    ? makeLocalTarget(served, contract)
    : makeRemoteTarget(served, contract, { ...options, url: options.url });
