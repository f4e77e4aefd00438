import type { Contract } from '../contract.js';
import { fieldsOf, listOf } from '../document/json.js';
import type { Operation } from '../document/types.js';
import type { Options } from '../options.js';
import { isSafe, makeClient } from '../request.js';
import type { World } from '../world.js';
import { curlLine } from './curl.js';
import { withKey, type Key } from './keys.js';
import { makePaced, type Paced } from './pacing.js';
import { provocation } from './provoke.js';
import { makeGivenKeys } from './givenKeys.js';
import { exampleSample, requestOf } from './sample.js';

export type RunningOptions = Pick<Options, 'key' | 'readKey' | 'limitedKey' | 'allowWrites' | 'site'> & {
  readonly url: string;
};

/** A service that somebody else runs: nothing is known about it but what it answers. */
export const makeRunningWorld = async (contract: Contract, options: RunningOptions): Promise<World> => {
  const { url, allowWrites } = options;
  const client = makeClient(url);
  try {
    const paced = makePaced(client, options.limitedKey);
    const keyOf = (name: string, text: (() => string) | undefined, scope: string): Promise<Key | undefined> =>
      tryKey(contract, paced, name, text, scope);
    const write = await keyOf('--key', options.key, 'write');
    const read = await keyOf('--read-key', options.readKey, 'read');
    const limited = await keyOf('--limited-key', options.limitedKey, 'read');
    const keys = makeGivenKeys({ write, read, limited }, paced);
    const site = options.site ?? (await firstSite(contract, paced, read ?? write));
    if (site === undefined && allowWrites) {
      throw new Error(`${url} lists no active site to create vouchers on: name one with --site`);
    }
    const world: Omit<World, 'provoke'> = {
      url,
      inside: undefined,
      allowWrites,
      substitutions: site === undefined ? {} : { site_id: site },
      keys,
      send: paced.send,
      curl: (request) => curlLine(url, request, keys),
      close: async () => client.close(),
    };
    return { ...world, provoke: (operationId, status) => provocation(contract, world, operationId, status) };
  } catch (error) {
    client.close();
    throw error;
  }
};

/** Shows the key once: one that is refused would make everything that follows look wrong. */
const tryKey = async (
  contract: Contract,
  { send }: Paced,
  name: string,
  text: (() => string) | undefined,
  scope: string,
): Promise<Key | undefined> => {
  const operation = contract.operations.find(({ method }) => isSafe(method));
  if (!text || !operation) return text && { text, scope, limit: 0 };
  const request = withKey(contract, requestOf(operation, exampleSample(operation, {})), {
    text,
    scope,
    limit: 0,
  });
  const { status, headers } = await send(request);
  if (status === 401) throw new Error(`${name} is not a valid key of this service: it answers 401`);
  return { text, scope, limit: Number(headers['ratelimit-limit'] ?? 0) };
};

/** The first site that the service lists. */
const firstSite = async (
  contract: Contract,
  { send }: Paced,
  key: Key | undefined,
): Promise<number | undefined> => {
  const operation: Operation | undefined = contract.operations.find(({ id }) => id === 'listSites');
  if (!operation || !key) return undefined;
  const { body } = await send(withKey(contract, requestOf(operation, exampleSample(operation, {})), key));
  const { id } = fieldsOf(listOf(fieldsOf(body)['sites'])[0]);
  return typeof id === 'number' ? id : undefined;
};
