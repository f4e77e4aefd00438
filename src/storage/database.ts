import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import knex, { type Knex } from 'knex';
import pg from 'pg';

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

interface SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void;
}

/** Opens `sqlite:<file>` or `postgres://…`. */
export const openDatabase = (url: string): Database =>
  url.startsWith('sqlite:') ? openSqlite(url) : openPostgres(url);

const openSqlite = (url: string): Database => {
  const filename = url.slice('sqlite:'.length);
  mkdirSync(dirname(filename), { recursive: true });
  const open = (max: number, pragmas: string): Knex =>
    knex({
      client: 'sqlite3',
      connection: { filename },
      useNullAsDefault: true,
      compileSqlOnError: false,
      pool: {
        min: 0,
        max,
        afterCreate: (
          connection: SqliteConnection,
          done: (error: Error | null, connection: unknown) => void,
        ) => {
          connection.exec(pragmas, (error) => {
            done(error, connection);
          });
        },
      },
    });
  const common =
    'PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;';
  const write = open(1, common);
  const read = open(2, `${common} PRAGMA query_only = ON;`);
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
    pool: { min: 0, max: 10 },
  });
  return { dialect: 'postgres', write: db, read: db, close: () => db.destroy() };
};
