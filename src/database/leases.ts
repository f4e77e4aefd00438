import type { Clock } from '../lib/system.js';
import { type Database } from './database.js';
import { makeSqlNow } from './databaseClock.js';

/** Leases for work that only one process may do at a time. A lease that is not renewed in time expires. */
export interface LeaseTable {
  /** Acquires or renews leases with few statements, and returns the names of those the owner now has. */
  acquire(names: readonly string[], owner: string, ms: number): Promise<Set<string>>;
  /** Releases leases of this owner; those of other owners stay. */
  release(names: readonly string[], owner: string): Promise<void>;
}

/** How many leases one statement names. */
const batchSize = 500;

/** The leases in the database, which decides by its own clock. */
export const makeLeaseTable = (database: Database, clock: Clock): LeaseTable => {
  const { read, write } = database;
  const now = makeSqlNow(database, clock);

  /** No lease lasts twice its time: one that ends later was written before the clock was set back. */
  const isUnexpired = 'leases.until >= ? and leases.until <= ? + ?';
  const unexpiredBindings = (ms: number) => [now(), now(), 2 * ms];

  const acquireBatch = async (names: readonly string[], owner: string, ms: number): Promise<string[]> => {
    // Every process asks every few seconds for leases that others own: reading first saves the commit.
    const taken = new Set(
      await read('leases')
        .whereIn('name', names)
        .whereNot({ owner })
        .whereRaw(isUnexpired, unexpiredBindings(ms))
        .pluck<string[]>('name'),
    );
    // Sorted, so that two processes cannot deadlock.
    const free = names.filter((name) => !taken.has(name)).sort();
    if (free.length === 0) return [];
    return (
      await write('leases')
        .insert(free.map((name) => ({ name, owner, until: write.raw('? + ?', [now(), ms]) })))
        .onConflict('name')
        .merge()
        .where((either) =>
          either.where('leases.owner', owner).orWhereRaw(`not (${isUnexpired})`, unexpiredBindings(ms)),
        )
        .returning<{ name: string }[]>('name')
    ).map(({ name }) => name);
  };

  return {
    acquire: async (names, owner, ms) => {
      const acquired = new Set<string>();
      for (let start = 0; start < names.length; start += batchSize)
        for (const name of await acquireBatch(names.slice(start, start + batchSize), owner, ms))
          acquired.add(name);
      return acquired;
    },
    release: async (names, owner) => {
      for (let start = 0; start < names.length; start += batchSize)
        await write('leases')
          .where({ owner })
          .whereIn('name', names.slice(start, start + batchSize))
          .delete();
    },
  };
};

interface LeaseDuration {
  /** How long a lease lasts unless it is renewed. */
  readonly leaseMs: number;
  /** A renewal asks the database only when no more than this is left; by default it always does. */
  readonly renewBelowMs?: number;
}

/** The leases that one process keeps, and when they expire by its own clock. */
export interface OwnedLeases {
  /** Keeps these leases and lets others expire. Returns the names of those this process has. */
  renew(names: readonly string[]): Promise<Set<string>>;
  /** Releases every lease of this process. */
  release(): Promise<void>;
}

/** Keeps many leases for as long as their owner renews them. For one piece of work use `withLease`. */
export const makeOwnedLeases = (
  leases: LeaseTable,
  owner: string,
  clock: Clock,
  { leaseMs, renewBelowMs = leaseMs }: LeaseDuration,
): OwnedLeases => {
  const expiries = new Map<string, number>();

  const isEnding = (name: string, now: number): boolean => {
    const leftMs = (expiries.get(name) ?? 0) - now;
    // More than the whole lease is left when the clock was set back.
    return leftMs <= renewBelowMs || leftMs > leaseMs;
  };

  return {
    renew: async (names) => {
      // Before the statement, so that this process never believes in a lease that has expired.
      const now = clock.now();
      const wanted = new Set(names);
      for (const name of expiries.keys()) if (!wanted.has(name)) expiries.delete(name);
      const ending = names.filter((name) => isEnding(name, now));
      const acquired = await leases.acquire(ending, owner, leaseMs);
      for (const name of ending) {
        if (acquired.has(name)) expiries.set(name, now + leaseMs);
        else expiries.delete(name);
      }
      return new Set(names.filter((name) => expiries.has(name)));
    },
    release: async () => {
      const names = [...expiries.keys()];
      expiries.clear();
      await leases.release(names, owner);
    },
  };
};

/** A lease that this process has acquired. */
export interface Lease {
  /** Aborts when a renewal by the interval finds that the lease is lost. */
  readonly signal: AbortSignal;
  /** Renews the lease if it ends soon. False when it is lost. */
  renew(): Promise<boolean>;
}

export interface WithLeaseOptions extends LeaseDuration {
  /** Renews the lease this often while the work runs; without it only the work itself renews. */
  readonly renewIntervalMs?: number;
}

/**
 * Runs work under a lease and releases it afterwards. Undefined, without running it, when another process has
 * the lease.
 */
export type WithLease = <T>(
  name: string,
  options: WithLeaseOptions,
  work: (lease: Lease) => Promise<T>,
) => Promise<T | undefined>;

/** Creates a `WithLease` for one process, which `owner` identifies. */
export const makeWithLease =
  (leases: LeaseTable, owner: string, clock: Clock): WithLease =>
  async (name, options, work) => {
    const owned = makeOwnedLeases(leases, owner, clock, options);
    const renew = async (): Promise<boolean> => (await owned.renew([name])).has(name);
    if (!(await renew())) return undefined;
    const abort = new AbortController();
    let renewal = Promise.resolve();
    const renewByInterval = async (): Promise<void> => {
      // A failed query does not lose the lease: the next renewal comes before it expires.
      if (!(await renew().catch(() => true))) abort.abort(new Error('lease lost to another process'));
    };
    const timer =
      options.renewIntervalMs === undefined
        ? undefined
        : setInterval(() => {
            renewal = Promise.all([renewal, renewByInterval()]).then(() => undefined);
          }, options.renewIntervalMs).unref();
    try {
      return await work({ signal: abort.signal, renew });
    } finally {
      clearInterval(timer);
      // A renewal in flight would acquire the lease again after its release.
      await renewal;
      await owned.release();
    }
  };
