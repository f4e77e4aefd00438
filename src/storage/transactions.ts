import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { DatabaseUnavailable } from '../lib/problem.js';

/**
 * Runs one transaction. A full disk makes SQLite roll back by itself, so that knex's own rollback fails, and its
 * failure would hide the cause: what is thrown is always what went wrong first.
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
  }
};

/** A server that restarts is back within this time. */
const repeatTimeoutMs = 3000;
const repeatPauseMs = 250;

/**
 * Runs a transaction that changes nothing when it is done twice. When the database does not answer, which leaves open
 * whether it was done, it is tried again on another connection: once at least, and for a few seconds when it is refused.
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

/** How many rows are removed in one transaction. */
const batchSize = 500;

/** Removes rows a batch at a time, so that nobody who writes has to wait for all of them; `key` tells them apart. */
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
