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

/**
 * Runs a transaction that changes nothing when it is done twice. When the database does not answer, which leaves open
 * whether it was done, it is tried once more, on another connection.
 */
export const inRepeatableTransaction = async <T>(
  db: Knex,
  work: (transaction: Knex) => Promise<T>,
): Promise<T> => {
  try {
    return await inTransaction(db, work);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    return inTransaction(db, work);
  }
};
