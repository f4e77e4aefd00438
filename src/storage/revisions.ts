import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { batchCalls } from '../lib/batch.js';
import type { Database } from './database.js';

/** What has a revision: API keys, sites with their controllers, webhooks, users, profiles, and the vouchers of each site. */
type RevisionName = 'keys' | 'sites' | 'webhooks' | 'people' | 'profiles' | `site:${number}`;

export interface Revisions {
  /** The current revision, read after this call. Concurrent calls share one query. */
  current(name: RevisionName): Promise<number>;
  /** Rises with every change of anything that has a revision. */
  total(): Promise<number>;
}

/** The revisions that tell readers when their copy is out of date. */
export const makeRevisions = ({ read }: Database): Revisions => ({
  current: batchCalls(async (names) => {
    const rows = await read<{ name: string; value: number }>('revisions')
      .select('name', 'value')
      .whereIn('name', [...new Set(names)]);
    const values = new Map(rows.map(({ name, value }) => [name, value]));
    return names.map((name) => values.get(name) ?? 0);
  }),
  total: async () => {
    const row = await read('revisions').first<{ total: number | string | null } | undefined>(
      read.raw('sum(value) as total'),
    );
    return Number(row?.total ?? 0);
  },
});

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
  readonly value: Promise<T>;
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
 * Caches a value per revision. The revision is read before the value is loaded, so a cached value may be newer than its
 * revision, and is then loaded again, but never older.
 */
export const makeRevisionCache = <T>({
  revisions,
  load,
  sizeOf,
  maxSize,
  isExpired,
}: RevisionCacheOptions<T>) => {
  const entries = new LRUCache<RevisionName, Entry<T>>({ maxSize, sizeCalculation: () => 1 });

  return async (name: RevisionName): Promise<T> => {
    const revision = await revisions.current(name);
    let cached = entries.get(name);
    while (cached?.revision === revision) {
      const value = await cached.value;
      if (!isExpired?.(value)) return value;
      const newer = entries.get(name);
      // Of concurrent calls that find it expired, the first loads it again and the others wait for it.
      if (newer === cached) break;
      cached = newer;
    }
    const entry = { revision, value: load(name) };
    entries.set(name, entry);
    try {
      const value = await entry.value;
      if (sizeOf && entries.peek(name) === entry) entries.set(name, entry, { size: sizeOf(value) });
      return value;
    } catch (error) {
      if (entries.peek(name) === entry) entries.delete(name);
      throw error;
    }
  };
};
