import { dirname } from 'node:path';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { makePrivateFolder } from '../lib/privateFiles.js';
import { openSqliteFile, quietLog } from '../lib/sqlite.js';
import { PostgresClient, type PostgresClientConfig } from './postgresClient.js';

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
  isUnavailable(): boolean;
  /** Hands out the writer for work that may take any time, like a migration. */
  withoutTimeouts<T>(work: (db: Knex) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface DatabaseOptions {
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
    isUnavailable: () => false,
    withoutTimeouts: (work) => work(write),
    close: async () => {
      await read.destroy();
      await write.destroy();
    },
  };
};

/** By this much a server that answers is ahead of us in ending a statement. */
const serverLeadMs = 1000;
/** So soon, a connection that the role or the server had no room for is tried again. */
const connectRetryMs = 500;
/** Connections that nobody uses are closed soon: another process may wait for one of them. */
const idleTimeoutMs = 3000;

const postgresTypes: pg.CustomTypesConfig = {
  // Ids and milliseconds are 64 bits wide there and fit a number here.
  getTypeParser: (id, format) =>
    id === pg.types.builtins.INT8
      ? Number
      : (pg.types.getTypeParser(id, format) as (text: string) => unknown),
};

/** What may take how long, in milliseconds; 0 is any time. */
interface PoolTimeouts {
  /** For a connection: to be opened, and to become free. */
  readonly connectMs: number;
  readonly statementMs: number;
}

/** Opens `postgres://…`: one pool for reading and writing, in which nothing waits for ever. */
const openPostgres = (url: string, { poolMax = 10, timeoutMs = 5000 }: DatabaseOptions = {}): Database => {
  const pool = openPool(url, { min: 1, max: poolMax }, { connectMs: timeoutMs, statementMs: timeoutMs }, () =>
    availability.noteFailure(),
  );
  const availability = makeAvailability(() => pool.raw('select 1'));
  return {
    dialect: 'postgres',
    write: pool,
    read: pool,
    isUnavailable: availability.isUnavailable,
    withoutTimeouts: async (work) => {
      const patient = openPool(url, { min: 0, max: 1 }, { connectMs: timeoutMs, statementMs: 0 });
      try {
        return await work(patient);
      } finally {
        await patient.destroy();
      }
    },
    close: async () => {
      availability.stop();
      await pool.destroy();
    },
  };
};

const openPool = (
  connectionString: string,
  size: { readonly min: number; readonly max: number },
  { connectMs, statementMs }: PoolTimeouts,
  onUnavailable?: () => void,
): Knex => {
  const config: PostgresClientConfig = {
    client: PostgresClient,
    // Any that is supported: knex would ask each server, and makes no difference between them.
    version: '14',
    connection: {
      connectionString,
      types: postgresTypes,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
    } as Knex.PgConnectionConfig,
    compileSqlOnError: false,
    log: quietLog,
    pool: {
      ...size,
      acquireTimeoutMillis: connectMs,
      // The driver's own timeout comes first, and says more.
      createTimeoutMillis: 2 * connectMs,
      createRetryIntervalMillis: connectRetryMs,
      idleTimeoutMillis: idleTimeoutMs,
      // The client tells those who wait.
      propagateCreateError: false,
    },
    // Not as parameters of the connection's start: poolers refuse those that they do not know.
    greeting: {
      sql: `set statement_timeout = ${String(statementMs)}; set idle_in_transaction_session_timeout = ${String(statementMs)}`,
      timeoutMs: connectMs,
    },
    silenceMs: statementMs > 0 ? statementMs + serverLeadMs : 0,
    // Within the time that whoever waits for a connection has, with enough left to open one.
    pingMs: connectMs / 5,
    ...(onUnavailable && { onUnavailable }),
  };
  return knex(config);
};

/** Does the database answer? Told by those who use it; once it does not, it is asked again and again until it does. */
interface Availability {
  /** Has the database just not answered, and not since? */
  isUnavailable(): boolean;
  /** Tells that it did not answer. */
  noteFailure(): void;
  stop(): void;
}

const probeIntervalMs = 500;

const makeAvailability = (ask: () => Promise<unknown>): Availability => {
  let away = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const probe = async (): Promise<void> => {
    try {
      await ask();
      away = false;
    } catch {
      if (!stopped) timer = setTimeout(() => void probe(), probeIntervalMs).unref();
    }
  };
  return {
    isUnavailable: () => away,
    noteFailure: () => {
      if (away || stopped) return;
      away = true;
      void probe();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
