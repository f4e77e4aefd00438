import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { batchCalls } from '../lib/batch.js';
import type { Database } from './database.js';

/** What can change under a reader: keys, sites with their controllers, webhooks, the vouchers of one site. */
type RevisionName = 'keys' | 'sites' | 'webhooks' | `site:${number}`;

export interface Revisions {
  /** The current revision, read after this call. At most one query per turn, however many ask. */
  current(name: RevisionName): Promise<number>;
}

export const makeRevisions = ({ read }: Database): Revisions => ({
  current: batchCalls(async (names) => {
    const rows = await read<{ name: string; value: number }>('revisions')
      .select('name', 'value')
      .whereIn('name', [...new Set(names)]);
    const values = new Map(rows.map(({ name, value }) => [name, value]));
    return names.map((name) => values.get(name) ?? 0);
  }),
});

/** Raises revisions, within the transaction that makes the change. In order of name, so that two can't deadlock. */
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
  /** How much a value weighs against `maxSize`. */
  sizeOf?(value: T): number;
  /** Bound of what is kept. Without `sizeOf` it is a number of values. */
  maxSize: number;
  /** Does a kept value no longer hold although nothing was written? */
  isExpired?(value: T): boolean;
}

/**
 * Values that are worked out once per revision of what they are made of. The revision is read before the value is
 * loaded, so a value can be newer than its revision, and is then loaded once more, but never older.
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
    let kept = entries.get(name);
    while (kept?.revision === revision) {
      const value = await kept.value;
      if (!isExpired?.(value)) return value;
      const newer = entries.get(name);
      // Of many who find it over at once, the first loads it anew and the others wait for that.
      if (newer === kept) break;
      kept = newer;
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
