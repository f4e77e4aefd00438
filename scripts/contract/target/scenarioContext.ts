import type { ContractModel } from '../contract.js';
import type { OperationModel } from '../document/types.js';
import { judgeSample } from '../generated/oracle/oracle.js';
import { isSafe, type HttpExchange, type HttpRequest } from '../request.js';
import type { Excuse } from './excuse.js';
import { withKey, type Key } from './keys.js';
import { exampleSample, requestOf, type Sample } from './sample.js';
import type { Target } from './target.js';

/** What scenarios are built from: an operation, and the target to try it on. */
export interface ScenarioContext {
  readonly contract: ContractModel;
  readonly operation: OperationModel;
  readonly target: Omit<Target, 'planFor'>;
}

/** Sends a request and returns it with its answer. */
export const exchange = async ({ target }: ScenarioContext, request: HttpRequest): Promise<HttpExchange> => ({
  request,
  answer: await target.send(request),
});

/** Sends a sample with a key. */
export const exchangeSample = (context: ScenarioContext, sample: Sample, key: Key): Promise<HttpExchange> =>
  exchange(context, withKey(context.contract, requestOf(context.operation, sample), key));

/** The contract's example, with values that exist on the target. */
export const goodSample = ({ operation, target }: ScenarioContext): Sample =>
  exampleSample(operation, target.substitutions);

const needsWrites = (operation: OperationModel): Excuse => ({
  excuse: `needs --allow-writes: ${operation.method} ${operation.path} may create something`,
});

/** Why a complete request must not be sent, if it must not. */
export const forbiddenToSend = ({ operation, target }: ScenarioContext): Excuse | undefined =>
  isSafe(operation.method) || target.allowWrites ? undefined : needsWrites(operation);

/**
 * A request that cannot create anything, even if the service accepts it by mistake: complete where writes are allowed,
 * otherwise with an empty object as its body.
 */
export const harmlessSample = (context: ScenarioContext): Sample | Excuse => {
  const good = goodSample(context);
  const excuse = forbiddenToSend(context);
  if (!excuse) return good;
  const empty = { ...good, body: '{}' };
  return good.body !== undefined && judgeSample(context.operation, empty).kind === 'refused' ? empty : excuse;
};
