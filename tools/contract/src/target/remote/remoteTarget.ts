import type { ContractModel } from '../../contract.js';
import type { ContractUnderTest } from '../../contracts.js';
import type { OperationModel } from '../../document/operations.js';
import { jsonFields, jsonList } from '../../json.js';
import type { ContractRunOptions } from '../../options.js';
import { makeHttpClient, usualPatienceMs } from '../../request.js';
import type { Secret } from '../../secret.js';
import { makeBudget } from '../budget.js';
import { fromOwnPages } from '../credentialSource.js';
import { curlLine } from '../curl.js';
import {
  type Excuse,
  type Key,
  type Keys,
  type LimitedKeys,
  probeRequest,
  scopePermits,
  scopesOf,
  withKey,
} from '../keys.js';
import { exampleSample, requestOf } from '../sample.js';
import { planScenarios } from '../scenarioPlan.js';
import type { Target } from '../target.js';
import { makePacedClient, type PacedClient } from './pacedClient.js';

export type RemoteTargetOptions = Pick<
  ContractRunOptions,
  'key' | 'readKey' | 'limitedKey' | 'allowWrites' | 'site' | 'maxRequests' | 'maxVouchers' | 'seed'
> & {
  readonly url: string;
};

/** A service that the run has not started: only its answers are known. */
export const makeRemoteTarget = async (
  served: ContractUnderTest,
  contract: ContractModel,
  options: RemoteTargetOptions,
): Promise<Target> => {
  const { allowWrites } = options;
  const url = `${options.url}${served.basePath}`;
  const { credentials } = served;
  const client = fromOwnPages(credentials, makeHttpClient(url, { patienceMs: usualPatienceMs }));
  try {
    const { maxRequests, maxVouchers, seed } = options;
    const mark = `contract-run-${seed.toString(36)}`;
    const { budget, send } = makeBudget({ maxRequests, maxVouchers, mark }, client.send);
    const paced = makePacedClient({ ...client, send }, options.limitedKey);
    const keyOf = (name: string, text: Secret | undefined, scope: string): Promise<Key | undefined> =>
      tryKey(contract, paced, name, credentials.onCommandLine ? text : undefined, scope);
    const write = await keyOf('--key', options.key, 'write');
    const read = await keyOf('--read-key', options.readKey, 'read');
    const limited = await keyOf('--limited-key', options.limitedKey, 'read');
    const keys = makeRemoteKeys(scopesOf(contract), { write, read, limited }, paced);
    const site = options.site ?? (await firstSite(contract, paced, read ?? write));
    if (site === undefined && allowWrites && credentials.onCommandLine) {
      throw new Error(`${url} lists no active site to create vouchers on: name one with --site`);
    }
    const target: Omit<Target, 'planFor'> = {
      hints: served.hints,
      hintsFolder: served.hintsFolder,
      sameOriginOnly: credentials.sameOriginOnly ?? false,
      url,
      fixture: undefined,
      allowWrites,
      substitutions: { name: mark, ...(site !== undefined && { site_id: site, 'sites.id': site }) },
      keys,
      budget,
      send: paced.send,
      curl: (request) => curlLine(url, request, keys),
      close: async () => client.close(),
    };
    return {
      ...target,
      planFor: (operationId, status) => planScenarios(contract, target, operationId, status),
    };
  } catch (error) {
    client.close();
    throw error;
  }
};

/** Sends the key once: an invalid one would make all later results look wrong. */
const tryKey = async (
  contract: ContractModel,
  { send }: PacedClient,
  name: string,
  text: Secret | undefined,
  scope: string,
): Promise<Key | undefined> => {
  const key = text && { text, scope, limit: 0, variable: text.variable };
  const request = key && probeRequest(contract, key);
  if (!request) return key;
  const { status, headers } = await send(request);
  if (status === 401) throw new Error(`${name} is not a valid key of this service: it answers 401`);
  return { ...key, limit: Number(headers['ratelimit-limit'] ?? 0) };
};

/** The first site that the service lists. */
const firstSite = async (
  contract: ContractModel,
  { send }: PacedClient,
  key: Key | undefined,
): Promise<number | undefined> => {
  const operation: OperationModel | undefined = contract.operations.find(({ id }) => id === 'listSites');
  if (!operation || !key) return undefined;
  const { body } = await send(withKey(contract, requestOf(operation, exampleSample(operation, {})), key));
  const { id } = jsonFields(jsonList(jsonFields(body)['sites'])[0]);
  return typeof id === 'number' ? id : undefined;
};

interface RemoteKeys {
  readonly write: Key | undefined;
  readonly read: Key | undefined;
  readonly limited: Key | undefined;
}

/** A higher limit is not used up for a test. */
const highestLimit = 100;

/** The keys for a remote service: those of the command line, and excuses for missing ones. */
export const makeRemoteKeys = (
  scopes: readonly string[],
  { write, read, limited }: RemoteKeys,
  { left }: PacedClient,
): Keys => {
  const permits = (scope: string, needed: string | undefined): boolean => scopePermits(scopes, scope, needed);
  const given = [read, write].filter((key) => key !== undefined);
  return {
    permitting: (scope) =>
      given.find((key) => permits(key.scope, scope)) ??
      (permits('read', scope)
        ? { excuse: 'needs --read-key or --key' }
        : { excuse: 'needs --key, a key with the scope write' }),
    lacking: (scope) =>
      permits('read', scope)
        ? { excuse: `every key may do what needs the scope ${scope ?? 'none'}` }
        : (read ?? { excuse: 'needs --read-key, a key with the scope read' }),
    unlimited: (scope) =>
      given.find((key) => key.limit === 0 && permits(key.scope, scope)) ?? {
        excuse: 'needs a key without a limit',
      },
    limited: () => limitedKeys(limited, left),
    revoked: () => ({ excuse: 'needs a revoked key: only a service of the run has one' }),
    expired: () => ({ excuse: 'needs an expired key: only a service of the run has one' }),
    all: () => [...given, ...(limited ? [limited] : [])],
  };
};

const limitedKeys = (key: Key | undefined, left: PacedClient['left']): LimitedKeys | Excuse => {
  if (!key) return { excuse: 'needs --limited-key, a key whose limit may be used up' };
  if (key.limit === 0) return { excuse: 'needs a limit: --limited-key has none' };
  if (key.limit > highestLimit) {
    return { excuse: `needs a smaller limit: --limited-key allows ${key.limit} requests a minute` };
  }
  return {
    any: async () => key,
    open: async () => ({ key, left: await left(key) }),
    most: key.limit,
    same: true,
  };
};
