import type { ContractModel } from '../contract.js';
import type { OperationModel } from '../document/types.js';
import { judgeSample } from '../generated/oracle/oracle.js';
import { isSafe, type HttpExchange, type HttpRequest } from '../request.js';
import { withKey, type Key } from './keys.js';
import { exampleSample, requestOf, type Sample } from './sample.js';
import type { Target } from './target.js';
import type { Excuse } from './excuse.js';

/** What the scenarios for a status are made of: an operation, and the target it is tried in. */
export interface ScenarioContext {
  readonly contract: ContractModel;
  readonly operation: OperationModel;
  readonly target: Omit<Target, 'planFor'>;
}

/** Sends a request and keeps it beside its answer. */
export const exchange = async ({ target }: ScenarioContext, request: HttpRequest): Promise<HttpExchange> => ({
  request,
  answer: await target.send(request),
});

/** Sends a sample with a key. */
export const exchangeSample = (context: ScenarioContext, sample: Sample, key: Key): Promise<HttpExchange> =>
  exchange(context, withKey(context.contract, requestOf(context.operation, sample), key));

/** The contract's own example, with the values that stand for something here. */
export const goodSample = ({ operation, target }: ScenarioContext): Sample =>
  exampleSample(operation, target.substitutions);

const needsWrites = (operation: OperationModel): Excuse => ({
  excuse: `needs --allow-writes: ${operation.method} ${operation.path} may create something`,
});

/** Why a complete request must not be sent, if so. */
export const forbiddenToSend = ({ operation, target }: ScenarioContext): Excuse | undefined =>
  isSafe(operation.method) || target.allowWrites ? undefined : needsWrites(operation);

/**
 * A request that a service can not create anything from, even if it lets it in by mistake: complete where that is
 * allowed, with an empty object as its body where it is not.
 */
export const harmlessSample = (context: ScenarioContext): Sample | Excuse => {
  const good = goodSample(context);
  const excuse = forbiddenToSend(context);
  if (!excuse) return good;
  const empty = { ...good, body: '{}' };
  return good.body !== undefined && judgeSample(context.operation, empty).kind === 'refused' ? empty : excuse;
};
