import type { Knex } from 'knex';
import { formatCommandLine } from '../lib/commandLine.js';
import { DatabaseError } from './database.js';

/** Exists in a database until `database copy` has filled it. No migration creates it. */
export const unfinishedCopyTable = 'unfinished_copy';

export const markUnfinishedCopy = (db: Knex): Promise<void> =>
  db.schema.createTable(unfinishedCopyTable, (table) => void table.bigInteger('begun_at'));

/**
 * Only `database copy` may use what is not copied yet: a
 * service would take it for a new database, and begin anew.
 */
export const assertNoUnfinishedCopy = async (db: Knex): Promise<void> => {
  if (await db.schema.hasTable(unfinishedCopyTable))
    throw new DatabaseError(
      'unfinished-copy',
      `the database is an unfinished copy: run ${formatCommandLine('database copy')} again`,
    );
};
