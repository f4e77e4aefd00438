import { createHash } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, openSync, readSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { explainFolderError } from '../lib/folders.js';
import { BackupError } from './backupError.js';
import { hasBytes } from './restoreTarget.js';

const [sqliteMagic, pgDumpMagic] = [Buffer.from('SQLite format 3\0'), Buffer.from('PGDMP')];

/** What a file is, by how it begins: `pg-dump` is one of `pg_dump --format=custom`. */
export type BackupFileKind = 'sqlite' | 'pg-dump' | 'other';

/** Finds out what a file is. Throws `BackupError` when it is missing, or can't be read. */
export const recogniseBackup = (backup: string): BackupFileKind => {
  const begin = readBegin(backup);
  if (begin.equals(sqliteMagic)) return 'sqlite';
  return begin.subarray(0, pgDumpMagic.length).equals(pgDumpMagic) ? 'pg-dump' : 'other';
};

const readBegin = (backup: string): Buffer => {
  const begin = Buffer.alloc(sqliteMagic.length);
  try {
    const found = statSync(backup, { throwIfNoEntry: false });
    if (!found) throw new BackupError('file-unreadable', `there is no file ${backup}`);
    if (!found.isFile()) throw new BackupError('backup-invalid', `${backup} is not a file`);
    const opened = openSync(backup, 'r');
    try {
      return begin.subarray(0, readSync(opened, begin, 0, begin.length, 0));
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(
      'file-unreadable',
      `${backup.slice(0, 300)} can't be read: ${explainFolderError(error, backup)}`,
    );
  }
};

/** Recognises files that are no backup before anything is copied. */
export const assertBackup = (backup: string): void => {
  const kind = recogniseBackup(backup);
  if (kind === 'pg-dump')
    throw new BackupError(
      'backup-invalid',
      `${backup} is a backup of a PostgreSQL: set DATABASE_URL to an empty one, and pg_restore restores it; see docs/backup.md`,
    );
  if (kind === 'other')
    throw new BackupError('backup-invalid', `${backup} is not a backup of voucherd, nor a SQLite database`);
  if (hasBytes(`${backup}-wal`))
    throw new BackupError(
      'backup-invalid',
      `${backup} is a database in use: what is in ${backup}-wal would be lost; make a backup of it first`,
    );
};

/** Refuses a backup that has another SHA-256. */
export const assertChecksum = async (
  backup: string,
  expected: string,
  signal: AbortSignal,
): Promise<void> => {
  compareChecksums(backup, expected, await hashFile(backup, signal));
};

const compareChecksums = (backup: string, expected: string, found: string): void => {
  if (found !== expected)
    throw new BackupError(
      'checksum-differs',
      `${backup} is not the file that was expected, or is damaged: its SHA-256 is ${found}, and not ${expected}; copy it again`,
    );
};

/** Copies the backup into an empty file, and returns the SHA-256 of what was copied. */
export const copyBackup = async (
  {
    backup,
    sha256,
    signal,
  }: { readonly backup: string; readonly sha256?: string | undefined; readonly signal: AbortSignal },
  written: string,
): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(
    createReadStream(backup),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(written, { flags: 'r+' }),
    { signal },
  );
  const found = hash.digest('hex');
  // It may have changed since it was compared.
  if (sha256 !== undefined) compareChecksums(backup, sha256, found);
  return found;
};

/** The SHA-256 of a file, in hexadecimal characters. */
export const hashFile = async (file: string, signal: AbortSignal): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { signal })) hash.update(chunk as Buffer);
  return hash.digest('hex');
};
