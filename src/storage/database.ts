import { dirname } from 'node:path';
import type { Knex } from 'knex';
import { makePrivateFolder } from '../privateFiles.js';
import { openSqliteFile } from '../sqlite.js';
import { openPostgres } from './postgres.js';

/** A database that can't be used; the message says why and what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/**
 * The database. SQLite has one writer, so everything that writes goes through `write`, one connection;
 * `read` has its own connections, which never wait for a transaction. On PostgreSQL both are the same pool.
 */
export interface Database {
  readonly dialect: 'sqlite' | 'postgres';
  readonly write: Knex;
  readonly read: Knex;
  /** Has it just not answered, and not since? Then whoever needs it can be refused at once. */
  isAway(): boolean;
  /** Hands out the writer for work that may take any time, like a migration. */
  withoutTimeouts<T>(work: (db: Knex) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** How many connections to PostgreSQL are open at most. */
  readonly poolMax?: number;
  /** How long a connection, its opening, or a statement on it may take on PostgreSQL. */
  readonly timeoutMs?: number;
}

/** Opens `sqlite:<file>` or `postgres://…`. */
export const openDatabase = (url: string, options: DatabaseOptions = {}): Database =>
  url.startsWith('sqlite:') ? openSqlite(url) : openPostgres(url, options);

const openSqlite = (url: string): Database => {
  const filename = url.slice('sqlite:'.length);
  makePrivateFolder(dirname(filename));
  const durable = 'PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;';
  const write = openSqliteFile(filename, 1, durable);
  // The rows of one list lie far apart in a large file; the default page cache of 2 MB would not hold their pages.
  const read = openSqliteFile(
    filename,
    2,
    `${durable} PRAGMA query_only = ON; PRAGMA mmap_size = 1073741824;`,
  );
  return {
    dialect: 'sqlite',
    write,
    read,
    isAway: () => false,
    withoutTimeouts: (work) => work(write),
    close: async () => {
      await read.destroy();
      await write.destroy();
    },
  };
};
