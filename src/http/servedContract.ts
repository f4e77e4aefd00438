import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../contract/contract.js';
import { describeContract } from '../contract/description.js';
import { findServerPathFault } from '../contract/serverPath.js';
import type { Match } from '../contract/runtime/contractRouter.js';
import { makeOperations, type OperationsOptions } from '../contract/runtime/operations.js';
import { makeErrorForm, type ErrorForm } from './errorForm.js';
import { makeServeOperation, type ServeOperation, type ServeOperationOptions } from './serveOperation.js';
import type { ResolveOrigin } from './client.js';
import { makeDescriptionEndpoint, type DescriptionEndpoint } from './servedDescription.js';
import { makeLimitUnknownPath, type LimitUnknownPath } from './unknownPaths.js';

/** Everything served from one contract. A request keeps the contract it started with. */
export interface ServedContract {
  readonly serveOperation: ServeOperation;
  /** What a request asks for. `undefined`: no operation has this path. The method is in lower case. */
  find(path: string, method: string): Match | undefined;
  /** The methods of a path of the contract, for `Allow`. */
  methodsOf(path: string): readonly string[];
  readonly limitUnknownPath: LimitUnknownPath;
  readonly description: DescriptionEndpoint;
  readonly errors: ErrorForm;
}

/** What a new contract changed. */
export interface ReloadResult extends ContractChanges {
  /** The operations that answer from their examples. */
  readonly mocked: readonly string[];
}

/** The contract being served, and how to replace it. */
interface ReloadableContract {
  readonly current: ServedContract;
  /** The operations of the first contract that answer from their examples. */
  readonly mockedAtStart: readonly string[];
  /** Serves another contract from now on. One that can not be served is thrown, and nothing changes. */
  reload(contract: Contract): Promise<ReloadResult>;
}

type ServedContractOptions<Key, Services> = OperationsOptions<Key, Services> &
  Omit<ServeOperationOptions<Key>, 'operations' | 'errors'> & {
    resolveOrigin: ResolveOrigin;
    /** Where the description is served as JSON; `/openapi.json` by default. */
    descriptionPath?: string;
    /** Does the JSON describe all of the contract, whatever `x-described` says? */
    describesAll?: boolean;
    /** What the server removes from a path before `basePath`. */
    mountPath?: string;
    /** Puts the work for each request into a trace, where there are traces. */
    traceRequests?: ((serve: ServeOperation) => ServeOperation) | undefined;
    /** What to do when the path of its server is another one than where its operations are. */
    serverPathRemedy?: string;
    /** Was it written for another service? Then the path of its server is that one's. */
    mayHaveOtherServerPath?: boolean;
  };

/** Serves a contract until another one is loaded. */
export const makeReloadableContract = async <Key, Services>(
  first: Contract,
  options: ServedContractOptions<Key, Services>,
): Promise<ReloadableContract> => {
  const load = async (contract: Contract) => {
    const fault = options.mayHaveOtherServerPath
      ? undefined
      : findServerPathFault(contract, (options.mountPath ?? '') + options.basePath, options.serverPathRemedy);
    if (fault) throw fault;
    const operations = await makeOperations(contract, options);
    const errors = makeErrorForm(contract, operations.problems);
    const serveOperation = makeServeOperation({ ...options, operations, errors });
    const servedContract: ServedContract = {
      serveOperation: options.traceRequests?.(serveOperation) ?? serveOperation,
      find: operations.find,
      methodsOf: operations.methodsOf,
      limitUnknownPath: makeLimitUnknownPath({ ...options, operations, errors }),
      errors,
      description: makeDescriptionEndpoint({
        ...options,
        description: describeContract(contract, { isWhole: options.describesAll === true }),
        descriptionPath: options.descriptionPath ?? '/openapi.json',
        errors,
      }),
    };
    return { contract, servedContract, mocked: [...operations.mocked] };
  };
  let served = await load(first);
  let loading: Promise<unknown> = Promise.resolve();

  const replace = async (contract: Contract): Promise<ReloadResult> => {
    const next = await load(contract);
    const changes = listContractChanges(served.contract, contract);
    served = next;
    reloadable.current = next.servedContract;
    return { ...changes, mocked: next.mocked };
  };
  const reloadable = {
    // A property, not a function: it is read for every request.
    current: served.servedContract,
    mockedAtStart: served.mocked,
    reload: (contract: Contract): Promise<ReloadResult> => {
      // One at a time, so that the last one requested stays.
      const reloaded = loading.then(() => replace(contract));
      loading = reloaded.catch(() => undefined);
      return reloaded;
    },
  };
  return reloadable;
};

/** The operationIds that differ between two contracts. */
interface ContractChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** Compares two contracts, operation by operation. */
const listContractChanges = (before: Contract, after: Contract): ContractChanges => {
  const [old, now] = [before.operations, after.operations];
  return {
    added: [...now.keys()].filter((id) => !old.has(id)),
    removed: [...old.keys()].filter((id) => !now.has(id)),
    changed: [...now.values()]
      .filter(({ id, location, definition }) => {
        const other = old.get(id);
        return other && !isDeepStrictEqual([location, definition], [other.location, other.definition]);
      })
      .map(({ id }) => id),
  };
};
