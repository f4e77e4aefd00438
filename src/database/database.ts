import { dirname } from 'node:path';
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { hideStatements } from './knexErrors.js';
import { parsePostgresUrl } from './postgresUrl.js';
import { makePrivateFolder } from '../lib/privateFiles.js';
import { readPoolLoad, type ObserveQuery, type PoolLoad } from './queryObserver.js';
import type { UnavailableCode } from './unavailable.js';
import { openSqliteFile, quietLog } from './sqlite.js';
import { loadDriver, PostgresClient, type PostgresClientConfig } from './postgresClient.js';
import { CodedError } from '../errors/codedError.js';

/** The database can't be used; the message says why and what to do. */
export class DatabaseError extends CodedError<DatabaseErrorCode> {
  override readonly name = 'DatabaseError';
}

/** `not-usable`: see its cause. */
type DatabaseErrorCode = 'in-use' | 'newer-version' | 'not-usable' | 'unfinished-copy' | 'unreleased-version';

/**
 * SQLite has one writer, so all writes go through `write`, a single connection; `read` and `scan` have their
 * own connections, which never wait for a transaction. On PostgreSQL `write` and `read` are the same pool.
 */
export interface Database {
  readonly dialect: 'sqlite' | 'postgres';
  /** The file of SQLite. */
  readonly file?: string;
  readonly write: Knex;
  readonly read: Knex;
  /**
   * For reading what may take long, such as searches and reports:
   * it never takes the connections of what is short.
   */
  readonly scan: Knex;
  /**
   * True after the database did not answer or could not be
   * written, until it can. Requests can then fail fast.
   */
  readonly isUnavailable: boolean;
  /** Why it is unavailable. */
  readonly unavailableCode?: UnavailableCode | undefined;
  /** Runs work that may take any time, like a migration, with a writer that has no statement timeout. */
  withoutTimeouts<T>(work: (db: Knex) => Promise<T>): Promise<T>;
  /** How many connections are in use. */
  pools(): PoolLoad[];
  close(): Promise<void>;
}

interface DatabaseOptions {
  /** The maximum number of connections to PostgreSQL. */
  readonly poolMax?: number;
  /**
   * How long a statement may take: on SQLite those of `read` and `scan`, on PostgreSQL all,
   * and there also opening a connection and waiting for a free one.
   */
  readonly timeoutMs?: number;
  readonly observe?: ObserveQuery | undefined;
}

/** Opens `sqlite:<file>` or `postgres://…`. */
export const openDatabase = (url: string, options: DatabaseOptions = {}): Database =>
  url.startsWith('sqlite:') ? openSqlite(url, options) : openPostgres(url, options);

const defaultTimeoutMs = 5000;

const openSqlite = (url: string, { timeoutMs = defaultTimeoutMs, observe }: DatabaseOptions): Database => {
  const filename = url.slice('sqlite:'.length);
  makePrivateFolder(dirname(filename));
  const durable = 'PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;';
  const write = openSqliteFile(filename, 1, durable, { observed: observe && { pool: 'write', observe } });
  const openReader = (pool: string, max: number): Knex =>
    openSqliteFile(
      filename,
      max,
      // The rows of one list are spread over a large file; the
      // default page cache of 2 MB would not hold their pages.
      `${durable} PRAGMA query_only = ON; PRAGMA mmap_size = 1073741824;`,
      { statementTimeoutMs: timeoutMs, observed: observe && { pool, observe } },
    );
  // A statement takes one of four threads. One user scans with two at most: see http/readQueue.ts.
  const [read, scan] = [openReader('read', 2), openReader('scan', 3)];
  return {
    dialect: 'sqlite',
    file: filename,
    write,
    read,
    scan,
    isUnavailable: false,
    withoutTimeouts: (work) => work(write),
    pools: () => [readPoolLoad('read', read), readPoolLoad('scan', scan), readPoolLoad('write', write)],
    close: async () => {
      await scan.destroy();
      await read.destroy();
      await write.destroy();
    },
  };
};

/** A server that still answers ends a statement this much earlier than we would destroy the connection. */
const serverLeadMs = 1000;
/** How soon to retry after the role or the server had reached its connection limit. */
const connectRetryMs = 500;
/** Idle connections are closed soon, because another process may be waiting for one. */
const idleTimeoutMs = 3000;

const makePostgresTypes = (): pg.CustomTypesConfig => {
  const { types } = loadDriver();
  return {
    // Ids and milliseconds are 64 bits wide in the database, and small enough for a number.
    getTypeParser: (id, format) =>
      id === types.builtins.INT8 ? Number : (types.getTypeParser(id, format) as (text: string) => unknown),
  };
};

/** In milliseconds; 0 means no timeout. */
interface PoolTimeouts {
  /** For opening a connection, and for waiting until one is free. */
  readonly connectMs: number;
  readonly statementMs: number;
}

/**
 * Opens a pool for reading and writing, and one for scans
 * unless the maximum is small. Everything has a timeout.
 */
const openPostgres = (
  url: string,
  { poolMax = 10, timeoutMs = defaultTimeoutMs, observe }: DatabaseOptions,
): Database => {
  const timeouts = { connectMs: timeoutMs, statementMs: timeoutMs };
  const scanMax = Math.floor(poolMax / 3);
  const pool = openPool(url, { min: 1, max: poolMax - scanMax }, timeouts, {
    onUnavailable: (kind) => availability.noteFailure(kind),
    observed: observe && { pool: 'main', observe },
  });
  const scan =
    scanMax === 0
      ? pool
      : openPool(url, { min: 1, max: scanMax }, timeouts, { observed: observe && { pool: 'scan', observe } });
  const availability = makeAvailability(() => pool.raw('select 1'));
  return {
    dialect: 'postgres',
    write: pool,
    read: pool,
    scan,
    get isUnavailable() {
      return availability.kind !== undefined;
    },
    get unavailableCode() {
      return availability.kind;
    },
    withoutTimeouts: async (work) => {
      const unlimited = openPool(url, { min: 0, max: 1 }, { connectMs: timeoutMs, statementMs: 0 });
      try {
        return await work(unlimited);
      } finally {
        await unlimited.destroy();
      }
    },
    pools: () => [readPoolLoad('main', pool), ...(scan === pool ? [] : [readPoolLoad('scan', scan)])],
    close: async () => {
      availability.stop();
      if (scan !== pool) await scan.destroy();
      await pool.destroy();
    },
  };
};

const openPool = (
  url: string,
  size: { readonly min: number; readonly max: number },
  { connectMs, statementMs }: PoolTimeouts,
  more: Pick<PostgresClientConfig, 'onUnavailable' | 'observed'> = {},
): Knex => {
  const config: PostgresClientConfig = {
    client: PostgresClient,
    // Saves knex a query per pool; it treats all supported versions alike.
    version: '14',
    connection: {
      connectionString: parsePostgresUrl(url).connectionString,
      types: makePostgresTypes(),
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
    } as Knex.PgConnectionConfig,
    compileSqlOnError: false,
    log: quietLog,
    pool: {
      ...size,
      acquireTimeoutMillis: connectMs,
      // The driver's own timeout comes first and has the better message.
      createTimeoutMillis: 2 * connectMs,
      createRetryIntervalMillis: connectRetryMs,
      idleTimeoutMillis: idleTimeoutMs,
      // PostgresClient rejects the pending acquires itself.
      propagateCreateError: false,
    },
    // Not as startup parameters: connection poolers refuse those they do not know.
    greeting: {
      sql: `set statement_timeout = ${String(statementMs)}; set idle_in_transaction_session_timeout = ${String(statementMs)}`,
      timeoutMs: connectMs,
    },
    silenceMs: statementMs > 0 ? statementMs + serverLeadMs : 0,
    // Leaves enough of the acquire timeout to open a new connection.
    pingMs: connectMs / 5,
    ...more,
  };
  return hideStatements(knex(config));
};

/** Whether the database can be used. After a reported failure it is probed until it can. */
interface Availability {
  /** Why it can't be used; undefined while it can. */
  readonly kind: UnavailableCode | undefined;
  /** Reports that the database did not answer, or could not be written. */
  noteFailure(kind: UnavailableCode): void;
  stop(): void;
}

const probeIntervalMs = 500;

const makeAvailability = (ping: () => Promise<unknown>): Availability => {
  let unavailable: UnavailableCode | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const probe = async (): Promise<void> => {
    try {
      await ping();
      unavailable = undefined;
    } catch {
      if (!stopped) timer = setTimeout(() => void probe(), probeIntervalMs).unref();
    }
  };
  return {
    get kind() {
      return unavailable;
    },
    noteFailure: (kind) => {
      if (stopped) return;
      const isKnown = unavailable !== undefined;
      unavailable = kind;
      if (!isKnown) void probe();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
