import { statSync } from 'node:fs';
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { andThen, type Awaitable } from '../lib/awaitable.js';
import { batchCalls } from './batch.js';
import type { Database } from './database.js';
import { onTransactionEnd } from './transactions.js';

/**
 * What has one revision: API keys, sites with their controllers, webhooks, users, profiles, receipt printers,
 * rules for orders, orders that failed or are open, and what is set for the whole service.
 */
export const revisionTopics = [
  'keys',
  'sites',
  'webhooks',
  'people',
  'profiles',
  'printers',
  'limits',
  'orders',
  'settings',
] as const;

/** The vouchers of each site have a revision of their own. */
type RevisionName = (typeof revisionTopics)[number] | `site:${number}`;

export interface Revisions {
  /** The current revision, read after this call. Concurrent calls share one query. */
  current(name: RevisionName): Awaitable<number>;
  /** Asks the database, whatever is remembered. For something that is not found, because it may be new. */
  latest(name: RevisionName): Promise<number>;
  /** Rises with every change of anything that has a revision. */
  total(): Promise<number>;
}

/** The revisions that tell readers when their copy is out of date. */
export const makeRevisions = ({ read }: Database): Revisions => {
  const latest = batchCalls(async (names: readonly RevisionName[]) => {
    const rows = await read<{ name: string; value: number }>('revisions')
      .select('name', 'value')
      .whereIn('name', [...new Set(names)]);
    const values = new Map(rows.map(({ name, value }) => [name, value]));
    return names.map((name) => values.get(name) ?? 0);
  });
  return {
    current: latest,
    latest,
    total: async () => {
      const row = await read('revisions').first<{ total: number | string | null } | undefined>(
        read.raw('sum(value) as total'),
      );
      return Number(row?.total ?? 0);
    },
  };
};

/** Revisions that are remembered until something may have changed. */
export interface RememberedRevisions extends Revisions {
  /** Forgets them if another process has changed something. To be called a few times a second. */
  check(): Promise<void>;
}

/** Clients may ask for any number of sites that do not exist. */
const maxRemembered = 10_000;

/**
 * For the one service process that owns an SQLite file: what it changes itself, it knows. Commands are other
 * processes; each of their changes is written to the log of the file, whose time is looked at once in a turn
 * of the event loop. What comes between that look and the end of their transaction is found by `check`.
 */
export const rememberRevisions = (database: Database, revisions: Revisions): RememberedRevisions => {
  const walFile = `${database.file ?? ''}-wal`;
  const known = new Map<RevisionName, number>();
  let generation = 0;
  let lastWrite = 0n;
  let lastTotal = -1;
  let hasLooked = false;

  const forget = (): void => {
    generation += 1;
    known.clear();
  };
  onTransactionEnd(database.write, forget);

  const lookForWrites = (): void => {
    hasLooked = true;
    setImmediate(() => (hasLooked = false));
    const written = statSync(walFile, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 0n;
    if (written === lastWrite) return;
    lastWrite = written;
    forget();
  };

  const read = async (name: RevisionName): Promise<number> => {
    const before = generation;
    const value = await revisions.latest(name);
    if (generation === before) {
      if (known.size >= maxRemembered) known.clear();
      known.set(name, value);
    }
    return value;
  };

  return {
    ...revisions,
    current: (name) => {
      if (!hasLooked) lookForWrites();
      return known.get(name) ?? read(name);
    },
    latest: read,
    check: async () => {
      const total = await revisions.total().catch((error: unknown) => {
        forget();
        throw error;
      });
      if (total !== lastTotal) forget();
      lastTotal = total;
    },
  };
};

/** Raises revisions, in the transaction that makes the change. Sorted by name to avoid deadlocks. */
export const raiseRevisions = async (db: Knex, names: Iterable<RevisionName>): Promise<void> => {
  const rows = [...new Set(names)].sort().map((name) => ({ name, value: 1 }));
  await db('revisions')
    .insert(rows)
    .onConflict('name')
    .merge({ value: db.raw('revisions.value + 1') });
};

interface Entry<T> {
  readonly revision: number;
  readonly loading: Promise<T>;
  /** Once it is loaded. */
  loaded?: { readonly value: T };
}

interface RevisionCacheOptions<T> {
  revisions: Revisions;
  load(name: RevisionName): Promise<T>;
  /** How much of `maxSize` a value takes. */
  sizeOf?(value: T): number;
  /** The cache's limit. Without `sizeOf` it is a number of values. */
  maxSize: number;
  /** Whether a cached value has expired although its revision is the same. */
  isExpired?(value: T): boolean;
}

/**
 * Caches a value per revision. The revision is read before the value is loaded, so a cached value may be
 * newer than its revision, and is then loaded again, but never older.
 */
export const makeRevisionCache = <T>(options: RevisionCacheOptions<T>) => {
  const { revisions, sizeOf, maxSize, isExpired } = options;
  const entries = new LRUCache<RevisionName, Entry<T>>({ maxSize, sizeCalculation: () => 1 });

  const load = async (name: RevisionName, revision: number): Promise<T> => {
    const entry: Entry<T> = { revision, loading: options.load(name) };
    entries.set(name, entry);
    try {
      const value = await entry.loading;
      entry.loaded = { value };
      if (sizeOf && entries.peek(name) === entry) entries.set(name, entry, { size: sizeOf(value) });
      return value;
    } catch (error) {
      if (entries.peek(name) === entry) entries.delete(name);
      throw error;
    }
  };

  const find = (name: RevisionName, revision: number): Awaitable<T> => {
    const cached = entries.get(name);
    if (cached?.revision !== revision) return load(name, revision);
    if (!cached.loaded) return waitFor(name, cached);
    const { value } = cached.loaded;
    return isExpired?.(value) ? load(name, revision) : value;
  };

  /** Of concurrent calls the first loads the value, and the others wait for it. */
  const waitFor = async (name: RevisionName, cached: Entry<T>): Promise<T> => {
    const value = await cached.loading;
    return isExpired?.(value) ? find(name, cached.revision) : value;
  };

  return (name: RevisionName): Awaitable<T> =>
    andThen(revisions.current(name), (revision) => find(name, revision));
};
