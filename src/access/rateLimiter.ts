import type { RateLimitStatus } from '../contract/runtime/request.js';
import type { Clock } from '../lib/system.js';
import { type Database } from '../storage/database.js';
import { makeSqlNow } from '../storage/databaseClock.js';
import type { ApiKey } from './apiKeys.js';

/** Counts requests per key in fixed windows of one minute. */
export interface RateLimiter {
  /** `undefined` for a key without a limit, which is not counted. */
  count(key: Pick<ApiKey, 'id' | 'rateLimit'>): Promise<RateLimitStatus> | undefined;
}

/** A request's number in its window, and the time until the window ends. */
interface WindowCount {
  readonly points: number;
  readonly leftMs: number;
}

type CountRequest = (keyId: number) => Promise<WindowCount>;

const windowMs = 60_000;

/** With SQLite there is one process, which counts in memory; with PostgreSQL the database counts, by its own clock. */
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
    // A window that ends later than that was begun before the clock was set back.
    if (!window || window.end <= now || window.end > now + windowMs) {
      window = { end: now + windowMs, points: 0 };
      windows.set(keyId, window);
    }
    window.points += 1;
    return Promise.resolve({ points: window.points, leftMs: window.end - now });
  };
};

/**
 * A single statement, so that no two requests get the same number. The time is read after the row is locked: a request
 * that waited for another must not mistake the window that the other began for one in the future.
 */
const countInDatabase = (database: Database, clock: Clock): CountRequest => {
  const now = makeSqlNow(database, clock);
  const statement = `
    insert into rate_limits as counted (key, points, expire) values (:key, 1, :now + :windowMs)
    on conflict (key) do update set (points, expire) = (
      select
        case when has_ended then 1 else counted.points + 1 end,
        case when has_ended then now + :windowMs else counted.expire end
      from (
        select now, counted.expire <= now or counted.expire > now + :windowMs as has_ended
        from (select :now as now offset 0) as clock
      ) as state
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
