import type { Database } from '../database/database.js';
import type { RowCounts } from '../database/sqliteSnapshot.js';
import { BackupError } from './backupError.js';
import { isAllowedCost, type PassPhraseSealing } from '../secrets/passPhrase.js';

/**
 * What a backup says of itself. It is a table of its own in the file,
 * which a restored database does not have.
 */
export interface BackupInfo {
  /** The version of the program that made it. */
  readonly version: string;
  readonly createdAt: number;
  readonly rows: RowCounts;
  /** Identifies the secret key without telling it; null when there was none. */
  readonly keyFingerprint: string | null;
  /** The secret key itself, if it is in the backup. */
  readonly key: SealedKey | null;
}

/** A secret key, sealed with a pass phrase. */
export interface SealedKey {
  readonly sealing: PassPhraseSealing;
  readonly sealed: string;
}

const table = 'voucherd_backup';

export const writeBackupInfo = async (
  { write }: Database,
  { version, createdAt, rows, keyFingerprint, key }: BackupInfo,
): Promise<void> => {
  await write.raw(`create table ${table} (name text primary key, value text)`);
  await write(table).insert([
    { name: 'version', value: version },
    { name: 'created_at', value: String(createdAt) },
    { name: 'rows', value: JSON.stringify(rows) },
    { name: 'key_fingerprint', value: keyFingerprint },
    { name: 'key', value: key && serialiseKey(key) },
  ]);
};

const serialiseKey = ({ sealing: { salt, cost, check }, sealed }: SealedKey): string =>
  JSON.stringify({ salt: salt.toString('base64'), cost, check, sealed });

/** Undefined for a copy that was made in another way. Throws when the table holds something else. */
export const readBackupInfo = async ({ read }: Database): Promise<BackupInfo | undefined> => {
  if (!(await read.schema.hasTable(table))) return undefined;
  const found = await read(table).select<{ name: string; value: string | null }[]>('name', 'value');
  const values = new Map(found.map(({ name, value }) => [name, value]));
  const key = values.get('key') ?? null;
  return {
    version: values.get('version') ?? '',
    createdAt: Number(values.get('created_at')),
    rows: parseRows(values.get('rows') ?? ''),
    keyFingerprint: values.get('key_fingerprint') ?? null,
    key: key === null ? null : parseKey(key),
  };
};

const parseObject = (json: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Refused below.
  }
  throw new BackupError(
    'backup-damaged',
    `the table ${table} holds something else than a backup says of itself`,
  );
};

const parseRows = (json: string): RowCounts =>
  Object.fromEntries(Object.entries(parseObject(json)).map(([name, count]) => [name, Number(count)]));

const parseKey = (json: string): SealedKey => {
  const { salt, cost, check, sealed } = parseObject(json);
  if (typeof salt !== 'string' || typeof check !== 'string' || typeof sealed !== 'string')
    throw new BackupError('backup-damaged', 'the secret key in the backup has an unknown form');
  if (typeof cost !== 'number' || !isAllowedCost(cost))
    throw new BackupError('backup-damaged', 'the secret key in the backup was sealed with an unknown cost');
  return { sealing: { salt: Buffer.from(salt, 'base64'), cost, check }, sealed };
};

export const dropBackupInfo = async ({ write }: Database): Promise<void> => {
  await write.schema.dropTableIfExists(table);
};
