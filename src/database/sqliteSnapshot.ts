import type { Knex } from 'knex';
import type { Database } from './database.js';
import { interruptedBy } from './interruption.js';
import { openSqliteCopy, openSqliteReadOnly } from './sqlite.js';

/** Opens a database that may be in use, and only reads it. */
export const readDatabase = async <T>(file: string, work: (db: Knex) => Promise<T>): Promise<T> => {
  const db = openSqliteReadOnly(file);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
};

/**
 * Copies a database that is in use into an empty file, as it is at one moment. VACUUM INTO reads one
 * snapshot, and in WAL mode others can go on writing. The online backup API would begin again whenever
 * another process writes, so under load it would not end. The copy holds no deleted rows either.
 */
export const copySnapshot = (file: string, target: string, signal: AbortSignal): Promise<void> =>
  readDatabase(file, async (db) => {
    await db.raw('vacuum into ?', [target]).queryContext(interruptedBy(signal));
  });

/** How many bytes a copy has at most. */
export const measureSnapshot = (file: string): Promise<number> =>
  readDatabase(file, async (db) => {
    const [pages, free, size] = [
      await readPragma(db, 'page_count'),
      await readPragma(db, 'freelist_count'),
      await readPragma(db, 'page_size'),
    ];
    return (pages - free) * size;
  });

const readPragma = async (db: Knex, name: string): Promise<number> => {
  const rows = (await db.raw(`pragma ${name}`)) as Readonly<Record<string, number>>[];
  return rows[0]?.[name] ?? 0;
};

/** Opens a copy that nobody else uses. It has one connection, and no file beside it. */
export const openCopy = (file: string): Database => {
  const db = openSqliteCopy(file);
  return {
    dialect: 'sqlite',
    file,
    write: db,
    read: db,
    scan: db,
    isUnavailable: false,
    pools: () => [],
    withoutTimeouts: (work) => work(db),
    close: () => db.destroy(),
  };
};

/**
 * Checks every page, row and index, and that rows refer to rows that exist. Returns what is wrong with it.
 */
export const findDamage = async (
  { read }: Pick<Database, 'read'>,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const context = interruptedBy(signal);
  const [first] = (await read.raw('pragma integrity_check(1)').queryContext(context)) as {
    integrity_check: string;
  }[];
  if (first?.integrity_check !== 'ok') return first?.integrity_check ?? 'no answer to the check';
  const [dangling] = (await read.raw('pragma foreign_key_check').queryContext(context)) as {
    table: string;
    parent: string;
  }[];
  return dangling && `a row of ${dangling.table} refers to one of ${dangling.parent} that does not exist`;
};

export type RowCounts = Readonly<Record<string, number>>;

/** How many rows each table has. */
export const countRows = async ({ read }: Pick<Database, 'read'>): Promise<RowCounts> => {
  const names = await read('sqlite_master')
    .where({ type: 'table' })
    .whereNot('name', 'like', 'sqlite_%')
    .orderBy('name')
    .pluck<string[]>('name');
  const counts: Record<string, number> = {};
  for (const name of names) {
    const [row] = await read(name).select<{ count: number }[]>(read.raw('count(*) as count'));
    counts[name] = row?.count ?? 0;
  }
  return counts;
};
