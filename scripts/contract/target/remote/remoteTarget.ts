import type { ContractModel } from '../../contract.js';
import { jsonFields, jsonList } from '../../json.js';
import type { OperationModel } from '../../document/operations.js';
import type { ContractRunOptions } from '../../options.js';
import { isSafe, makeHttpClient } from '../../request.js';
import type { Secret } from '../../secret.js';
import { makeBudget } from '../budget.js';
import { curlLine } from '../curl.js';
import { withKey, type Key } from '../keys.js';
import { exampleSample, requestOf } from '../sample.js';
import { planScenarios } from '../scenarioPlan.js';
import type { Target } from '../target.js';
import { makePacedClient, type PacedClient } from './pacedClient.js';
import { makeRemoteKeys } from './remoteKeys.js';

export type RemoteTargetOptions = Pick<
  ContractRunOptions,
  'key' | 'readKey' | 'limitedKey' | 'allowWrites' | 'site' | 'maxRequests' | 'maxVouchers' | 'seed'
> & {
  readonly url: string;
};

/** A service that the run has not started: only its answers are known. */
export const makeRemoteTarget = async (
  contract: ContractModel,
  options: RemoteTargetOptions,
): Promise<Target> => {
  const { url, allowWrites } = options;
  const client = makeHttpClient(url);
  try {
    const { maxRequests, maxVouchers, seed } = options;
    const mark = `contract-run-${seed.toString(36)}`;
    const { budget, send } = makeBudget({ maxRequests, maxVouchers, mark }, client.send);
    const paced = makePacedClient({ ...client, send }, options.limitedKey);
    const keyOf = (name: string, text: Secret | undefined, scope: string): Promise<Key | undefined> =>
      tryKey(contract, paced, name, text, scope);
    const write = await keyOf('--key', options.key, 'write');
    const read = await keyOf('--read-key', options.readKey, 'read');
    const limited = await keyOf('--limited-key', options.limitedKey, 'read');
    const keys = makeRemoteKeys({ write, read, limited }, paced);
    const site = options.site ?? (await firstSite(contract, paced, read ?? write));
    if (site === undefined && allowWrites) {
      throw new Error(`${url} lists no active site to create vouchers on: name one with --site`);
    }
    const target: Omit<Target, 'planFor'> = {
      url,
      fixture: undefined,
      allowWrites,
      substitutions: { name: mark, ...(site !== undefined && { site_id: site }) },
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
  const operation = contract.operations.find(({ method }) => isSafe(method));
  const key = text && { text, scope, limit: 0, ...(text.variable && { variable: text.variable }) };
  if (!key || !operation) return key;
  const request = withKey(contract, requestOf(operation, exampleSample(operation, {})), key);
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
