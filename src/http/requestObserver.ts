import type { Log } from '../lib/log.js';
import type { Metrics } from '../lib/metrics.js';

/** One answered request, as log and metrics see it: never a key, a body, a code or a query. */
export interface ObservedRequest {
  readonly reqId: string;
  /** The operationId; `description` or `page` for what is outside the contract; `none` for a wrong method. */
  readonly operation: string;
  readonly method: string | undefined;
  readonly status: number;
  /** What `performance.now()` said when the request came. */
  readonly started: number;
  readonly key?: string | undefined;
}

export type ObserveRequest = (request: ObservedRequest) => void;

export const makeObserveRequest =
  (log: Log, metrics: Metrics): ObserveRequest =>
  ({ reqId, operation, method, status, started, key }) => {
    const ms = performance.now() - started;
    metrics.request(operation, status, ms / 1000);
    log.info({ reqId, operation, method, status, ms: Math.round(ms * 100) / 100, key });
  };
