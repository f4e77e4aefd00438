import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operations, UnknownRequest } from '../contract/runtime/operations.js';
import { isHttpProblem } from '../errors/httpProblem.js';
import type { ResolveClient } from './client.js';
import type { ErrorForm } from './errorForm.js';
import type { HttpMetrics } from './httpMetrics.js';
import { sendResponse } from './response.js';

/**
 * Counts a request for a path that does not exist, as all requests with a valid key count. Adds the headers
 * about its limit to the response. Beyond the limit it answers the request, and returns true.
 */
export type LimitUnknownPath = (req: IncomingMessage, res: ServerResponse) => Promise<boolean>;

interface UnknownPathDeps<Key> {
  readonly operations: Pick<Operations<Key>, 'countUnknown'>;
  readonly errors: ErrorForm;
  readonly metrics: HttpMetrics;
  readonly resolveClient: ResolveClient;
}

export const makeLimitUnknownPath = <Key>({
  operations,
  errors,
  metrics,
  resolveClient,
}: UnknownPathDeps<Key>): LimitUnknownPath => {
  const addHeaders = (res: ServerResponse, { rateLimit }: UnknownRequest<Key>): void => {
    if (!rateLimit) return;
    res.setHeader('RateLimit-Limit', rateLimit.limit);
    res.setHeader('RateLimit-Remaining', rateLimit.remaining);
    res.setHeader('RateLimit-Reset', rateLimit.resetSeconds);
    if (!rateLimit.accepted) metrics.limiterRefusal();
  };
  return async (req, res) => {
    const { headers, url = '' } = req;
    const [, ...search] = url.split('?');
    const request: UnknownRequest<Key> = {
      headers,
      search: search.join('?'),
      key: undefined,
      rateLimit: undefined,
      client: () => resolveClient(req),
    };
    try {
      await operations.countUnknown(request);
      addHeaders(res, request);
      return false;
    } catch (error) {
      if (!isHttpProblem(error)) throw error;
      addHeaders(res, request);
      sendResponse(req, res, errors.problemResponse(error, url));
      return true;
    }
  };
};
