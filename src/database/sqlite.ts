import { pathToFileURL } from 'node:url';
import knex, { type Knex } from 'knex';
import { hideStatements } from './knexErrors.js';
import { makePrivateFile } from '../lib/privateFiles.js';
import { SqliteClient, type SqliteClientConfig } from './sqliteClient.js';

interface SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void;
}

const ignore = (): void => undefined;

/** knex would write plain lines to standard output; what it has to say comes as rejected promises too. */
export const quietLog: Knex.Logger = { warn: ignore, error: ignore, deprecate: ignore, debug: ignore };

const busyTimeoutMs = 10_000;
const busyRetryMs = 20;

/** The first switch of a new file to WAL does not wait for other connections, so it is tried again. */
const applyPragmas = (
  connection: SqliteConnection,
  pragmas: string,
  done: (error: Error | null, connection: unknown) => void,
  tries = busyTimeoutMs / busyRetryMs,
): void => {
  connection.exec(pragmas, (error) => {
    if (error?.message.includes('SQLITE_BUSY') && tries > 0) {
      setTimeout(applyPragmas, busyRetryMs, connection, pragmas, done, tries - 1);
    } else done(error, connection);
  });
};

/**
 * Opens a SQLite file with at most `max` connections, each of which begins with the pragmas. A new one is for
 * this user alone, and so are the files that SQLite puts beside it: they get the same permissions. Without a
 * limit, statements may take any time.
 */
export const openSqliteFile = (
  filename: string,
  max: number,
  pragmas: string,
  {
    statementTimeoutMs = 0,
    observed,
  }: Partial<Pick<SqliteClientConfig, 'statementTimeoutMs' | 'observed'>> = {},
): Knex => {
  makePrivateFile(filename);
  return openConnections({
    connection: { filename },
    max,
    pragmas: `PRAGMA journal_mode = WAL; ${pragmas}`,
    statementTimeoutMs,
    observed,
  });
};

/** Opens an existing SQLite file for reading only, with one connection. */
export const openSqliteReadOnly = (filename: string): Knex => openUri(filename, 'mode=ro');

/**
 * Opens what is in an existing SQLite file itself, for reading only: neither locks nor the files beside it
 * are looked at, and none is created.
 */
export const openSqliteUntouched = (filename: string): Knex => openUri(filename, 'mode=ro&immutable=1');

const openUri = (filename: string, parameters: string): Knex =>
  openConnections({
    connection: { filename: `${pathToFileURL(filename).href}?${parameters}`, flags: ['OPEN_URI'] },
    max: 1,
    pragmas: '',
    statementTimeoutMs: 0,
  });

/**
 * Opens a copy that nobody else uses, and that is thrown away when something goes wrong: it needs no journal,
 * and no file is left beside it. Nothing in its schema is trusted.
 */
export const openSqliteCopy = (filename: string): Knex =>
  openConnections({
    connection: { filename },
    max: 1,
    pragmas: 'PRAGMA journal_mode = MEMORY; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;',
    statementTimeoutMs: 0,
  });

interface Connections {
  readonly connection: Knex.Sqlite3ConnectionConfig;
  readonly max: number;
  readonly pragmas: string;
  readonly statementTimeoutMs: number;
  readonly observed?: SqliteClientConfig['observed'];
}

const openConnections = ({ connection, max, pragmas, statementTimeoutMs, observed }: Connections): Knex => {
  const config: SqliteClientConfig = {
    client: SqliteClient,
    statementTimeoutMs,
    observed,
    connection,
    useNullAsDefault: true,
    compileSqlOnError: false,
    log: quietLog,
    pool: {
      min: 0,
      max,
      afterCreate: (opened: SqliteConnection, done: (error: Error | null, connection: unknown) => void) => {
        applyPragmas(opened, `PRAGMA busy_timeout = ${String(busyTimeoutMs)}; ${pragmas}`, done);
      },
    },
  };
  return hideStatements(knex(config));
};
