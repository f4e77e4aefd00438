import type { Knex } from 'knex';

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
