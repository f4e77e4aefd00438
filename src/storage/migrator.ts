import type { Knex } from 'knex';
import { DatabaseError, type Database } from './database.js';
import { migrations, type Migration } from './migrations/index.js';
import { inTransaction } from './transactions.js';

/**
 * Brings the database up to date and returns the names of the migrations that ran. `onBegin` hears of each before it
 * runs, unless the database is new: what is stored already may take a while.
 *
 * knex's own migrator leaves its lock behind when the process is killed, and an operator has to remove it. Here each
 * migration is one transaction that starts by inserting its own name: a second process waits for that row, finds it and
 * goes on; a killed process leaves nothing behind.
 */
export const migrate = (database: Database, onBegin?: (name: string) => void): Promise<string[]> =>
  runMigrations(database, migrations, onBegin);

/** Runs the given migrations that the database does not have yet. */
export const runMigrations = (
  { dialect, withoutTimeouts }: Database,
  wanted: readonly Migration[],
  onBegin?: (name: string) => void,
): Promise<string[]> => withoutTimeouts((write) => runMissing(dialect, write, wanted, onBegin));

const runMissing = async (
  dialect: Database['dialect'],
  write: Knex,
  wanted: readonly Migration[],
  onBegin: (name: string) => void = () => undefined,
): Promise<string[]> => {
  await inTransaction(write, async (transaction) => {
    // On PostgreSQL "if not exists" is not safe when two processes run it at once.
    if (dialect === 'postgres') await transaction.raw('select pg_advisory_xact_lock(7601)');
    await transaction.raw(
      'create table if not exists migrations (name varchar(255) primary key, done_at bigint not null)',
    );
  });
  await assertNotNewer(write, wanted);
  const isNew = (await write('migrations').first('name')) === undefined;
  const done: string[] = [];
  for (const { name, up } of wanted) {
    const ran = await inTransaction(write, async (transaction) => {
      const claimed = await transaction('migrations')
        .insert({ name, done_at: Date.now() })
        .onConflict('name')
        .ignore()
        .returning('name');
      if (claimed.length === 0) return false;
      if (!isNew) onBegin(name);
      await up(transaction);
      return true;
    });
    if (ran) done.push(name);
  }
  return done;
};

/** The migrations that have not run yet. Throws when the database is newer than the program. */
export const pendingMigrations = async ({ read }: Pick<Database, 'read'>): Promise<string[]> => {
  if (!(await read.schema.hasTable('migrations'))) return migrations.map(({ name }) => name);
  await assertNotNewer(read, migrations);
  const done = new Set(await read<{ name: string }>('migrations').pluck('name'));
  return migrations.map(({ name }) => name).filter((name) => !done.has(name));
};

const assertNotNewer = async (db: Knex, wanted: readonly Migration[]): Promise<void> => {
  const known = new Set(wanted.map(({ name }) => name));
  const done = await db<{ name: string }>('migrations').orderBy('name').pluck('name');
  const unknown = done.find((name: string) => !known.has(name));
  if (unknown !== undefined) {
    throw new DatabaseError(
      `the database is newer than this program (it has "${unknown}"): start the version that made it, or restore an older copy`,
    );
  }
};
