import type { Contract } from '../contract.js';
import type { Operation } from '../document/types.js';
import { judge } from '../generated/oracle/oracle.js';
import { isSafe, type Exchange, type Request } from '../request.js';
import type { Excuse, World } from '../world.js';
import { withKey, type Key } from './keys.js';
import { exampleSample, requestOf, type Sample } from './sample.js';

/** What the ways to a status are made of: an operation, and the world it is tried in. */
export interface Scene {
  readonly contract: Contract;
  readonly operation: Operation;
  readonly world: Omit<World, 'provoke'>;
}

export const isExcuse = (value: object): value is Excuse => 'excuse' in value;

/** Sends a request and keeps it beside its answer. */
export const exchange = async ({ world }: Scene, request: Request): Promise<Exchange> => ({
  request,
  answer: await world.send(request),
});

/** Sends a sample with a key. */
export const exchangeSample = (scene: Scene, sample: Sample, key: Key): Promise<Exchange> =>
  exchange(scene, withKey(scene.contract, requestOf(scene.operation, sample), key));

/** The contract's own example, with the values that stand for something here. */
export const goodSample = ({ operation, world }: Scene): Sample =>
  exampleSample(operation, world.substitutions);

const needsWrites = (operation: Operation): Excuse => ({
  excuse: `needs --allow-writes: ${operation.method} ${operation.path} may create something`,
});

/** Why a complete request must not be sent, if so. */
export const forbiddenToSend = ({ operation, world }: Scene): Excuse | undefined =>
  isSafe(operation.method) || world.allowWrites ? undefined : needsWrites(operation);

/**
 * A request that a service can not create anything from, even if it lets it in by mistake: complete where that is
 * allowed, with an empty object as its body where it is not.
 */
export const harmlessSample = (scene: Scene): Sample | Excuse => {
  const good = goodSample(scene);
  const excuse = forbiddenToSend(scene);
  if (!excuse) return good;
  const empty = { ...good, body: '{}' };
  return good.body !== undefined && judge(scene.operation, empty).kind === 'refused' ? empty : excuse;
};
