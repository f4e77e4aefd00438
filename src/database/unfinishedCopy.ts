import type { Knex } from 'knex';
import { formatCommandLine } from '../lib/commandLine.js';
import { DatabaseError } from './database.js';

/** Exists in a database while `database copy` fills it. No migration creates it. */
export const unfinishedCopyTable = 'unfinished_copy';

/** Where the rows of an unfinished copy come from. */
export interface CopyOrigin {
  /** Tells the database from others, wherever it is, but not from copies of its file. */
  readonly identity: string;
  /** Tells it from copies of it, too; earlier versions did not write it. */
  readonly place?: string | undefined;
  /** How the operator knows it, without secrets. */
  readonly label: string;
}

const originName = 'origin';

/** Marks the database as an unfinished copy. */
export const markUnfinishedCopy = async (transaction: Knex, origin: CopyOrigin): Promise<void> => {
  await transaction.schema.createTable(unfinishedCopyTable, (table) => {
    table.text('name').primary();
    table.text('value').notNullable();
  });
  await transaction(unfinishedCopyTable).insert({ name: originName, value: JSON.stringify(origin) });
};

/** Where this database is being copied from; undefined when it is not an unfinished copy. */
export const findUnfinishedCopy = async (db: Knex): Promise<CopyOrigin | undefined> => {
  if (!(await db.schema.hasTable(unfinishedCopyTable))) return undefined;
  const row = await db<{ name: string; value: string }>(unfinishedCopyTable)
    .where({ name: originName })
    .first();
  return row && (JSON.parse(row.value) as CopyOrigin);
};

/** Only `database copy` may use what is copied in part: a service would issue codes and ids twice. */
export const assertNoUnfinishedCopy = async (db: Knex): Promise<void> => {
  const origin = await findUnfinishedCopy(db);
  if (origin)
    throw new DatabaseError(
      'unfinished-copy',
      `the database is an unfinished copy of ${origin.label}: run ${formatCommandLine('database copy')} again, which continues it`,
    );
};
