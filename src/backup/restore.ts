import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeTables } from '../app/tables.js';
import { simulatedFile } from '../controllers/simulated/simulated.js';
import { openDatabase } from '../database/database.js';
import { migrate, pendingMigrations, type MigrationListener } from '../database/migrator.js';
import { acquireServiceLock } from '../database/serviceLock.js';
import { countRows, findDamage, openCopy, type RowCounts } from '../database/sqliteSnapshot.js';
import { listUnopenableSecrets, type UnopenableSecret } from '../diagnostics/storedSecrets.js';
import { errorCode } from '../lib/errorCode.js';
import { rememberMissingFolders } from '../lib/folders.js';
import type { System } from '../lib/system.js';
import { makeSecrets } from '../secrets/encryption.js';
import { keyFilePath, openStoredSecrets, storeKeyFile } from '../secrets/secretKey.js';
import { BackupError } from './backupError.js';
import { dropBackupInfo, readBackupInfo, type BackupInfo } from './backupInfoTable.js';
import { assertBackup, assertChecksum, copyBackup } from './backupFile.js';
import { writeNewFile } from './newFile.js';
import { assertNoDatabase, assertNothing } from './restoreTarget.js';
import {
  findSimulatedControllers,
  isSimulatedTable,
  moveSimulatedVouchers,
} from './simulatedVouchersTable.js';

/** What is restored, and where it goes. */
export interface RestoreOrder {
  readonly backup: string;
  /** The SHA-256 that the backup has to have, in small letters. */
  readonly sha256?: string | undefined;
  /** The SQLite file that is made. */
  readonly target: string;
  readonly dataDir: string;
  /**
   * Creates the folders of `target` and `dataDir` where they are missing.
   * They are removed again when it fails.
   */
  makeFolders(): void;
  /** Chooses the secret key once it is known what the backup says of it. Throws when it is the wrong one. */
  chooseKey(info: BackupInfo | undefined, signal: AbortSignal): Promise<RestoredKey>;
  readonly listener: MigrationListener;
  readonly signal: AbortSignal;
  readonly system: System;
}

/** The key that opens what is sealed in a backup. */
export interface RestoredKey {
  /** Undefined when there is none. */
  readonly key: Buffer | undefined;
  /** Is it to be put into the data directory? */
  readonly isStored: boolean;
}

export interface Restored {
  readonly file: string;
  /** The SHA-256 of the backup. */
  readonly sha256: string;
  /** What the backup says of itself; undefined for a copy that was made in another way. */
  readonly info: BackupInfo | undefined;
  readonly rows: RowCounts;
  readonly migrated: readonly string[];
  readonly sealedValues: number;
  readonly unopenable: readonly UnopenableSecret[];
  /** The file with the secret key, if it was made. */
  readonly keyFile: string | undefined;
}

/**
 * Makes a database of a backup. The backup is only read. Everything is verified and migrated in a copy,
 * which gets its name at the end: until then there is no database that a service would use.
 */
export const restoreBackup = async (order: RestoreOrder): Promise<Restored> => {
  const { backup, target, dataDir, signal } = order;
  assertBackup(backup);
  if (order.sha256 !== undefined) await assertChecksum(backup, order.sha256, signal);
  const removeFolders = rememberMissingFolders(dataDir, dirname(target));
  try {
    order.makeFolders();
    assertNoDatabase(target);
    return await restoreLocked(order);
  } catch (error) {
    removeFolders();
    throw error;
  }
};

const restoreLocked = async (order: RestoreOrder): Promise<Restored> => {
  const { target, dataDir, system, signal } = order;
  // Held until the end, so that no service creates a database there meanwhile.
  const release = await acquireServiceLock(`sqlite:${target}`);
  const made: string[] = [];
  const database = { isPublished: false };
  const onPublished = (): void => void (database.isPublished = true);
  try {
    // Again: another restore may have made one while this one
    // waited for the lock, or a command, which needs no lock.
    assertNoDatabase(target);
    const work = async (written: string): Promise<Restored> => {
      const sha256 = await copyBackup(order, written);
      const { info, rows, simulated } = await verifyCopy(order, written);
      const { key, isStored } = await untilAborted(signal, () => order.chooseKey(info, signal));
      const checked = await migrateCopy(order, written, key);
      signal.throwIfAborted();
      // From here on files get their names, the database last.
      await restoreSimulated(order, written, simulated, made);
      const keyFile = isStored && key ? storeKey(dataDir, key, system) : undefined;
      if (keyFile !== undefined) made.push(keyFile);
      // An empty one is what a service leaves that was stopped before it had created its tables.
      assertNoDatabase(target);
      rmSync(target, { force: true });
      return { file: target, sha256, info, rows, ...checked, keyFile };
    };
    return await writeNewFile(target, system, work, onPublished);
  } catch (error) {
    // The database is there, so what belongs to it stays.
    if (database.isPublished)
      throw new BackupError(
        'disk-failed',
        `${target} is restored, but a power failure may still undo it (${errorCode(error)}): check the disk`,
        error,
      );
    for (const file of made) rmSync(file, { force: true });
    throw signal.aborted ? signal.reason : explainWriteError(error, target);
  } finally {
    await release({ removesNew: !database.isPublished });
  }
};

/** What waits for a person must not outlast a signal. */
const untilAborted = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  signal.throwIfAborted();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
};

/** Checks that the copy is whole and not too new, and takes out what is not part of the database. */
const verifyCopy = async (
  { backup, dataDir, signal }: RestoreOrder,
  written: string,
): Promise<Pick<Restored, 'info' | 'rows'> & { readonly simulated: readonly number[] }> => {
  const copy = openCopy(written);
  try {
    if (!(await copy.read.schema.hasTable('migrations')))
      throw new BackupError('backup-invalid', `${backup} is a SQLite database, but not one of voucherd`);
    await pendingMigrations(copy);
    const damage = await findDamage(copy, signal);
    if (damage !== undefined) throw new BackupError('backup-damaged', `${backup} is damaged: ${damage}`);
    const info = await readBackupInfo(copy);
    await dropBackupInfo(copy);
    if (info) assertSameRows(backup, info.rows, await countRows(copy));
    const simulated = await findSimulatedControllers(copy);
    for (const id of simulated) assertNothing(simulatedFile(dataDir, id));
    const rows = Object.entries(await countRows(copy)).filter(([name]) => !isSimulatedTable(name));
    return { info, rows: Object.fromEntries(rows), simulated };
  } catch (error) {
    throw isDamage(error) ? new BackupError('backup-damaged', `${backup} is damaged`, error) : error;
  } finally {
    await copy.close();
  }
};

const isDamage = (error: unknown): boolean =>
  ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_ERROR'].includes(errorCode(error));

const assertSameRows = (backup: string, expected: RowCounts, found: RowCounts): void => {
  for (const table of new Set([...Object.keys(expected), ...Object.keys(found)]))
    if (expected[table] !== found[table])
      throw new BackupError(
        'backup-damaged',
        `${backup} is damaged: ${table} has ${String(found[table] ?? 0)} rows, and had ${String(expected[table] ?? 0)}`,
      );
};

/** Puts the vouchers of simulated controllers into files of their own. */
const restoreSimulated = async (
  { dataDir, system }: RestoreOrder,
  written: string,
  simulated: readonly number[],
  made: string[],
): Promise<void> => {
  const copy = openCopy(written);
  try {
    for (const id of simulated) {
      const file = simulatedFile(dataDir, id);
      await writeNewFile(
        file,
        system,
        (target) => moveSimulatedVouchers(copy, id, target),
        () => made.push(file),
      );
    }
  } finally {
    await copy.close();
  }
};

/** Migrates the copy, and finds out which secrets the key opens. */
const migrateCopy = async (
  { dataDir, listener, signal, system }: RestoreOrder,
  written: string,
  key: Buffer | undefined,
): Promise<Pick<Restored, 'migrated' | 'sealedValues' | 'unopenable'>> => {
  const database = openDatabase(`sqlite:${written}`);
  try {
    const migrated = await migrate(database, listener);
    // The writer has no timeout.
    const damage = await findDamage({ read: database.write }, signal);
    if (damage !== undefined)
      throw new BackupError('backup-damaged', `the restored database is damaged: ${damage}`);
    const tables = makeTables(database);
    const unopenable = await listUnopenableSecrets(tables, () =>
      key ? makeSecrets(key, system) : openStoredSecrets({ secretKey: undefined, dataDir }, system),
    );
    return { migrated, sealedValues: (await tables.sealed.all()).length, unopenable };
  } finally {
    // The last connection that closes moves everything from the log into the file.
    await database.close();
  }
};

/** A file with another key was refused before. */
const storeKey = (dataDir: string, key: Buffer, system: System): string => {
  const file = keyFilePath(dataDir);
  if (!storeKeyFile(file, key, system).equals(key))
    throw new BackupError(
      'target-exists',
      `${file} was created by somebody else meanwhile, with another key`,
    );
  return file;
};

const explainWriteError = (error: unknown, target: string): unknown =>
  ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(errorCode(error))
    ? new BackupError('disk-full', `the disk of ${target} is full: nothing was restored`)
    : error;
