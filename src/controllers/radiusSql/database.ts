import { connect, type Socket } from 'node:net';
import type pg from 'pg';
import { loadDriver } from '../../database/postgresClient.js';
import type { RadiusSettings } from './settings.js';

/** A value of a statement. */
export type SqlValue = string | number | null;

/** A connection to the database of a FreeRADIUS server. */
export interface RadiusConnection {
  /** Runs a statement with `?` for its values. */
  query<T>(sql: string, values?: readonly SqlValue[]): Promise<readonly T[]>;
  /** Ends the connection without waiting for anything. */
  destroy(): void;
  /** Ends the connection in order. */
  end(): Promise<void>;
}

export interface RadiusSignIn {
  readonly settings: RadiusSettings;
  readonly username: string;
  readonly password: string;
  readonly timeoutMs: number;
}

/** Opens a connection. Throws the error of the driver. */
export const connectToRadius = (given: RadiusSignIn): Promise<RadiusConnection> =>
  given.settings.dialect === 'postgresql' ? connectToPostgres(given) : connectToMysql(given);

/** Without a certificate that fits there is no connection. */
const tlsOptions = ({ ca }: RadiusSettings): { readonly ca?: string } => (ca === undefined ? {} : { ca });

/** The client of the driver with the socket that its types omit. */
type PostgresConnection = pg.Client & { readonly connection: { readonly stream: Socket } };

const connectToPostgres = async ({
  settings,
  username,
  password,
  timeoutMs,
}: RadiusSignIn): Promise<RadiusConnection> => {
  const { Client } = loadDriver();
  const client = new Client({
    host: settings.host,
    port: settings.port,
    database: settings.database,
    user: username,
    password,
    connectionTimeoutMillis: timeoutMs,
    application_name: 'voucherd-radius',
    ssl: settings.tls === 'off' ? false : tlsOptions(settings),
  }) as PostgresConnection;
  // Errors between statements: the next statement fails.
  client.on('error', () => undefined);
  const destroy = (): void => void client.connection.stream.destroy();
  try {
    await client.connect();
  } catch (error) {
    destroy();
    throw error;
  }
  return {
    query: async <T>(sql: string, values: readonly SqlValue[] = []) => {
      let index = 0;
      const numbered = sql.replaceAll('?', () => `$${String(++index)}`);
      const { rows } = await client.query<Record<string, unknown>>(numbered, [...values]);
      return rows as readonly T[];
    },
    destroy,
    end: () => client.end(),
  };
};

/**
 * The driver gives TLS no name for an IP address, and TLS would
 * take a certificate for `localhost`. It looks at the socket first.
 */
const connectNamed = ({ host, port }: RadiusSettings): Socket =>
  Object.assign(connect({ host, port, noDelay: true }), { _host: host });

const connectToMysql = async ({
  settings,
  username,
  password,
  timeoutMs,
}: RadiusSignIn): Promise<RadiusConnection> => {
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection({
    host: settings.host,
    port: settings.port,
    database: settings.database,
    user: username,
    password,
    connectTimeout: timeoutMs,
    charset: 'utf8mb4',
    supportBigNumbers: true,
    ...(settings.tls !== 'off' && {
      ssl: { ...tlsOptions(settings), verifyIdentity: true },
      stream: () => connectNamed(settings),
    }),
  });
  connection.on('error', () => undefined);
  return {
    query: async <T>(sql: string, values: readonly SqlValue[] = []) => {
      // The server fills in the values: escaping them here would depend on its sql_mode.
      const [rows] = await (values.length === 0
        ? connection.query(sql)
        : connection.execute(sql, [...values]));
      return (Array.isArray(rows) ? rows : []) as unknown as readonly T[];
    },
    destroy: () => connection.destroy(),
    end: () => connection.end(),
  };
};
