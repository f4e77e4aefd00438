import knex, { type Knex } from 'knex';
import pg from 'pg';
import { quietLog } from '../sqlite.js';
import { makeAvailability } from './availability.js';
import type { Database, DatabaseOptions } from './database.js';
import { PostgresClient, type PostgresClientConfig } from './postgresClient.js';

/** By this much a server that answers is ahead of us in ending a statement. */
const aheadMs = 1000;
/** So soon, a connection that the role or the server had no room for is tried again. */
const retryMs = 500;
/** Connections that nobody uses are closed soon: another process may wait for one of them. */
const idleMs = 3000;

const types: pg.CustomTypesConfig = {
  // Ids and milliseconds are 64 bits wide there and fit a number here.
  getTypeParser: (id, format) =>
    id === pg.types.builtins.INT8
      ? Number
      : (pg.types.getTypeParser(id, format) as (text: string) => unknown),
};

/** What may take how long, in milliseconds; 0 is any time. */
interface Limits {
  /** For a connection: to be opened, and to become free. */
  readonly connectMs: number;
  readonly statementMs: number;
}

/** Opens `postgres://…`: one pool for reading and writing, in which nothing waits for ever. */
export const openPostgres = (
  url: string,
  { poolMax = 10, timeoutMs = 5000 }: DatabaseOptions = {},
): Database => {
  const pool = openPool(url, { min: 1, max: poolMax }, { connectMs: timeoutMs, statementMs: timeoutMs }, () =>
    availability.noteFailure(),
  );
  const availability = makeAvailability(() => pool.raw('select 1'));
  return {
    dialect: 'postgres',
    write: pool,
    read: pool,
    isAway: availability.isAway,
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
  { connectMs, statementMs }: Limits,
  onUnavailable?: () => void,
): Knex => {
  const config: PostgresClientConfig = {
    client: PostgresClient,
    // Any that is supported: knex would ask each server, and makes no difference between them.
    version: '14',
    connection: {
      connectionString,
      types,
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
      createRetryIntervalMillis: retryMs,
      idleTimeoutMillis: idleMs,
      // The client tells those who wait.
      propagateCreateError: false,
    },
    // Not as parameters of the connection's start: poolers refuse those that they do not know.
    greeting: {
      sql: `set statement_timeout = ${String(statementMs)}; set idle_in_transaction_session_timeout = ${String(statementMs)}`,
      timeoutMs: connectMs,
    },
    silenceMs: statementMs > 0 ? statementMs + aheadMs : 0,
    // Within the time that whoever waits for a connection has, with enough left to open one.
    pingMs: connectMs / 5,
    ...(onUnavailable && { onUnavailable }),
  };
  return knex(config);
};
