import { existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type sqlite3 from 'sqlite3';
import { makePrivateFile, makePrivateFolder } from '../lib/privateFiles.js';
import { errorCode } from '../lib/errorCode.js';
import { DatabaseError } from './database.js';

/** Releases the lock. With `removesNew` its file goes, too, unless it was there before. */
export type ReleaseServiceLock = (options?: { readonly removesNew?: boolean }) => Promise<void>;

/**
 * Ensures that one service runs per SQLite file, because its rate limits and leases rely on that. Commands do
 * not need the lock. It is a SQLite lock on a small file beside the database, so the operating system
 * releases it however the process ends. On PostgreSQL any number of services may run.
 */
export const acquireServiceLock = async (databaseUrl: string): Promise<ReleaseServiceLock> => {
  if (!databaseUrl.startsWith('sqlite:')) return () => Promise.resolve();
  const file = realFile(databaseUrl.slice('sqlite:'.length));
  const lockFile = `${file}.lock`;
  for (;;) {
    const isNew = !existsSync(lockFile);
    makePrivateFile(lockFile);
    const inode = inodeOf(lockFile);
    const lock = await open(lockFile);
    try {
      await exec(lock, 'BEGIN EXCLUSIVE');
    } catch (error) {
      await close(lock);
      if (errorCode(error) !== 'SQLITE_BUSY') throw error;
      throw new DatabaseError(
        'in-use',
        `another service runs on ${file}: stop it first, or set DATA_DIR or DATABASE_URL; only a PostgreSQL can be shared`,
      );
    }
    if (inodeOf(lockFile) === inode)
      return async ({ removesNew = false } = {}) => {
        // While it is held. Whoever has opened it meanwhile finds out that it is gone.
        if (removesNew && isNew) rmSync(lockFile, { force: true });
        await close(lock);
      };
    // Its owner has removed it, so others would lock another file of that name.
    await close(lock);
  }
};

const inodeOf = (file: string): bigint | undefined =>
  statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;

/** Two paths to the same file must share a lock. */
const realFile = (file: string): string => {
  try {
    return realpathSync(file);
  } catch {
    makePrivateFolder(dirname(file));
    return join(realpathSync(dirname(file)), basename(file));
  }
};

const open = async (file: string): Promise<sqlite3.Database> => {
  // Here, so that a service on PostgreSQL does not need its compiled part.
  const { default: driver } = await import('sqlite3');
  return new Promise((resolve, reject) => {
    const database = new driver.Database(file, (error) => (error ? reject(error) : resolve(database)));
  });
};

const exec = (database: sqlite3.Database, sql: string): Promise<void> =>
  new Promise((resolve, reject) => {
    database.exec(sql, (error) => (error ? reject(error) : resolve()));
  });

const close = (database: sqlite3.Database): Promise<void> =>
  new Promise((resolve, reject) => {
    database.close((error) => (error ? reject(error) : resolve()));
  });
