import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeTables } from '../app/tables.js';
import type { Database } from '../database/database.js';
import { explainDatabaseError } from '../database/databaseErrors.js';
import { pendingMigrations } from '../database/migrator.js';
import {
  copySnapshot,
  countRows,
  findDamage,
  measureSnapshot,
  openCopy,
  readDatabase,
  type RowCounts,
} from '../database/sqliteSnapshot.js';
import { assertNoUnfinishedCopy } from '../database/unfinishedCopy.js';
import { listUnopenableSecrets, type UnopenableSecret } from '../diagnostics/storedSecrets.js';
import { readVersion } from '../lib/buildInfo.js';
import { errorCode } from '../lib/errorCode.js';
import { hashFile } from './backupFile.js';
import type { System } from '../lib/system.js';
import { makeSecrets } from '../secrets/encryption.js';
import {
  keyFilePath,
  oldKeyFilePath,
  readKeyFile,
  openStoredSecrets,
  type SecretKeySource,
} from '../secrets/secretKey.js';
import { BackupError } from './backupError.js';
import { writeBackupInfo, type SealedKey } from './backupInfoTable.js';
import { fingerprintOfKey, sealKey } from './keyInBackup.js';
import { assertFree, writeNewFile } from './newFile.js';
import { addSimulatedVouchers } from './simulatedVouchersTable.js';

/** What a backup is made of, and where it goes. */
export interface BackupOrder {
  /** The SQLite file. */
  readonly source: string;
  readonly keys: SecretKeySource;
  readonly target: string;
  /** Seals the secret key, which is then part of the backup. */
  readonly passPhrase: string | undefined;
  /** The cost of that, when it is not that of production. */
  readonly cost?: number | undefined;
  readonly signal: AbortSignal;
  readonly system: System;
  onProgress(bytes: number, atMost: number): void;
}

export interface Backup {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly createdAt: number;
  /** The last migration of the database. */
  readonly schema: string;
  readonly rows: RowCounts;
  /** How many values are sealed with the secret key; undefined for the schema of another version. */
  readonly sealedValues: number | undefined;
  readonly unopenable: readonly UnopenableSecret[];
  readonly hasKey: boolean;
}

const progressIntervalMs = 500;

/**
 * Copies the database of a service, which may run and write, and verifies the copy before it gets its name.
 */
export const makeBackup = async (order: BackupOrder): Promise<Backup> => {
  const { source, target, system, signal } = order;
  assertFree(target);
  const atMost = await examineSource(source, order.keys.dataDir);
  await assertRoom(target, atMost);
  const key = readBackupKey(order);
  return writeNewFile(target, system, async (written) => {
    const createdAt = system.now();
    const timer = setInterval(
      () => order.onProgress(statSync(written, { throwIfNoEntry: false })?.size ?? 0, atMost),
      progressIntervalMs,
    );
    try {
      await copySnapshot(source, written, signal);
      const sealedKey =
        key && order.passPhrase !== undefined
          ? await sealKey(key, order.passPhrase, system, order.cost)
          : null;
      const described = await describe(order, written, { createdAt, key, sealedKey });
      const sha256 = await hashFile(written, signal);
      const bytes = statSync(written).size;
      return { file: target, bytes, sha256, createdAt, ...described, hasKey: sealedKey !== null };
    } catch (error) {
      throw signal.aborted ? signal.reason : explainCopyError(error, order);
    } finally {
      clearInterval(timer);
    }
  });
};

/** Refuses an unfinished copy before anything is copied, and returns how many bytes a backup has at most. */
const examineSource = async (source: string, dataDir: string): Promise<number> => {
  try {
    await readDatabase(source, assertNoUnfinishedCopy);
    return await measureSnapshot(source);
  } catch (error) {
    throw explainDatabaseError(error, { databaseUrl: `sqlite:${source}`, dataDir });
  }
};

/** A full disk would hit the service, too, if its data is on the same one. */
const assertRoom = async (target: string, bytes: number): Promise<void> => {
  const disk = await statfs(dirname(target)).catch(() => undefined);
  // Some file systems have no sizes. A folder that does not exist is reported when the file is created.
  if (!disk || disk.blocks === 0) return;
  const { bavail, bsize } = disk;
  if (bavail * bsize < bytes)
    throw new BackupError(
      'disk-full',
      `there is not enough room in ${dirname(target)}: the backup may take ${formatMegabytes(bytes)}, and ${formatMegabytes(bavail * bsize)} are free`,
    );
};

export const formatMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/**
 * The key that belongs to the database; undefined while there is none.
 * With a pass phrase there has to be one.
 */
const readBackupKey = ({ keys, passPhrase }: BackupOrder): Buffer | undefined => {
  const key = keys.secretKey ?? readKeyFile(keyFilePath(keys.dataDir));
  if (passPhrase === undefined) return key;
  if (!key)
    throw new BackupError(
      'key-missing',
      `there is no secret key in ${keys.dataDir}: nothing was sealed yet, so make the backup without it`,
    );
  if (!keys.secretKey && readKeyFile(oldKeyFilePath(keys.dataDir)))
    throw new BackupError(
      'rotation-interrupted',
      'a rotation of the secret key was interrupted: finish it first, by `secret rotate`',
    );
  return key;
};

type Described = Pick<Backup, 'schema' | 'rows' | 'sealedValues' | 'unopenable'>;

/** Verifies the copy, and adds what it says of itself. */
const describe = async (
  { source, keys, signal, system }: BackupOrder,
  written: string,
  {
    createdAt,
    key,
    sealedKey,
  }: {
    readonly createdAt: number;
    readonly key: Buffer | undefined;
    readonly sealedKey: SealedKey | null;
  },
): Promise<Described> => {
  const copy = openCopy(written);
  try {
    if (!(await copy.read.schema.hasTable('migrations')))
      throw new BackupError('database-damaged', `${source} is not a database of voucherd`);
    // Again: one may have been begun meanwhile.
    await assertNoUnfinishedCopy(copy.read);
    const damage = await findDamage(copy, signal);
    if (damage !== undefined)
      throw new BackupError('database-damaged', `the copy is damaged, so the database may be: ${damage}`);
    await addSimulatedVouchers(copy, keys.dataDir);
    const rows = await countRows(copy);
    const secrets = await checkSecrets(copy, keys, sealedKey ? key : undefined, system);
    await writeBackupInfo(copy, {
      version: readVersion(),
      createdAt,
      rows,
      keyFingerprint: key ? fingerprintOfKey(key) : null,
      key: sealedKey,
    });
    return { schema: await lastMigration(copy), rows, ...secrets };
  } finally {
    await copy.close();
  }
};

const lastMigration = async ({ read }: Database): Promise<string> =>
  (await read<{ name: string }>('migrations').orderBy('name', 'desc').first('name'))?.name ?? '';

/**
 * Which secrets in the copy the key does not open. A
 * database of another version is copied without this check.
 */
const checkSecrets = async (
  copy: Database,
  keys: SecretKeySource,
  includedKey: Buffer | undefined,
  system: System,
): Promise<Pick<Described, 'sealedValues' | 'unopenable'>> => {
  if ((await pendingMigrations(copy, { allowsNewer: true })).length > 0)
    return { sealedValues: undefined, unopenable: [] };
  const tables = makeTables(copy);
  const unopenable = await listUnopenableSecrets(tables, () =>
    includedKey ? makeSecrets(includedKey, system) : openStoredSecrets(keys, system),
  );
  return { sealedValues: (await tables.sealed.all()).length, unopenable };
};

const explainCopyError = (error: unknown, { source, target, keys }: BackupOrder): unknown => {
  switch (errorCode(error)) {
    case 'SQLITE_FULL':
    case 'ENOSPC':
    case 'EDQUOT':
      return new BackupError(
        'disk-full',
        `the disk of ${target} is full: free some room there, or name a file elsewhere`,
      );
    case 'SQLITE_IOERR':
    case 'EFBIG':
    case 'EIO':
      return new BackupError(
        'disk-failed',
        `${source} could not be read, or ${target} could not be written: check the disks they are on`,
      );
    default:
      return explainDatabaseError(error, { databaseUrl: `sqlite:${source}`, dataDir: keys.dataDir });
  }
};
