import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig } from '../../config/config.js';
import { assertEmpty, copyDatabase, type CopiedRows } from '../../database/copy/copyDatabase.js';
import { explainDatabaseError } from '../../database/databaseErrors.js';
import { openSqliteUntouched } from '../../database/sqlite.js';
import { errorCode } from '../../lib/errorCode.js';
import { abortOnSignal, type Signals } from '../../lib/signals.js';
import { CommandError, counted, printList, type Io } from '../io.js';
import { findMissingDatabase } from '../newDatabase.js';
import { warnOfUnknownSettings } from '../openTables.js';
import { makeProgress } from '../progress.js';

export interface CopyCommandOptions {
  readonly from?: string;
  readonly to?: string;
  readonly json?: boolean;
}

/** Copies a SQLite file to the PostgreSQL of the settings, or back, and prints what was copied. */
export const copyCommand = async (io: Io, options: CopyCommandOptions, signals: Signals): Promise<void> => {
  const config = readConfig(io.env);
  warnOfUnknownSettings(io);
  const isSource = options.from !== undefined;
  if (isSource === (options.to !== undefined))
    throw new CommandError('option-missing', 'name the SQLite file: give either --from FILE or --to FILE');
  const option = isSource ? '--from' : '--to';
  const file = toSqliteFile(options.from ?? options.to ?? '', option);
  if (config.databaseUrl.startsWith('sqlite:'))
    throw new CommandError(
      'not-applicable',
      'name the PostgreSQL in DATABASE_URL or DATABASE_URL_FILE: everything is copied between it and the SQLite file',
    );
  const databaseUrl = `sqlite:${file}`;
  if (isSource && findMissingDatabase({ databaseUrl }) !== undefined)
    throw new CommandError(
      'database-missing',
      `there is no database in ${file}: name one that exists with --from`,
    );
  try {
    await assertUsable(file, isSource);
    const toInterrupted = (): Error =>
      new CommandError('interrupted', 'interrupted: nothing was copied; run the same command again');
    const [source, target] = isSource ? [databaseUrl, config.databaseUrl] : [config.databaseUrl, databaseUrl];
    const onProgress = makeProgress(io, 'rows copied');
    const copied = await abortOnSignal(signals, toInterrupted, (signal) =>
      copyDatabase(source, target, { signal, onProgress, timeoutMs: config.databaseTimeoutMs }),
    );
    printCopied(io, options, copied);
  } catch (error) {
    const location = { databaseUrl, dataDir: config.dataDir, option };
    throw explainDatabaseError(explainDatabaseError(error, config), location);
  }
};

/** A folder is the `DATA_DIR` of a service. */
const toSqliteFile = (text: string, option: string): string => {
  const file = resolve(text.replace(/^sqlite:/, ''));
  try {
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) throw new Error('an address');
    return statSync(file, { throwIfNoEntry: false })?.isDirectory() ? join(file, 'voucherd.sqlite') : file;
  } catch {
    throw new CommandError('option-invalid', `${option} is not allowed: the name of a SQLite file`);
  }
};

/** Looks at the file before it is opened, which would change that of another program. */
const assertUsable = async (file: string, isSource: boolean): Promise<void> => {
  if (findMissingDatabase({ databaseUrl: `sqlite:${file}` }) !== undefined) return;
  const tables = await readTableNames(file);
  if (!isSource) assertEmpty(tables);
  else if (tables.length > 0 && !tables.includes('migrations'))
    throw new CommandError(
      'not-applicable',
      `${file} has tables of another program (${tables.slice(0, 3).join(', ')}): name a database of voucherd`,
    );
};

/** What can't be found out here is found when the file is opened. */
const readTableNames = async (file: string): Promise<string[]> => {
  const db = openSqliteUntouched(file);
  try {
    return await db('sqlite_master').where({ type: 'table' }).orderBy('name').pluck<string[]>('name');
  } catch (error) {
    if (errorCode(error) === 'SQLITE_NOTADB') throw error;
    return [];
  } finally {
    await db.destroy();
  }
};

const printCopied = (io: Io, { json }: CopyCommandOptions, copied: readonly CopiedRows[]): void => {
  printList(io, json, copied, ({ table, rows }) => ({ table, rows: String(rows) }), 'there are no tables');
  if (json) return;
  const total = copied.reduce((sum, { rows }) => sum + rows, 0);
  io.err(
    `copied ${counted(total, 'row')} of ${counted(copied.length, 'table')}. Next: let the service use the copy, with the same DATA_DIR or SECRET_KEY, and never both databases; the source is unchanged\n`,
  );
};
