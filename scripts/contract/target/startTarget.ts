import type { ContractModel } from '../contract.js';
import type { ContractUnderTest } from '../contracts.js';
import type { ContractRunOptions } from '../options.js';
import { makeLocalTarget } from './local/localTarget.js';
import { makeRemoteTarget } from './remote/remoteTarget.js';
import type { Target } from './target.js';

/** The service at `options.url`, or one that is started for this run. */
export const startTarget = (
  served: ContractUnderTest,
  contract: ContractModel,
  options: ContractRunOptions,
): Promise<Target> =>
  options.url === undefined
    ? makeLocalTarget(served, contract)
    : makeRemoteTarget(served, contract, { ...options, url: options.url });
