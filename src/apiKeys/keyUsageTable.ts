import type { Database } from '../database/database.js';
import { countChosenRows, deleteBatch } from '../database/transactions.js';

/** The requests of one key in one hour. */
export interface KeyUsage {
  readonly keyId: number;
  /** When the hour began. */
  readonly hour: number;
  /** All of them, the refused ones too. */
  readonly requests: number;
  /** Those beyond the limit or the scope of the key. */
  readonly refusals: number;
  /** Those that ended in an unexpected error. */
  readonly failures: number;
}

export interface KeyUsageTable {
  /**
   * Adds to what is counted already, in one statement; at most `maxUsagesPerStatement`, each key and hour
   * once.
   */
  add(usages: readonly KeyUsage[]): Promise<void>;
  /** The hours from this one on, oldest first. */
  since(hour: number): Promise<KeyUsage[]>;
  /** Removes a batch of the hours before this one, and returns how many. */
  removeBefore(hour: number, limit?: number): Promise<number>;
  /** How many there are of them, at most `limit`. */
  countBefore(hour: number, limit: number): Promise<number>;
}

export const maxUsagesPerStatement = 500;

/** The table of requests by key and hour. */
export const makeKeyUsageTable = ({ read, write }: Database): KeyUsageTable => ({
  add: async (usages) => {
    if (usages.length === 0) return;
    // Always in the same order, so that two processes can't deadlock.
    const rows = usages
      .toSorted((a, b) => a.hour - b.hour || a.keyId - b.keyId)
      .map(({ keyId, ...counts }) => ({ key_id: keyId, ...counts }));
    await write('key_usage')
      .insert(rows)
      .onConflict(['hour', 'key_id'])
      .merge({
        requests: write.raw('key_usage.requests + excluded.requests'),
        refusals: write.raw('key_usage.refusals + excluded.refusals'),
        failures: write.raw('key_usage.failures + excluded.failures'),
      });
  },
  since: (hour) =>
    read('key_usage')
      .select<KeyUsage[]>({ keyId: 'key_id' }, 'hour', 'requests', 'refusals', 'failures')
      .where('hour', '>=', hour)
      .orderBy(['hour', 'key_id']),
  removeBefore: (hour, limit) =>
    deleteBatch(
      write,
      { table: 'key_usage', key: ['hour', 'key_id'] },
      (rows) => rows.where('hour', '<', hour),
      limit,
    ),
  countBefore: (hour, limit) =>
    countChosenRows(read, 'key_usage', (rows) => rows.where('hour', '<', hour), limit),
});
