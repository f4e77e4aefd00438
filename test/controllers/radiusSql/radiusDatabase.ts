import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { findFreePort } from '../../setup/freePort.mjs';
import { makeEmptyPostgresDatabase } from '../../support/databases.js';
import { startMariaDb } from '../../support/mariadb.js';

/** The database of a FreeRADIUS server. */
export interface RadiusDatabase {
  readonly dialect: 'postgresql' | 'mysql';
  readonly host: string;
  readonly port: number;
  readonly name: string;
  readonly url: string;
  readonly credentials: { readonly username: string; readonly password: string };
  /** Runs statements as its administrator. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Sets the clock of connections that are opened afterwards ahead. */
  setAhead(ms: number): Promise<void>;
  drop(): Promise<void>;
}

/** What of FreeRADIUS' schema is used here, for machines without FreeRADIUS. */
const smallSchema = (dialect: RadiusDatabase['dialect']): string => {
  const isPostgres = dialect === 'postgresql';
  const [id, time, ip, text] = isPostgres
    ? ['bigserial primary key', 'timestamptz', 'inet', 'text']
    : ['bigint auto_increment primary key', 'datetime null', 'varchar(15)', 'varchar(64)'];
  const items = ['radcheck', 'radreply'].map(
    (table) =>
      `create table ${table} (id ${id}, username ${text}, attribute ${text}, op char(2), value varchar(253));`,
  );
  return `${items.join('\n')}
    create index on_radcheck on radcheck (username, attribute);
    create table radusergroup (id ${id}, username ${text}, groupname ${text}, priority int);
    create table nas (id ${id}, nasname varchar(128), secret varchar(60));
    create table radacct (radacctid ${id}, acctsessionid ${text}, acctuniqueid ${text}, username ${text},
      nasipaddress ${ip}, acctstarttime ${time}, acctstoptime ${time}, acctinputoctets bigint,
      acctoutputoctets bigint, callingstationid ${text}, framedipaddress ${ip});`;
};

export const makeRadiusPostgres = async (
  schema: string = smallSchema('postgresql'),
): Promise<RadiusDatabase> => {
  const database = await makeEmptyPostgresDatabase();
  const { hostname, port, pathname, username, password } = new URL(database.url);
  const client = new pg.Client(database.url);
  client.on('error', () => undefined);
  await client.connect();
  await client.query(schema);
  return {
    dialect: 'postgresql',
    ...{ host: hostname, port: Number(port), name: pathname.slice(1) },
    url: `postgresql://${hostname}:${port}${pathname}`,
    credentials: { username, password },
    query: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
    // A function of the same name that comes before the server's.
    setAhead: async (ms) => {
      await client.query(`create or replace function public.now() returns timestamptz language sql stable
        as $$ select pg_catalog.now() + interval '${String(ms)} milliseconds' $$`);
      await client.query(`alter database ${pathname.slice(1)} set search_path = public, pg_catalog`);
    },
    drop: async () => {
      await client.end();
      await database.drop();
    },
  };
};

/** A MariaDB that listens on loopback, and databases on it. */
export const startRadiusMariaDb = async () => {
  const port = await findFreePort();
  const server = await startMariaDb(
    ...['--skip-networking=0', '--bind-address=127.0.0.1', `--port=${String(port)}`],
  );
  const credentials = { username: 'radius', password: randomBytes(9).toString('hex') };
  await server.execute(`create user 'radius'@'127.0.0.1' identified by '${credentials.password}'`);
  return {
    stop: server.stop,
    execute: server.execute,
    make: async (schema: string = smallSchema('mysql')): Promise<RadiusDatabase> => {
      const name = `radius_${randomBytes(6).toString('hex')}`;
      await server.execute(`set global init_connect = ''`);
      await server.execute(`create database ${name}; grant all on ${name}.* to 'radius'@'127.0.0.1'`);
      await server.execute(schema, name);
      const connection = await createConnection({
        ...{ socketPath: server.socket, user: 'root', database: name, multipleStatements: true },
      });
      return {
        dialect: 'mysql',
        ...{ host: '127.0.0.1', port, name, credentials },
        url: `mysql://127.0.0.1:${String(port)}/${name}`,
        query: async (sql) => {
          const [rows] = await connection.query(sql);
          return Array.isArray(rows) ? (rows as unknown as Record<string, unknown>[]) : [];
        },
        setAhead: (ms) =>
          server.execute(
            `set global init_connect = 'set timestamp = unix_timestamp() + ${String(ms / 1000)}'`,
          ),
        drop: async () => {
          await connection.query(`drop database ${name}`);
          await connection.end();
        },
      };
    },
  };
};
