import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { DatabaseUnavailable } from './unavailable.js';
import { formatProgramCall } from '../lib/commandLine.js';
import { errorCode } from '../lib/errorCode.js';
import { DatabaseError, type Database } from './database.js';
import { firstMigration, migrations, type Migration } from './migrations/index.js';
import { inTransaction, lockOutOthers } from './transactions.js';
import { assertNoUnfinishedCopy } from './unfinishedCopy.js';

/** The progress of migrations. */
export interface MigrationListener {
  /** Called before each migration, unless the database is new: what is stored already may take a while. */
  onBegin(name: string): void;
  /** Called once for a migration that waits for a lock. It is tried again until it gets it. */
  onBlocked(name: string): void;
}

const noListener: MigrationListener = { onBegin: () => undefined, onBlocked: () => undefined };

/**
 * Brings the database up to date and returns the names of the migrations that ran.
 *
 * knex's own migrator leaves its lock behind when the process is killed, and an operator has to remove it.
 * Here each missing migration is one transaction that starts by inserting its own name:
 * a second process waits for that row, finds it and goes on; a killed process leaves nothing behind.
 */
export const migrate = async (database: Database, listener?: MigrationListener): Promise<string[]> => {
  await assertNoUnfinishedCopy(database.read);
  return runMigrations(database, migrations, listener);
};

/** Runs the given migrations that the database does not have yet. */
export const runMigrations = (
  { dialect, withoutTimeouts }: Database,
  wanted: readonly Migration[],
  listener: MigrationListener = noListener,
): Promise<string[]> => withoutTimeouts((write) => runMissing(dialect, write, wanted, listener));

const runMissing = async (
  dialect: Database['dialect'],
  write: Knex,
  wanted: readonly Migration[],
  { onBegin, onBlocked }: MigrationListener,
): Promise<string[]> => {
  // A command must not wait for other writers only to find that there is nothing to do.
  if (!(await write.schema.hasTable('migrations')))
    await inTransaction(write, async (transaction) => {
      // On PostgreSQL "if not exists" is not safe when two processes run it at once.
      await lockOutOthers(transaction, 'migrations');
      await transaction.raw(
        'create table if not exists migrations (name varchar(255) primary key, done_at bigint not null)',
      );
    });
  const before = await readDone(write, wanted);
  const isNew = before.size === 0;
  const done: string[] = [];
  const begun = new Set<string>();
  const run = ({ name, up }: Migration): Promise<boolean> =>
    inTransaction(write, async (transaction) => {
      const claimed = await transaction('migrations')
        .insert({ name, done_at: Date.now() })
        .onConflict('name')
        .ignore()
        .returning('name');
      if (claimed.length === 0) return false;
      if (!isNew && !begun.has(name)) onBegin(name);
      begun.add(name);
      // While it waits for the lock of a table, all others wait behind it.
      // A backup may hold such a lock for hours.
      if (dialect === 'postgres') await transaction.raw(`set local lock_timeout = ${String(lockTimeoutMs)}`);
      await up(transaction);
      return true;
    });
  for (const migration of wanted.filter(({ name }) => !before.has(name))) {
    const ran = await untilUnblocked(
      () => run(migration),
      () => onBlocked(migration.name),
    );
    if (ran) done.push(migration.name);
  }
  return done;
};

/** How long a migration waits for a lock, and how long it then pauses, so that others get it. */
const lockTimeoutMs = 200;
const blockedPauseMs = 2000;

const untilUnblocked = async <T>(work: () => Promise<T>, onBlocked: () => void): Promise<T> => {
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || errorCode(error.cause) !== lockNotAvailable) throw error;
    }
    if (!isRepeated) onBlocked();
    await pause(blockedPauseMs);
  }
};

/** PostgreSQL's code for a lock that was not free in time. */
const lockNotAvailable = '55P03';

/**
 * The migrations that have not run yet. Throws when the database is newer than the program,
 * unless it `allowsNewer`: a process that runs goes on beside a newer one.
 */
export const pendingMigrations = async (
  { read }: Pick<Database, 'read'>,
  { allowsNewer = false } = {},
): Promise<string[]> => {
  if (!(await read.schema.hasTable('migrations'))) return migrations.map(({ name }) => name);
  if (!allowsNewer) await assertNoUnfinishedCopy(read);
  const done = allowsNewer ? await readNames(read) : await readDone(read, migrations);
  return migrations.map(({ name }) => name).filter((name) => !done.has(name));
};

/**
 * The migrations that have run. Throws when the program
 * can't bring the database up to date, or is older than it.
 */
const readDone = async (db: Knex, wanted: readonly Migration[]): Promise<ReadonlySet<string>> => {
  const known = new Set(wanted.map(({ name }) => name));
  const done = await readNames(db);
  if (done.size > 0 && !done.has(firstMigration.name)) {
    throw new DatabaseError(
      'unreleased-version',
      `the database is of a version before 1.0.0, which this program can't migrate: with that version, write its configuration into a file (${formatProgramCall('config export FILE')}), and with this one, read it into a new database (${formatProgramCall('config import FILE')})`,
    );
  }
  const unknown = [...done].find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new DatabaseError(
      'newer-version',
      `the database is newer than this program (it has "${unknown}"): start the version that migrated it, or restore an older copy`,
    );
  }
  return done;
};

const readNames = async (db: Knex): Promise<ReadonlySet<string>> =>
  new Set(await db<{ name: string }>('migrations').orderBy('name').pluck<string[]>('name'));
