import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { openSqliteFile, quietLog } from '../sqlite.js';

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
  close(): Promise<void>;
}

/** Opens `sqlite:<file>` or `postgres://…`. */
export const openDatabase = (url: string): Database =>
  url.startsWith('sqlite:') ? openSqlite(url) : openPostgres(url);

const openSqlite = (url: string): Database => {
  const filename = url.slice('sqlite:'.length);
  mkdirSync(dirname(filename), { recursive: true });
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
    close: async () => {
      await read.destroy();
      await write.destroy();
    },
  };
};

const openPostgres = (connectionString: string): Database => {
  const types: pg.CustomTypesConfig = {
    // Ids and milliseconds are 64 bits wide there and fit a number here.
    getTypeParser: (id, format) =>
      id === pg.types.builtins.INT8
        ? Number
        : (pg.types.getTypeParser(id, format) as (text: string) => unknown),
  };
  const db = knex({
    client: 'pg',
    connection: { connectionString, types } as Knex.PgConnectionConfig,
    compileSqlOnError: false,
    log: quietLog,
    pool: { min: 0, max: 10 },
  });
  return { dialect: 'postgres', write: db, read: db, close: () => db.destroy() };
};
