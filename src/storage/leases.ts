import type { Database } from './database.js';
import { makeSqlNow } from './databaseClock.js';
import type { Clock } from '../lib/system.js';

/** Work that one process does at a time. A lease that is not renewed in time is free for another. */
export interface LeaseTable {
  /** Takes or renews a lease. False while somebody else holds it. */
  acquire(name: string, owner: string, ms: number): Promise<boolean>;
  /** Takes or renews many leases with few statements, and returns those that could be had. */
  acquireAll(names: readonly string[], owner: string, ms: number): Promise<Set<string>>;
  release(names: readonly string[], owner: string): Promise<void>;
}

/** How many leases one statement names. */
const batchSize = 500;

export const makeLeaseTable = (database: Database, clock: Clock): LeaseTable => {
  const { read, write } = database;
  const now = makeSqlNow(database, clock);

  /** Nobody takes a lease for twice its time: what lies further ahead was written before the clock was set back. */
  const isHeld = 'leases.until >= ? and leases.until <= ? + ?';
  const held = (ms: number) => [now(), now(), 2 * ms];

  const takeBatch = async (names: readonly string[], owner: string, ms: number): Promise<string[]> => {
    // Whoever waits for the leases of others asks every few seconds: what is only read costs no commit.
    const others = new Set(
      await read('leases')
        .whereIn('name', names)
        .whereNot({ owner })
        .whereRaw(isHeld, held(ms))
        .pluck<string[]>('name'),
    );
    // In order, so that two processes can't wait in a circle.
    const free = names.filter((name) => !others.has(name)).sort();
    if (free.length === 0) return [];
    return (
      await write('leases')
        .insert(free.map((name) => ({ name, owner, until: write.raw('? + ?', [now(), ms]) })))
        .onConflict('name')
        .merge()
        .where((either) => either.where('leases.owner', owner).orWhereRaw(`not (${isHeld})`, held(ms)))
        .returning<{ name: string }[]>('name')
    ).map(({ name }) => name);
  };

  const takeAll: LeaseTable['acquireAll'] = async (names, owner, ms) => {
    const taken = new Set<string>();
    for (let start = 0; start < names.length; start += batchSize)
      for (const name of await takeBatch(names.slice(start, start + batchSize), owner, ms)) taken.add(name);
    return taken;
  };

  return {
    acquire: async (name, owner, ms) => (await takeAll([name], owner, ms)).has(name),
    acquireAll: takeAll,
    release: async (names, owner) => {
      for (let start = 0; start < names.length; start += batchSize)
        await write('leases')
          .where({ owner })
          .whereIn('name', names.slice(start, start + batchSize))
          .delete();
    },
  };
};
