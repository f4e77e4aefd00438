import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { errorCode } from '../lib/errorCode.js';
import { DatabaseUnavailable } from './unavailable.js';

const commitListeners = new WeakMap<Knex, () => void>();

/** Calls back after each transaction of this writer, before the caller's promise settles. */
export const onTransactionEnd = (db: Knex, listener: () => void): void => {
  commitListeners.set(db, listener);
};

/**
 * SQLSTATE: of transactions that waited for each other, this one was ended; or it can't be put in an order
 * with others.
 */
const conflictCodes = new Set(['40P01', '40001']);
/** Each time another transaction has come to its end, so few are enough. */
const maxAttempts = 5;

/**
 * Runs a transaction and throws the first error. One that PostgreSQL has ended because of a deadlock has
 * changed nothing and is repeated, so `work` must have no effect but that on the database.
 */
export const inTransaction = async <T>(db: Knex, work: (transaction: Knex) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runTransaction(db, work);
    } catch (error) {
      // A part of another transaction has to be repeated with all of it.
      if (db.isTransaction || attempt === maxAttempts || !conflictCodes.has(errorCode(error))) throw error;
    }
  }
};

/**
 * On a full disk SQLite rolls back automatically; knex's own rollback then fails, and its error would hide
 * the cause.
 */
const runTransaction = async <T>(db: Knex, work: (transaction: Knex) => Promise<T>): Promise<T> => {
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
  } finally {
    commitListeners.get(db)?.();
  }
};

/** The numbers of PostgreSQL's advisory locks. Processes of all versions share them. */
const lockNumbers = { migrations: 7601, sms: 7602 } as const;

/**
 * Lets transactions with the same lock run one after the other, until each ends. On SQLite all transactions
 * do.
 */
export const lockOutOthers = async (transaction: Knex, lock: keyof typeof lockNumbers): Promise<void> => {
  if ((transaction.client as Knex.Client).dialect === 'postgresql')
    await transaction.raw('select pg_advisory_xact_lock(?)', [lockNumbers[lock]]);
};

/** Long enough for a server to restart. */
const repeatTimeoutMs = 3000;
const repeatPauseMs = 250;

/**
 * Runs an idempotent transaction. When the database does not answer, it is not known whether the transaction
 * was committed, so it is repeated on another connection: at least once, and for a few seconds while
 * connections fail.
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
      const isOver = isRepeated && performance.now() - began > repeatTimeoutMs;
      if (!(error instanceof DatabaseUnavailable) || isOver) throw error;
    }
    await pause(repeatPauseMs);
  }
};

interface InsertOptions {
  /** Leaves out what is there already, instead of failing. */
  readonly ignoresConflicts?: boolean;
  /** The columns of the inserted rows that are returned. */
  readonly returning?: readonly string[];
  /**
   * Columns that the database computes, each as SQL; `valueOf` gives the SQL of a column that the rows have.
   */
  readonly computed?: Readonly<Record<string, (valueOf: (column: string) => string) => string>>;
}

/**
 * Inserts any number of rows; a column that only others have is null. They are sent as one JSON text: a
 * parameter for each value, as knex would bind them, costs orders a tenth of their speed, and databases limit
 * their number.
 */
export const insertRows = async <Row>(
  db: Knex,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  { ignoresConflicts = false, returning = [], computed = {} }: InsertOptions = {},
): Promise<Row[]> => {
  if (rows.length === 0) return [];
  const isPostgres = (db.client as Knex.Client).dialect === 'postgresql';
  const given = columnsOf(rows);
  const columns = [...given, ...Object.keys(computed)].join(', ');
  const valueOf = (column: string): string => (isPostgres ? column : `value ->> '${column}'`);
  const values = [...given.map(valueOf), ...Object.values(computed).map((compute) => compute(valueOf))];
  const source = isPostgres ? `json_populate_recordset(null::${table}, ?)` : 'json_each(?)';
  const statement = [
    `insert into ${table} (${columns}) select ${values.join(', ')} from ${source} where true`,
  ];
  if (ignoresConflicts) statement.push('on conflict do nothing');
  if (returning.length > 0) statement.push(`returning ${returning.join(', ')}`);
  const inserted = (await db.raw(statement.join(' '), [toJson(rows)])) as Row[] | { rows: Row[] };
  return Array.isArray(inserted) ? inserted : inserted.rows;
};

const columnsOf = (rows: readonly object[]): string[] => {
  const columns = new Set<string>();
  for (const row of rows) for (const column in row) columns.add(column);
  return [...columns];
};

/**
 * JSON can hold lone surrogates, which databases can't store: they become U+FFFD, as the drivers do with
 * parameters.
 */
const toJson = (rows: readonly object[]): string => {
  const json = JSON.stringify(rows);
  return json.includes('\\ud')
    ? JSON.stringify(rows, (_, value: unknown) => (typeof value === 'string' ? toWellFormed(value) : value))
    : json;
};

const toWellFormed = (text: string): string => Buffer.from(text).toString();

/** The maximum number of rows deleted by one statement. */
export const maxDeletedRows = 500;

/** A table and the columns that identify one of its rows. */
interface RowKey {
  readonly table: string;
  readonly key: string | readonly string[];
}

/** Which rows to delete: conditions on a selection of them. */
type ChooseRows = (rows: Knex.QueryBuilder) => Knex.QueryBuilder;

/**
 * Deletes at most `limit` of the chosen rows, and returns how many. With fewer than the limit, none is left.
 */
export const deleteBatch = (
  db: Knex,
  { table, key }: RowKey,
  choose: ChooseRows,
  limit: number = maxDeletedRows,
): Promise<number> => {
  const columns = typeof key === 'string' ? [key] : [...key];
  const chosen = choose(db(table).select(columns)).limit(limit);
  // A list of one column is another statement for SQLite than the column.
  return columns.length === 1
    ? db(table)
        .whereIn(columns[0] ?? '', chosen)
        .delete()
    : db(table).whereIn(columns, chosen).delete();
};

/** Deletes rows in batches, so that other writers do not wait for all of them. */
export const deleteInBatches = async (db: Knex, key: RowKey, choose: ChooseRows): Promise<number> => {
  let removed = 0;
  for (;;) {
    const count = await deleteBatch(db, key, choose);
    removed += count;
    if (count < maxDeletedRows) return removed;
  }
};

/** Counts the chosen rows, at most `limit` of them, so that it stays a short statement. */
export const countChosenRows = async (
  db: Knex,
  table: string,
  choose: ChooseRows,
  limit: number,
): Promise<number> => {
  const chosen = choose(db(table).select(db.raw('1'))).limit(limit);
  const row = await db
    .from(chosen.as('chosen'))
    .first<{ count: number } | undefined>(db.raw('count(*) as count'));
  return row?.count ?? 0;
};
