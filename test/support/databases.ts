import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase, type Database } from '../../src/database/database.js';
import { migrate } from '../../src/database/migrator.js';
import { errorCode } from '../../src/lib/errorCode.js';
import { makeFolder } from './folder.js';
import { until } from './until.js';

/** A database of a test's own. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

export type MakeDatabase = () => Promise<TestDatabase>;

/** A file in a folder of its own, without a table. */
export const makeEmptySqliteDatabase: MakeDatabase = async () => {
  const folder = await makeFolder();
  return { url: `sqlite:${join(folder.path, sqliteFile)}`, drop: folder.remove };
};

/** A file in a folder of its own, with all tables. */
export const makeSqliteDatabase: MakeDatabase = async () => {
  const folder = await makeFolder();
  await putSqliteDatabase(folder.path);
  return { url: `sqlite:${join(folder.path, sqliteFile)}`, drop: folder.remove };
};

const sqliteFile = 'voucherd.sqlite';

/** Puts the database of a service, with all tables, into its folder: a copy takes a fraction of the migrations. */
export const putSqliteDatabase = async (dataDir: string): Promise<void> => {
  migratedSqlite ??= migrateSqlite();
  await writeFile(join(dataDir, sqliteFile), await migratedSqlite, { mode: 0o600 });
};

let migratedSqlite: Promise<Buffer> | undefined;

const migrateSqlite = async (): Promise<Buffer> => {
  const { url, drop } = await makeEmptySqliteDatabase();
  await migrateAt(url);
  const content = await readFile(url.slice('sqlite:'.length));
  await drop();
  return content;
};

/** A database on the PostgreSQL server of this run, without a table. */
export const makeEmptyPostgresDatabase: MakeDatabase = () => createPostgres('template1');

/** A database on the PostgreSQL server of this run, with all tables. */
export const makePostgresDatabase: MakeDatabase = async () => {
  migratedPostgres ??= migratePostgres();
  return createPostgres(await migratedPostgres);
};

/** The name of a database that nobody uses, so that it can be copied. */
let migratedPostgres: Promise<string> | undefined;

const migratePostgres = async (): Promise<string> => {
  const { url } = await makeEmptyPostgresDatabase();
  await migrateAt(url);
  return new URL(url).pathname.slice(1);
};

const createPostgres = async (template: string): Promise<TestDatabase> => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying the template's files takes a fraction of writing each of their blocks to the log.
  await administer(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '');
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`drop database ${name} with (force)`) };
};

const migrateAt = async (url: string): Promise<void> => {
  const database = openPatiently(url);
  await migrate(database);
  await database.close();
};

/** The same database for a role of its own that may have only so many connections. */
export const withLimitedRole = async ({ url, drop }: TestDatabase, limit: number): Promise<TestDatabase> => {
  const role = `role_${randomBytes(6).toString('hex')}`;
  const limited = new URL(url);
  [limited.username, limited.password] = [role, randomBytes(6).toString('hex')];
  const name = limited.pathname.slice(1);
  await administer(`create role ${role} login password '${limited.password}' connection limit ${limit}`);
  await administer(`alter database ${name} owner to ${role}`);
  return {
    url: limited.href,
    drop: async () => {
      await drop();
      await administer(`drop role ${role}`);
    },
  };
};

/** SQLSTATE: a database can't be copied or dropped, because there is still a session of it. */
const objectInUse = '55006';

const administer = async (sql: string): Promise<void> => {
  const client = new pg.Client(process.env['TEST_POSTGRES_URL']);
  await client.connect();
  try {
    // A session that was closed ends when its process gets the time to; the server waits for five seconds only.
    await until('the sessions of the database have ended', () =>
      client.query(sql).then(
        () => true,
        (error: unknown) => {
          if (errorCode(error) === objectInUse) return false;
          throw error;
        },
      ),
    );
  } finally {
    await client.end();
  }
};

/** With more patience than a service has: a busy machine is no database that does not answer. */
export const openPatiently = (url: string): Database => openDatabase(url, { timeoutMs: 120_000 });
