import type { RateLimitStatus } from '../contract/runtime/request.js';
import { andThen, type Awaitable } from '../lib/awaitable.js';
import type { Clock } from '../lib/system.js';
import type { Database } from '../database/database.js';
import { makeWindowCounter, type WindowCount } from '../rateLimit/windowCounter.js';
import type { ApiKey } from './apiKeys.js';
import type { KeyUsageCounter } from './keyUsage.js';

/** Counts requests per key in fixed windows of one minute. */
export interface RateLimiter {
  /** `undefined` for a key without a limit. */
  count(key: Pick<ApiKey, 'id' | 'rateLimit'>): Awaitable<RateLimitStatus> | undefined;
}

const windowMs = 60_000;

/** Creates the limiter. A limit holds across all processes on a database. */
export const makeRateLimiter = (database: Database, clock: Clock, usage?: KeyUsageCounter): RateLimiter => {
  const { count } = makeWindowCounter(database, clock, windowMs);
  return {
    count: ({ id, rateLimit }) => {
      usage?.count(id, 'requests');
      if (rateLimit === 0) return undefined;
      return andThen(count(`key:${String(id)}`), (counted) => toAllowance(counted, rateLimit));
    },
  };
};

const toAllowance = ({ points, leftMs }: WindowCount, limit: number): RateLimitStatus => ({
  accepted: points <= limit,
  limit,
  remaining: Math.max(0, limit - points),
  resetSeconds: Math.min(Math.max(1, Math.ceil(leftMs / 1000)), windowMs / 1000),
});
