import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { CodedError } from '../../errors/codedError.js';
import { errorCode } from '../../lib/errorCode.js';
import { formatCommandLine } from '../../lib/commandLine.js';
import { openDatabase, type Database } from '../database.js';
import { migrations } from '../migrations/index.js';
import { pendingMigrations, runMigrations } from '../migrator.js';
import { sessionTag } from '../postgresClient.js';
import { copyLastIds } from '../sequences.js';
import { acquireServiceLock } from '../serviceLock.js';
import { inTransaction } from '../transactions.js';
import { markUnfinishedCopy, unfinishedCopyTable } from '../unfinishedCopy.js';
import { readCopiedTables, type CopiedTable } from './copiedTables.js';

/** Why a database is not copied; the message says what to do. */
export class CopyError extends CodedError<CopyErrorCode> {
  override readonly name = 'CopyError';
}

type CopyErrorCode = 'databases-differ' | 'earlier-version' | 'in-use' | 'not-empty' | 'value-not-storable';

export interface CopyOptions {
  /** How long opening a connection may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

export interface CopiedRows {
  readonly table: string;
  readonly rows: number;
}

/**
 * Copies all records from SQLite to an empty PostgreSQL, or back. All of them are one transaction, so a copy
 * that is killed leaves a target without records, with the mark that it is unfinished, and can be started
 * again. Nobody else can write to the source meanwhile, and a service that waits for it fails the copy.
 */
export const copyDatabase = (
  sourceUrl: string,
  targetUrl: string,
  options: CopyOptions,
): Promise<CopiedRows[]> =>
  withDatabase(sourceUrl, options, async (source) => {
    // SQLite has a lock that keeps services from starting; on PostgreSQL their sessions tell that one runs.
    const unlock = await acquireServiceLock(sourceUrl);
    try {
      await assertCurrent(source);
      await assertNoOtherSession(source);
      // Not before: opening a SQLite file creates it.
      return await withDatabase(targetUrl, options, async (target) => {
        await prepareTarget(target);
        return copyRecords(source, target, options);
      });
    } finally {
      await unlock({ removesNew: true });
    }
  });

const withDatabase = async <T>(
  url: string,
  { timeoutMs }: CopyOptions,
  work: (database: Database) => Promise<T>,
): Promise<T> => {
  // One connection, which looks for other sessions.
  const database = openDatabase(url, { poolMax: 1, timeoutMs });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};

const assertCurrent = async (source: Database): Promise<void> => {
  const pending = await pendingMigrations(source);
  if (pending.length > 0)
    throw new CopyError(
      'earlier-version',
      `the source is of an earlier version and lacks ${pending.join(', ')}: back it up, and run ${formatCommandLine('migrate')} on it first`,
    );
};

const lookIntervalMs = 250;
/** The sessions of a process that has just ended may outlive it for a moment. */
const maxLooks = 12;

/** Other than of this copy: the one that looks, and the one that copies. */
const assertNoOtherSession = async ({ dialect, read }: Database, copying?: Knex): Promise<void> => {
  if (dialect === 'sqlite') return;
  const own = copying ? await copying.select<{ pid: number }[]>(copying.raw('pg_backend_pid() as pid')) : [];
  for (let look = 1; look <= maxLooks; look += 1) {
    const session: unknown = await read('pg_stat_activity')
      .whereRaw('datname = current_database() and pid <> pg_backend_pid()')
      .whereNotIn(
        'pid',
        own.map(({ pid }) => pid),
      )
      .whereLike('application_name', `%${sessionTag}`)
      .first('pid');
    if (!session) return;
    await pause(lookIntervalMs);
  }
  throw new CopyError(
    'in-use',
    'a service or a command uses the source: stop it first, because what it changes would be missing in the copy',
  );
};

/** Gives an empty database its tables, and marks it. */
const prepareTarget = async (target: Database): Promise<void> => {
  const tables =
    target.dialect === 'sqlite'
      ? await target.read('sqlite_master').where({ type: 'table' }).pluck<string[]>('name')
      : await target
          .read('information_schema.tables')
          .whereRaw('table_schema = current_schema()')
          .pluck<string[]>('table_name');
  if (!tables.includes(unfinishedCopyTable)) {
    assertEmpty(tables);
    await markUnfinishedCopy(target.write);
  }
  await runMigrations(target, migrations);
};

/** Refuses a target that has tables, be it of a service or of another program. */
export const assertEmpty = (tables: readonly string[]): void => {
  if (tables.length > 0 && !tables.includes(unfinishedCopyTable))
    throw new CopyError(
      'not-empty',
      `the target is not empty, it has tables (${tables.slice(0, 3).join(', ')}): name a new database`,
    );
};

const copyRecords = async (
  source: Database,
  target: Database,
  options: CopyOptions,
): Promise<CopiedRows[]> => {
  const tables = await readCopiedTables((source.dialect === 'sqlite' ? source : target).read);
  const copied = await source.withoutTimeouts((sourceDb) =>
    target.withoutTimeouts((targetDb) =>
      inTransaction(sourceDb, async (from) => {
        await lockOutWriters(source.dialect, from, tables);
        return inTransaction(targetDb, async (to) => {
          const counted = await copyTables([source, from], to, tables, options);
          const withIds = tables.filter(({ columns }) => columns.includes('id'));
          await copyLastIds(
            from,
            to,
            withIds.map(({ name }) => name),
          );
          await to.schema.dropTable(unfinishedCopyTable);
          return counted;
        });
      }),
    ),
  );
  // Without it the server would plan searches as if all tables were empty, until it looks by itself.
  if (target.dialect === 'postgres') await target.withoutTimeouts((db) => db.raw('analyze'));
  return copied;
};

const lockOutWriters = async (
  dialect: Database['dialect'],
  from: Knex,
  tables: readonly CopiedTable[],
): Promise<void> => {
  const names = tables.map(({ name }) => name);
  // SQLite locks the file with the first statement that could write.
  if (dialect === 'sqlite') await from('migrations').whereRaw('1 = 0').delete();
  else await from.raw(`lock table ${names.map(() => '??').join(', ')} in share mode`, names);
};

const copyTables = async (
  [source, from]: readonly [Database, Knex],
  to: Knex,
  tables: readonly CopiedTable[],
  { signal, onProgress }: CopyOptions,
): Promise<CopiedRows[]> => {
  const counts = new Map<CopiedTable, number>();
  for (const table of tables) counts.set(table, await countRows(from, table));
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let done = 0;
  for (const table of tables) {
    for (let after: unknown[] | undefined; ;) {
      signal.throwIfAborted();
      const rows = await readPage(from, table, after);
      const last = rows.at(-1);
      if (!last) break;
      after = table.key.map((column) => last[column]);
      await insertPage(to, table, rows);
      done += rows.length;
      onProgress(done, total);
    }
    // A service waits to write until this transaction ends, and its changes would be missing in the copy.
    await assertNoOtherSession(source, from);
  }
  for (const [table, count] of counts)
    if ((await countRows(to, table)) !== count)
      throw new CopyError('databases-differ', `not all rows of ${table.name} arrived: nothing was copied`, {
        kind: 'failed',
      });
  return [...counts].map(([{ name }, rows]) => ({ table: name, rows }));
};

const countRows = async (db: Knex, { name }: CopiedTable): Promise<number> => {
  const [row] = await db(name).count<{ count: number | string }[]>({ count: '*' });
  return Number(row?.count ?? 0);
};

/** Few, because rows with pictures are large. */
const pageSize = 100;

type Row = Readonly<Record<string, unknown>>;

/** The next rows behind a key, in the order of the primary key. */
const readPage = async (
  db: Knex,
  { name, columns, key }: CopiedTable,
  after: readonly unknown[] | undefined,
): Promise<Row[]> => {
  const list = (mark: string): string => key.map(() => mark).join(', ');
  return (await db(name)
    .select([...columns])
    .modify((query) => {
      if (after) void query.whereRaw(`(${list('??')}) > (${list('?')})`, [...key, ...(after as string[])]);
    })
    .orderBy([...key])
    .limit(pageSize)) as Row[];
};

/** SQLSTATE: something is wrong with a value. */
const dataException = /^22...$/;

const insertPage = async (db: Knex, { name }: CopiedTable, rows: readonly Row[]): Promise<void> => {
  try {
    await db(name).insert(rows);
  } catch (error) {
    if (!dataException.test(errorCode(error))) throw error;
    throw new CopyError(
      'value-not-storable',
      `${name} has a value that PostgreSQL can not store (${errorCode(error)}): correct it in the source`,
      { cause: error },
    );
  }
};
