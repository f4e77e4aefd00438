import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { DatabaseUnavailable } from '../databaseUnavailable.js';

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
const patienceMs = 3000;
const pauseMs = 250;

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
      const isOver = isRepeated && performance.now() - began > patienceMs;
      if (!(error instanceof DatabaseUnavailable) || isOver) throw error;
    }
    await pause(pauseMs);
  }
};
