import { LRUCache } from 'lru-cache';
import type { RevisionName, Revisions } from './revisions.js';

interface Entry<T> {
  readonly revision: number;
  readonly value: Promise<T>;
}

export interface CurrentOptions<T> {
  revisions: Revisions;
  load(name: RevisionName): Promise<T>;
  /** How much a value weighs against `maxSize`. */
  sizeOf?(value: T): number;
  /** Bound of what is kept. Without `sizeOf` it is a number of values. */
  maxSize: number;
  /** Does a kept value no longer hold although nothing was written? */
  isOver?(value: T): boolean;
}

/**
 * Values that are worked out once per revision of what they are made of. The revision is read before the value is
 * loaded, so a value can be newer than its revision, and is then loaded once more, but never older.
 */
export const makeCurrent = <T>({ revisions, load, sizeOf, maxSize, isOver }: CurrentOptions<T>) => {
  const entries = new LRUCache<RevisionName, Entry<T>>({ maxSize, sizeCalculation: () => 1 });

  return async (name: RevisionName): Promise<T> => {
    const revision = await revisions.current(name);
    let kept = entries.get(name);
    while (kept?.revision === revision) {
      const value = await kept.value;
      if (!isOver?.(value)) return value;
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
