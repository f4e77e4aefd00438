import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Allowance } from '../contract/call.js';
import type { Database } from '../storage/database.js';
import type { ApiKey } from './keys.js';

/** Counts requests per key in fixed windows of one minute. */
export interface Limiter {
  /** `undefined` for a key without a limit, which is not counted. */
  count(key: Pick<ApiKey, 'id' | 'rateLimit'>): Promise<Allowance> | undefined;
}

/** Each key has a limit of its own, so the library counts and the comparison is ours. */
const options = { points: Number.MAX_SAFE_INTEGER, duration: 60, keyPrefix: 'key' };

/** One process with SQLite counts in memory; processes that share a PostgreSQL count there. */
export const makeLimiter = ({ dialect, write }: Database): Limiter => {
  const limiter =
    dialect === 'sqlite'
      ? new RateLimiterMemory(options)
      : new RateLimiterPostgres({
          ...options,
          storeClient: write,
          storeType: 'knex',
          tableName: 'rate_limits',
          tableCreated: true,
          clearExpiredByTimeout: false,
        });
  return {
    count: ({ id, rateLimit }) =>
      rateLimit === 0 ? undefined : limiter.consume(id).then((result) => countOf(result, rateLimit)),
  };
};

const countOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes, limit: number): Allowance => ({
  accepted: consumedPoints <= limit,
  limit,
  remaining: Math.max(0, limit - consumedPoints),
  resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
});
