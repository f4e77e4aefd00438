import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.js';
import { makeSqlNow } from '../database/databaseClock.js';
import { deleteInBatches } from '../database/transactions.js';
import type { Awaitable } from '../lib/awaitable.js';
import { Problem } from '../errors/problem.js';
import type { Clock } from '../lib/system.js';

/** A call's number in its window, and the time until the window ends. */
export interface WindowCount {
  readonly points: number;
  readonly leftMs: number;
}

/** Counts calls by key in fixed windows. A window begins with the first call after the last one has ended. */
export interface WindowCounter {
  count(key: string): Awaitable<WindowCount>;
  /** Takes one call back. */
  takeBack(key: string): Promise<void>;
}

/** More keys than there are clients. Beyond it the least recently counted are forgotten. */
const maxKeysInMemory = 100_000;

/**
 * With SQLite there is one process, which counts in memory; with PostgreSQL the database counts, by its own
 * clock.
 */
export const makeWindowCounter = (database: Database, clock: Clock, windowMs: number): WindowCounter =>
  database.dialect === 'sqlite' ? countInMemory(clock, windowMs) : countInDatabase(database, clock, windowMs);

/** Counters of windows of these lengths. Keys of one length must not be used for another. */
export const makeCountersByMinutes = (
  database: Database,
  clock: Clock,
  lengths: readonly number[],
): ((minutes: number) => WindowCounter) => {
  const counters = new Map(
    lengths.map((minutes) => [minutes, makeWindowCounter(database, clock, minutes * 60_000)]),
  );
  return (minutes) => {
    const counter = counters.get(minutes);
    if (!counter) throw new Error(`there is no window of ${String(minutes)} minutes`);
    return counter;
  };
};

const countInMemory = (clock: Clock, windowMs: number): WindowCounter => {
  const windows = new LRUCache<string, { readonly end: number; points: number }>({
    maxSize: maxKeysInMemory,
    sizeCalculation: () => 1,
  });
  return {
    count: (key) => {
      const now = clock.now();
      let window = windows.get(key);
      // A window that ends later than that was begun before the clock was set back.
      if (!window || window.end <= now || window.end > now + windowMs) {
        window = { end: now + windowMs, points: 0 };
        windows.set(key, window);
      }
      window.points += 1;
      return { points: window.points, leftMs: window.end - now };
    },
    takeBack: (key) => {
      const window = windows.get(key);
      if (window && window.points > 0) window.points -= 1;
      return Promise.resolve();
    },
  };
};

/**
 * A single statement, so that no two calls get the same number. The time is read after the row is locked: a
 * call that waited for another must not mistake the window that the other began for one in the future.
 */
const countInDatabase = (database: Database, clock: Clock, windowMs: number): WindowCounter => {
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
  return {
    count: async (key) => {
      const { rows } = await database.write.raw<{ rows: [WindowCount] }>(statement, {
        key,
        now: now(),
        windowMs,
      });
      return rows[0];
    },
    takeBack: async (key) => {
      await database.write('rate_limits').where({ key }).where('points', '>', 0).decrement('points');
    },
  };
};

/** The refusal of what goes beyond a limit, until its window ends. */
export const limitExceeded = ({ leftMs }: Pick<WindowCount, 'leftMs'>, windowMs: number): Problem => {
  const seconds = String(Math.min(Math.max(1, Math.ceil(leftMs / 1000)), windowMs / 1000));
  return new Problem('rate_limited', { seconds }, { 'Retry-After': seconds });
};

/** Removes the windows that have ended by `now`. */
export const removeEndedWindows = ({ write }: Database, now: number): Promise<number> =>
  deleteInBatches(write, { table: 'rate_limits', key: 'key' }, (rows) => rows.where('expire', '<=', now));
