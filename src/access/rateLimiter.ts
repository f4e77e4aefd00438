import type { RateLimitStatus } from '../contract/runtime/request.js';
import type { Clock } from '../lib/system.js';
import type { Database } from '../storage/database.js';
import { makeSqlNow } from '../storage/databaseClock.js';
import type { ApiKey } from './apiKeys.js';

/** Counts requests per key in fixed windows of one minute. */
export interface RateLimiter {
  /** `undefined` for a key without a limit, which is not counted. */
  count(key: Pick<ApiKey, 'id' | 'rateLimit'>): Promise<RateLimitStatus> | undefined;
}

/** The number of a request in its window, and what is left of the window. */
interface WindowCount {
  readonly points: number;
  readonly leftMs: number;
}

type CountRequest = (keyId: number) => Promise<WindowCount>;

const windowMs = 60_000;

/** One process with SQLite counts in memory; processes that share a PostgreSQL count there, by its clock. */
export const makeRateLimiter = (database: Database, clock: Clock): RateLimiter => {
  const count = database.dialect === 'sqlite' ? countInMemory(clock) : countInDatabase(database, clock);
  return {
    count: ({ id, rateLimit }) =>
      rateLimit === 0 ? undefined : count(id).then((counted) => toAllowance(counted, rateLimit)),
  };
};

const countInMemory = (clock: Clock): CountRequest => {
  const windows = new Map<number, { readonly end: number; points: number }>();
  return (keyId) => {
    const now = clock.now();
    let window = windows.get(keyId);
    // More than a whole window is left when the clock was set back.
    if (!window || window.end <= now || window.end > now + windowMs) {
      window = { end: now + windowMs, points: 0 };
      windows.set(keyId, window);
    }
    window.points += 1;
    return Promise.resolve({ points: window.points, leftMs: window.end - now });
  };
};

/**
 * One statement, so that no two requests get the same number. The time is read once the row is locked: a request that
 * waited for another one must not take the window that the other has begun for one from the future.
 */
const countInDatabase = (database: Database, clock: Clock): CountRequest => {
  const now = makeSqlNow(database, clock);
  const statement = `
    insert into rate_limits as counted (key, points, expire) values (:key, 1, :now + :windowMs)
    on conflict (key) do update set (points, expire) = (
      select
        case when is_over then 1 else counted.points + 1 end,
        case when is_over then now + :windowMs else counted.expire end
      from (
        select now, counted.expire <= now or counted.expire > now + :windowMs as is_over
        from (select :now as now offset 0) as clock
      ) as judged
    )
    returning points, expire - :now as "leftMs"`;
  return async (keyId) => {
    const { rows } = await database.write.raw<{ rows: [WindowCount] }>(statement, {
      key: `key:${String(keyId)}`,
      now: now(),
      windowMs,
    });
    return rows[0];
  };
};

const toAllowance = ({ points, leftMs }: WindowCount, limit: number): RateLimitStatus => ({
  accepted: points <= limit,
  limit,
  remaining: Math.max(0, limit - points),
  resetSeconds: Math.min(Math.max(1, Math.ceil(leftMs / 1000)), windowMs / 1000),
});
