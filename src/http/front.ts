import { changesBetween, type Changes } from '../contract/changes.js';
import type { Contract } from '../contract/contract.js';
import { describe } from '../contract/description.js';
import { makeOperations, type OperationsOptions } from '../contract/operations.js';
import { makeApi, type Api, type ApiOptions } from './api.js';
import { makeDescriptionEndpoint, type DescriptionEndpoint } from './description.js';
import type { OriginOf } from './origin.js';

/** All that is served of one contract. A request stays with the front that it began with. */
export interface Front {
  readonly api: Api;
  /** Is the path one of the contract's? */
  isOperation(path: string): boolean;
  /** The methods of a path of the contract, for `Allow`. */
  methodsOf(path: string): readonly string[];
  readonly description: DescriptionEndpoint;
}

/** What another contract brought. */
export interface Reloaded extends Changes {
  /** The operations that answer from their examples. */
  readonly mocked: readonly string[];
}

/** The front that is served now, and the way to exchange it. */
export interface Fronts {
  current(): Front;
  /** Serves another contract from now on. One that can not be served is thrown, and nothing changes. */
  reload(contract: Contract): Promise<Reloaded>;
}

export type FrontOptions<Key, Services> = OperationsOptions<Key, Services> &
  Omit<ApiOptions<Key>, 'operations'> & { originOf: OriginOf };

/** Starts with one contract. */
export const makeFronts = async <Key, Services>(
  first: Contract,
  options: FrontOptions<Key, Services>,
): Promise<Fronts> => {
  const load = async (contract: Contract) => {
    const operations = await makeOperations(contract, options);
    const front: Front = {
      api: makeApi({ ...options, operations }),
      isOperation: operations.handles,
      methodsOf: operations.methodsOf,
      description: makeDescriptionEndpoint(describe(contract), options.basePath, options.originOf),
    };
    return { contract, front, mocked: [...operations.mocked] };
  };
  let served = await load(first);
  let loading: Promise<unknown> = Promise.resolve();

  const exchange = async (contract: Contract): Promise<Reloaded> => {
    const next = await load(contract);
    const changes = changesBetween(served.contract, contract);
    served = next;
    return { ...changes, mocked: next.mocked };
  };
  return {
    current: () => served.front,
    reload: (contract) => {
      // One after the other, so that the last one asked for is the one that stays.
      const reloaded = loading.then(() => exchange(contract));
      loading = reloaded.catch(() => undefined);
      return reloaded;
    },
  };
};
