import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { DatabaseUnavailable } from '../lib/problem.js';

const commitListeners = new WeakMap<Knex, () => void>();

/** Calls back after each transaction of this writer, before whoever asked for it hears of its end. */
export const onTransactionEnd = (db: Knex, listener: () => void): void => {
  commitListeners.set(db, listener);
};

/**
 * Runs a transaction and throws the first error. On a full disk SQLite rolls back by itself; knex's own rollback then
 * fails, and its error would hide the cause.
 */
export const inTransaction = async <T>(db: Knex, work: (transaction: Knex) => Promise<T>): Promise<T> => {
  const failure: { cause?: unknown } = {};
  try {
    return await db.transaction(async (transaction) => {
      try {
        return await work(transaction);
      } catch (error) {
        failure.cause = error;
        throw error;
      }
    });
  } catch (error) {
    throw 'cause' in failure ? failure.cause : error;
  } finally {
    commitListeners.get(db)?.();
  }
};

/** Long enough for a server to restart. */
const repeatTimeoutMs = 3000;
const repeatPauseMs = 250;

/**
 * Runs an idempotent transaction. When the database does not answer, it is not known whether the transaction was
 * committed, so it is repeated on another connection: at least once, and for a few seconds while connections fail.
 */
export const inRepeatableTransaction = async <T>(
  db: Knex,
  work: (transaction: Knex) => Promise<T>,
): Promise<T> => {
  const began = performance.now();
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      return await inTransaction(db, work);
    } catch (error) {
      const isOver = isRepeated && performance.now() - began > repeatTimeoutMs;
      if (!(error instanceof DatabaseUnavailable) || isOver) throw error;
    }
    await pause(repeatPauseMs);
  }
};

/** The maximum number of rows inserted or deleted by one statement. */
const batchSize = 500;

/** Inserts rows in batches: SQLite limits how many one statement may have. */
export const insertInBatches = async (db: Knex, table: string, rows: readonly object[]): Promise<void> => {
  for (let start = 0; start < rows.length; start += batchSize)
    await db(table).insert(rows.slice(start, start + batchSize));
};

/** Deletes rows in batches, so that other writers do not wait for all of them. `key` is a unique column. */
export const deleteInBatches = async (
  db: Knex,
  { table, key }: { readonly table: string; readonly key: string },
  choose: (rows: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<number> => {
  let removed = 0;
  for (;;) {
    const count = await db(table)
      .whereIn(key, choose(db(table).select(key)).limit(batchSize))
      .delete();
    removed += count;
    if (count < batchSize) return removed;
  }
};
