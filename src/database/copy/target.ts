import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Database } from '../database.js';
import { runMigrations } from '../migrator.js';
import { migrations } from '../migrations/index.js';
import { inTransaction } from '../transactions.js';
import {
  findUnfinishedCopy,
  markUnfinishedCopy,
  unfinishedCopyTable,
  type CopyOrigin,
} from '../unfinishedCopy.js';
import { CopyError } from './copyError.js';
import type { RowKey } from './rows.js';
import { readTableSchemas } from './tableSchema.js';

/** What a service that was started once has left: no records. They are replaced by those of the source. */
const disposableTables = new Set(['leases', 'rate_limits', 'revisions', 'setup_tokens', 'write_probes']);

/** Tells a database from others: no two were migrated in the same milliseconds. */
export const readIdentity = async (db: Knex): Promise<string> => {
  const rows = await db('migrations')
    .orderBy('name')
    .select<{ name: string; done_at: number }[]>('name', 'done_at');
  const text = rows.map(({ name, done_at: at }) => `${name} ${String(at)}`).join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
};

/**
 * Makes the target ready: an empty database gets the tables and is marked as an unfinished copy of this source; one that
 * is that already is continued. Everything else is refused before it is changed. `tables` are those of the source. Returns whether
 * it is continued.
 */
export const prepareTarget = async (
  target: Database,
  db: Knex,
  origin: CopyOrigin,
  { isRestart, tables }: { readonly isRestart: boolean; readonly tables: readonly string[] },
): Promise<boolean> => {
  const unfinished = await findUnfinishedCopy(db);
  if (unfinished && isRestart) await discardCopy(target, db, tables);
  else if (unfinished) {
    await assertContinuable(db, unfinished, origin);
    return true;
  }
  await assertEmpty(target, db);
  await runMigrations(target, migrations);
  if ((await readIdentity(db)) === origin.identity)
    throw new CopyError('same-database', 'source and target are the same database');
  await inTransaction(db, async (transaction) => {
    for (const table of disposableTables) await transaction(table).delete();
    await markUnfinishedCopy(transaction, origin);
  });
  return false;
};

const assertContinuable = async (db: Knex, unfinished: CopyOrigin, origin: CopyOrigin): Promise<void> => {
  const beginAgain = '--restart, which empties the target and begins again';
  if (unfinished.identity !== origin.identity)
    throw new CopyError(
      'other-source',
      `the target is an unfinished copy of another database, ${unfinished.label}: give ${beginAgain}`,
    );
  // The copy of a file has the identity of the file, and may have other rows since.
  if (unfinished.place !== undefined && unfinished.place !== origin.place)
    throw new CopyError(
      'other-source',
      `the target is an unfinished copy of ${unfinished.label}, and ${origin.label} is another database that was copied from there: continue with the first one, or give ${beginAgain}`,
    );
  const done = await db('migrations').pluck<string[]>('name');
  if (done.length !== migrations.length)
    throw new CopyError(
      'other-source',
      `the target was begun by another version of the program: give ${beginAgain}`,
    );
};

const assertEmpty = async ({ dialect }: Database, db: Knex): Promise<void> => {
  const tables = [...(await readTableSchemas(dialect, db)).keys()];
  if (tables.length > 0 && !(await db.schema.hasTable('migrations')))
    throw new CopyError(
      'foreign-tables',
      `the target has tables of another program (${tables.slice(0, 3).join(', ')}): name an empty database`,
    );
  for (const table of tables) {
    if (disposableTables.has(table) || !(await db(table).first(db.raw('1')))) continue;
    throw new CopyError(
      'not-empty',
      `the target is not empty, it has rows in ${table}. Name an empty database; if it is a finished copy, database compare shows whether it equals the source`,
    );
  }
};

/** Removes the rows of an unfinished copy, and its mark. Tables that the source does not have are not voucherd's. */
const discardCopy = async (
  { dialect }: Database,
  db: Knex,
  sourceTables: readonly string[],
): Promise<void> => {
  const own = await readTableSchemas(dialect, db);
  const tables = sourceTables.filter((name) => own.has(name));
  await inTransaction(db, async (transaction) => {
    if (dialect === 'postgres')
      await transaction.raw(`truncate ${tables.map(() => '??').join(', ')} restart identity`, tables);
    else {
      await transaction.raw('pragma defer_foreign_keys = on');
      for (const table of tables) await transaction(table).delete();
      await transaction('sqlite_sequence').delete();
    }
    await transaction.schema.dropTable(unfinishedCopyTable);
  });
};

/** How far a table is copied. */
export interface TableProgress {
  readonly rows: number;
  /** The key of the last row that was copied. */
  readonly after: RowKey | undefined;
}

/** Reads how far each table is copied. */
export const readProgress = async (db: Knex): Promise<Map<string, TableProgress>> => {
  const rows = await db(unfinishedCopyTable)
    .whereRaw("name like 'table:%'")
    .select<{ name: string; value: string }[]>('name', 'value');
  return new Map(
    rows.map(({ name, value }) => [name.slice('table:'.length), JSON.parse(value) as TableProgress]),
  );
};

/** Records how far a table is copied, in the transaction of its rows. */
export const writeProgress = async (
  transaction: Knex,
  table: string,
  progress: TableProgress,
): Promise<void> => {
  await transaction(unfinishedCopyTable)
    .insert({ name: `table:${table}`, value: JSON.stringify(progress) })
    .onConflict('name')
    .merge();
};

/** Removes the mark: from now on services may use the database. */
export const finishCopy = (db: Knex): Promise<void> => db.schema.dropTable(unfinishedCopyTable);
