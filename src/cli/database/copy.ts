import { existsSync, rmSync } from 'node:fs';
import { readConfig, type Config } from '../../config/config.js';
import { findUnknownSettings, formatUnknownSetting } from '../../config/unknownSettings.js';
import {
  assertCurrent,
  compareDatabases,
  copyDatabase,
  type CopyListener,
  type CopyResult,
  type CopySide,
} from '../../database/copy/copyDatabase.js';
import { assertNotForeign } from '../../database/copy/foreignFile.js';
import { openDatabase, type Database } from '../../database/database.js';
import { explainDatabaseError } from '../../database/databaseErrors.js';
import { sanitizeLine } from '../../lib/label.js';
import { CommandError, counted, printList, type Io } from '../io.js';
import { sqliteFile } from '../newDatabase.js';
import { abortOnSignal, type Signals } from '../../lib/signals.js';
import { findSource, findTarget, type DatabasePlace, type GivenPlace } from './places.js';
import { makeCopyProgress } from './progress.js';

export interface CopyOptions {
  readonly from?: string;
  readonly fromFile?: string;
  readonly fromEnv?: string;
  readonly to?: string;
  readonly toFile?: string;
  readonly toEnv?: string;
  readonly restart?: boolean;
  readonly json?: boolean;
}

/** Copies a database and prints what both have. Fails when they differ. */
export const copyCommand = async (io: Io, options: CopyOptions, signals: Signals): Promise<void> => {
  const { source, target, result } = await withSides(io, options, true, async (source, target) => {
    await assertCurrent(source);
    const toInterrupted = (): Error =>
      new CommandError('interrupted', 'interrupted: run the same command again, it continues');
    return abortOnSignal(signals, toInterrupted, (signal) =>
      copyDatabase(source, target, stopAt(signal, makeCopyProgress(io)), {
        isRestart: options.restart ?? false,
      }),
    );
  });
  printResult(io, options, { from: source.label, to: target.label, ...result });
  if (!result.equal)
    throw new CommandError(
      'databases-differ',
      `source and target differ in ${differing(result)}: the source was changed after it was copied; stop what uses it, and begin again with --restart`,
    );
  if (!options.json)
    io.err(
      `next: let the service use ${sanitizeLine(target.label)}, with the same DATA_DIR or SECRET_KEY, and never both databases; the source is unchanged\n`,
    );
};

/** Stops between two pages of rows. */
const stopAt = (signal: AbortSignal, listener: CopyListener): CopyListener => ({
  ...listener,
  onProgress: (progress) => {
    signal.throwIfAborted();
    listener.onProgress(progress);
  },
});

/** Prints what two databases have. Fails when they differ. */
export const compareCommand = async (io: Io, options: CopyOptions, signals: Signals): Promise<void> => {
  const { source, target, result } = await withSides(io, options, false, async (source, target) => {
    await assertCurrent(source);
    const toInterrupted = (): Error =>
      new CommandError('interrupted', 'interrupted: not everything was compared, and nothing was changed');
    return abortOnSignal(signals, toInterrupted, (signal) =>
      compareDatabases(source, target, stopAt(signal, makeCopyProgress(io))),
    );
  });
  printResult(io, options, { from: source.label, to: target.label, ...result });
  if (!result.equal)
    throw new CommandError('databases-differ', `source and target differ in ${differing(result)}`);
};

const withSides = async (
  io: Io,
  options: CopyOptions,
  mayBeNew: boolean,
  work: (source: CopySide, target: CopySide) => Promise<CopyResult>,
): Promise<{ source: DatabasePlace; target: DatabasePlace; result: CopyResult }> => {
  const config = readConfig(io.env);
  for (const unknown of findUnknownSettings(io.env)) io.err(`${formatUnknownSetting(unknown)}\n`);
  const source = await findSource(io, config, givenPlace(options.from, options.fromFile, options.fromEnv));
  const target = await findTarget(io, givenPlace(options.to, options.toFile, options.toEnv), source, {
    mayBeNew,
  });
  for (const place of [source, target]) await assertUsable(config, place);
  const opened: Database[] = [];
  try {
    const result = await work(makeSide(config, source, opened), makeSide(config, target, opened));
    return { source, target, result };
  } finally {
    for (const database of opened) await database.close();
  }
};

/** Looks at a SQLite file before it is opened, which changes it. */
const assertUsable = async ({ dataDir }: Config, { url, label, option }: DatabasePlace): Promise<void> => {
  const file = sqliteFile({ databaseUrl: url });
  if (file === undefined) return;
  try {
    await assertNotForeign(file, label);
  } catch (error) {
    throw explainDatabaseError(error, {
      databaseUrl: url,
      dataDir,
      ...(option !== undefined && { option }),
    });
  }
};

const givenPlace = (
  place: string | undefined,
  file: string | undefined,
  env: string | undefined,
): GivenPlace => ({ place, file, env });

/**
 * A side that is opened when it is used first: opening a SQLite file creates it, so the target waits until the source has
 * proved to be usable.
 */
const makeSide = (config: Config, { url, label, option }: DatabasePlace, opened: Database[]): CopySide => {
  const explain = (error: unknown): unknown =>
    explainDatabaseError(error, {
      databaseUrl: url,
      dataDir: config.dataDir,
      ...(option !== undefined && { option }),
    });
  const discard = rememberFiles(url);
  let used: Database | undefined;
  return {
    label,
    explain,
    discard,
    get database() {
      if (used) return used;
      try {
        // One connection, which the search for other processes does not count.
        used = openDatabase(url, { poolMax: 1, timeoutMs: config.databaseTimeoutMs });
      } catch (error) {
        throw explain(error);
      }
      opened.push(used);
      return used;
    },
  };
};

/** Returns how to remove the files of a SQLite database that are not there yet. */
const rememberFiles = (databaseUrl: string): (() => void) => {
  const file = sqliteFile({ databaseUrl });
  if (file === undefined) return () => undefined;
  // The journal of a file that was there may hold its records.
  const names = existsSync(file) ? ['.lock'] : ['', '-wal', '-shm', '.lock'];
  const missing = names.map((name) => `${file}${name}`).filter((name) => !existsSync(name));
  return () => {
    for (const name of missing) rmSync(name, { force: true });
  };
};

const differing = ({ tables }: CopyResult): string =>
  tables
    .filter(({ equal }) => !equal)
    .map(({ table }) => table)
    .join(', ');

const shownDigits = 16;

const printResult = (
  io: Io,
  { json }: CopyOptions,
  result: CopyResult & { readonly from: string; readonly to: string },
): void => {
  if (json) {
    io.out(`${JSON.stringify(result, null, 2)}\n`);
    return;
  }
  for (const name of result.foreign)
    io.err(`note: ${sanitizeLine(name)} is not a table of voucherd, and was left out\n`);
  printList(
    io,
    false,
    result.tables,
    ({ table, source, target, equal }) => ({
      table,
      source: String(source.rows),
      target: String(target.rows),
      checksum: source.checksum.slice(0, shownDigits),
      result: equal ? 'equal' : `DIFFERENT ${target.checksum.slice(0, shownDigits)}`,
    }),
    'there are no tables',
  );
  const rows = result.tables.reduce((sum, { target }) => sum + target.rows, 0);
  if (result.equal) io.err(`equal: ${counted(rows, 'row')} in ${counted(result.tables.length, 'table')}\n`);
};
