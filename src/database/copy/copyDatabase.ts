import type { Knex } from 'knex';
import { formatCommandLine } from '../../lib/commandLine.js';
import type { Database } from '../database.js';
import { identifyDatabase } from '../databaseIdentity.js';
import { pendingMigrations } from '../migrator.js';
import { inTransaction } from '../transactions.js';
import { computeChecksum, type TableChecksum } from './checksum.js';
import { CopyError } from './copyError.js';
import { continueBehind, readLastIds } from './lastIds.js';
import { hasOtherProcesses, keepServicesAway } from './otherProcesses.js';
import { insertPage, readPage, withoutTriggers } from './rows.js';
import { findCommonTables, readTableSchemas, type TableSchema } from './tableSchema.js';
import { finishCopy, prepareTarget, readIdentity, readProgress, writeProgress } from './target.js';

/** One of the two databases. */
export interface CopySide {
  readonly database: Database;
  /** How the operator knows it, without secrets. */
  readonly label: string;
  /** Rewords an error of this database. */
  explain(error: unknown): unknown;
  /** Removes the files that opening it has created: the copy was refused before anything was copied. */
  discard?(): void;
}

/** How far the work is. */
export interface CopyProgress {
  readonly phase: 'copying' | 'comparing';
  readonly table: string;
  /** Rows of all tables. While comparing, those of both databases. */
  readonly done: number;
  readonly total: number;
}

export interface CopyListener {
  /** Called when an interrupted copy is continued, with how many rows there are already. */
  onResume(rows: number): void;
  onProgress(progress: CopyProgress): void;
}

/** What both databases have of a table. */
export interface ComparedTable {
  readonly table: string;
  readonly equal: boolean;
  readonly source: TableChecksum;
  readonly target: TableChecksum;
}

export interface CopyResult {
  readonly resumed: boolean;
  readonly equal: boolean;
  readonly tables: readonly ComparedTable[];
  /** Tables of the source that are not voucherd's, and were not copied. */
  readonly foreign: readonly string[];
}

/** Runs statements on a database; its errors are explained as those of that side. */
type Ask = <T>(work: (db: Knex) => Promise<T>) => Promise<T>;

const explained = async <T>(side: CopySide, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw side.explain(error);
  }
};

/** Opens both databases for work that may take any time. */
const withBoth = <T>(
  source: CopySide,
  target: CopySide,
  work: (onSource: Ask, onTarget: Ask) => Promise<T>,
): Promise<T> =>
  source.database.withoutTimeouts((sourceDb) =>
    target.database.withoutTimeouts((targetDb) =>
      work(
        (ask) => explained(source, () => ask(sourceDb)),
        (ask) => explained(target, () => ask(targetDb)),
      ),
    ),
  );

/**
 * Copies all records from one database to another, and compares both. It can be killed at any time and called again: each
 * page of rows is one transaction with the mark how far its table is.
 */
export const copyDatabase = async (
  source: CopySide,
  target: CopySide,
  listener: CopyListener,
  { isRestart = false } = {},
): Promise<CopyResult> => {
  const unlockSource = await explained(source, () => lock(source));
  try {
    await assertCurrent(source);
    const unlockTarget = await explained(target, () => lock(target));
    const state = { isBegun: false };
    const onBegin = (): void => {
      state.isBegun = true;
    };
    try {
      const result = await copyAndCompare(source, target, { ...listener, onBegin }, isRestart);
      await explained(source, () => assertUnused(source));
      await explained(target, () => assertUnused(target));
      if (result.equal) await explained(target, () => target.database.withoutTimeouts(finishCopy));
      return result;
    } catch (error) {
      // Still under its lock, so no service has begun to use them.
      if (!state.isBegun) target.discard?.();
      throw error;
    } finally {
      await unlockTarget();
    }
  } finally {
    await unlockSource();
  }
};

/** Vouchers that a service creates in the source after they were copied would be missing in the target. */
const lock = async (side: CopySide): Promise<() => Promise<void>> => {
  const release = await keepServicesAway(side.database);
  if (!release) throw inUse(side);
  try {
    await assertUnused(side);
  } catch (error) {
    await release();
    throw error;
  }
  return release;
};

const assertUnused = async (side: CopySide): Promise<void> => {
  if (side.database.dialect === 'postgres' && (await hasOtherProcesses(side.database))) throw inUse(side);
};

const inUse = ({ label }: CopySide): CopyError =>
  new CopyError(
    'in-use',
    `a service or a command uses ${label}: stop it first, because what it changes meanwhile would be missing in the copy`,
  );

/** Refuses a database of an earlier or later version, and an unfinished copy. */
export const assertCurrent = (side: CopySide): Promise<void> =>
  explained(side, async () => {
    const pending = await pendingMigrations(side.database);
    if (pending.length > 0)
      throw new CopyError(
        'earlier-version',
        `${side.label} is of an earlier version and lacks ${pending.join(', ')}: back it up, and run ${formatCommandLine('migrate')} on it first`,
      );
  });

const copyAndCompare = (
  source: CopySide,
  target: CopySide,
  listener: CopyListener & { onBegin(): void },
  isRestart: boolean,
): Promise<CopyResult> =>
  withBoth(source, target, async (onSource, onTarget) => {
    const place = await explained(source, () => identifyDatabase(source.database));
    const origin = { identity: await onSource(readIdentity), place, label: source.label };
    const sourceTables = await onSource((db) => readTableSchemas(source.database.dialect, db));
    const resumed = await onTarget((db) =>
      prepareTarget(target.database, db, origin, { isRestart, tables: [...sourceTables.keys()] }),
    );
    listener.onBegin();
    const { tables, foreign } = findCommonTables(
      sourceTables,
      await onTarget((db) => readTableSchemas(target.database.dialect, db)),
    );
    const progress = await onTarget(readProgress);
    const total = await onSource((db) => countRows(db, tables));
    let done = [...progress.values()].reduce((sum, { rows }) => sum + rows, 0);
    if (resumed) listener.onResume(done);
    for (const table of tables) {
      let { rows, after } = progress.get(table.name) ?? { rows: 0, after: undefined };
      for (;;) {
        const page = await onSource((db) => readPage(db, table, after));
        if (page.end === undefined) break;
        [rows, after, done] = [rows + page.rows.length, page.end, done + page.rows.length];
        const copied = { rows, after };
        await onTarget((db) =>
          inTransaction(db, async (transaction) => {
            const { dialect } = target.database;
            await withoutTriggers(dialect, transaction, table.name, () =>
              insertPage(dialect, transaction, table, page.rows),
            );
            await writeProgress(transaction, table.name, copied);
          }),
        );
        listener.onProgress({ phase: 'copying', table: table.name, done, total });
      }
    }
    const lastIds = await onSource((db) => readLastIds(source.database.dialect, db));
    await onTarget((db) =>
      inTransaction(db, (transaction) => continueBehind(target.database.dialect, transaction, lastIds)),
    );
    // Without it the server would plan searches as if all tables were empty, until it looks by itself.
    if (target.database.dialect === 'postgres')
      await onTarget((db) =>
        db.raw(
          `analyze ${tables.map(() => '??').join(', ')}`,
          tables.map(({ name }) => name),
        ),
      );
    const compared = await compareTables(onSource, onTarget, tables, total, listener);
    return { resumed, foreign, tables: compared, equal: compared.every(({ equal }) => equal) };
  });

const countRows = async (db: Knex, tables: readonly TableSchema[]): Promise<number> => {
  let total = 0;
  for (const { name } of tables) {
    const [row] = await db(name).count<{ count: number | string }[]>({ count: '*' });
    total += Number(row?.count ?? 0);
  }
  return total;
};

const compareTables = async (
  onSource: Ask,
  onTarget: Ask,
  tables: readonly TableSchema[],
  rows: number,
  { onProgress }: Pick<CopyListener, 'onProgress'>,
): Promise<ComparedTable[]> => {
  const compared: ComparedTable[] = [];
  let done = 0;
  for (const table of tables) {
    const onRows = (count: number): void => {
      done += count;
      onProgress({ phase: 'comparing', table: table.name, done, total: 2 * rows });
    };
    const [inSource, inTarget] = await Promise.all([
      onSource((db) => computeChecksum(db, table, onRows)),
      onTarget((db) => computeChecksum(db, table, onRows)),
    ]);
    const equal = inSource.rows === inTarget.rows && inSource.checksum === inTarget.checksum;
    compared.push({ table: table.name, equal, source: inSource, target: inTarget });
  }
  return compared;
};

/** Compares all records of two databases, and changes nothing. */
export const compareDatabases = (
  source: CopySide,
  target: CopySide,
  listener: Pick<CopyListener, 'onProgress'>,
): Promise<CopyResult> =>
  withBoth(source, target, async (onSource, onTarget) => {
    for (const side of [source, target]) await assertCurrent(side);
    const { tables, foreign } = findCommonTables(
      await onSource((db) => readTableSchemas(source.database.dialect, db)),
      await onTarget((db) => readTableSchemas(target.database.dialect, db)),
    );
    const total = await onSource((db) => countRows(db, tables));
    const compared = await compareTables(onSource, onTarget, tables, total, listener);
    return { resumed: false, foreign, tables: compared, equal: compared.every(({ equal }) => equal) };
  });
