import { responseTo, type OperationModel } from '../document/operations.js';
import { judgeSample } from '../generated/oracle/oracle.js';
import { isSafe, type HttpExchange, type HttpRequest } from '../request.js';
import { isExcuse, noKey, withKey, type Excuse, type Key } from './keys.js';
import { exampleSample, requestOf, type Sample } from './sample.js';
import type { OperationHints, ScenarioContext } from './target.js';

/** Sends a request and returns it with its answer. */
export const exchange = async ({ target }: ScenarioContext, request: HttpRequest): Promise<HttpExchange> => ({
  request,
  answer: await target.send(request),
});

/** What is known of the operation that the contract alone does not say. */
export const hintsOf = ({ operation, target }: ScenarioContext): OperationHints =>
  target.hints[operation.id] ?? {};

/** The request of a sample, after what it needs was made. */
export const preparedRequest = async (context: ScenarioContext, sample: Sample): Promise<HttpRequest> =>
  requestOf(context.operation, (await hintsOf(context).prepare?.(sample, context)) ?? sample);

/** Is a header called like the one that names the version which a change is based on? */
export const isIfMatch = (name: string): boolean => name.toLowerCase() === 'if-match';

/** How many requests one takes, with those that prepare it. */
export const requestsEach = (context: ScenarioContext): number =>
  1 + (hintsOf(context).preparingRequests ?? 0);

/** Sends a sample with a key. */
export const exchangeSample = async (
  context: ScenarioContext,
  sample: Sample,
  key: Key,
): Promise<HttpExchange> => {
  const request = await preparedRequest(context, sample);
  return exchange(context, withKey(context.contract, request, key));
};

/** The contract's example, with values that exist on the target. */
export const goodSample = (context: ScenarioContext): Sample => {
  const { operation, target } = context;
  const sample = exampleSample(operation, target.substitutions);
  return hintsOf(context).request?.(sample, operation) ?? sample;
};

/** Why a complete request must not be sent, if it must not. */
export const forbiddenToSend = ({ operation, target }: ScenarioContext): Excuse | undefined =>
  isSafe(operation.method) || target.allowWrites
    ? undefined
    : {
        excuse: `needs --allow-writes: ${operation.method} ${operation.path} may ${operation.method === 'POST' ? 'create' : 'change'} something`,
      };

/** Is nothing between the run and a service of its own? What stands there may refuse or change requests. */
export const isDirect = ({ fixture, url }: Pick<ScenarioContext['target'], 'fixture' | 'url'>): boolean =>
  fixture?.url === url;

/** A key that the operation lets in; none where everybody is. */
export const keyFor = ({ operation, target }: ScenarioContext): Key | Excuse =>
  operation.security.length === 0 ? noKey : target.keys.permitting(operation.scope, operation);

/** A key for complete requests to the operation. */
export const permittedKey = (context: ScenarioContext): Key | Excuse =>
  forbiddenToSend(context) ?? keyFor(context);

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

/** A request without content, if the contract refuses that: a caller without permission must not learn so. */
export const refusedSample = (context: ScenarioContext): Sample | undefined => {
  const good = goodSample(context);
  const empty = { ...good, query: [], ...(good.body !== undefined && { body: '{}' }) };
  return judgeSample(context.operation, empty).kind === 'refused' ? empty : undefined;
};

/** A harmless request with a key of the operation's scope. */
export const harmlessRequest = (
  context: ScenarioContext,
): { readonly sample: Sample; readonly key: Key } | Excuse => {
  // A service of others may accept, with a key, what its contract refuses.
  const key = context.target.thirdParty ? permittedKey(context) : keyFor(context);
  const sample = harmlessSample(context);
  return isExcuse(key) ? key : isExcuse(sample) ? sample : { key, sample };
};

/** The headers that the contract documents for a status. */
export const headersOf = (operation: OperationModel, status: number): string[] =>
  (responseTo(operation, status)?.headers ?? []).map(({ name }) => name);

/** The rate limit headers among them: answers to a limited key have them. */
export const limitHeaders = (
  operation: OperationModel,
  status: number,
  { limit }: Pick<Key, 'limit'>,
): string[] => (limit > 0 ? headersOf(operation, status).filter((name) => /^ratelimit-/i.test(name)) : []);
