import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.js';
import { makeSqlNow } from '../database/databaseClock.js';
import type { Clock } from '../lib/system.js';

/** Keys that belong to the first owner who claims them, in all processes, until their time is over. */
export interface KeyClaims {
  /** Returns whether the key is the owner's, from now on or already. */
  claim(key: string, owner: string): Promise<boolean>;
}

const maxKeysInMemory = 100_000;

/**
 * With SQLite there is one process, which stores claims in memory; with PostgreSQL the database does, by its
 * own clock.
 */
export const makeKeyClaims = (database: Database, clock: Clock, claimMs: number): KeyClaims =>
  database.dialect === 'sqlite' ? claimInMemory(clock, claimMs) : claimInDatabase(database, clock, claimMs);

const claimInMemory = (clock: Clock, claimMs: number): KeyClaims => {
  const claimed = new LRUCache<string, { readonly owner: string; readonly end: number }>({
    max: maxKeysInMemory,
  });
  return {
    claim: (key, owner) => {
      const now = clock.now();
      const known = claimed.get(key);
      // One that ends later than that was claimed before the clock was set back.
      if (known && known.end > now && known.end <= now + claimMs)
        return Promise.resolve(known.owner === owner);
      claimed.set(key, { owner, end: now + claimMs });
      return Promise.resolve(true);
    },
  };
};

/**
 * One statement, so that of two owners at once only one gets the key. The points of a key are its owner's
 * number.
 */
const claimInDatabase = (database: Database, clock: Clock, claimMs: number): KeyClaims => {
  const now = makeSqlNow(database, clock);
  const statement = `
    insert into rate_limits as claimed (key, points, expire) values (:key, :owner, :now + :claimMs)
    on conflict (key) do update set (points, expire) = (
      select
        case when has_ended then excluded.points else claimed.points end,
        case when has_ended then now + :claimMs else claimed.expire end
      from (
        select now, claimed.expire <= now or claimed.expire > now + :claimMs as has_ended
        from (select :now as now offset 0) as clock
      ) as state
    )
    returning points`;
  return {
    claim: async (key, owner) => {
      const number = toNumber(owner);
      const { rows } = await database.write.raw<{ rows: [{ points: number }] }>(statement, {
        key,
        owner: number,
        now: now(),
        claimMs,
      });
      return rows[0].points === number;
    },
  };
};

/** 31 bits of a hash: to find another owner with the same number takes more work than to get another key. */
const toNumber = (owner: string): number => hash('sha256', owner, 'buffer').readUInt32BE() >>> 1;
