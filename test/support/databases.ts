import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase, type Database } from '../../src/storage/database.js';
import { makeFolder } from './folder.js';

/** An empty database of a test's own. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

export type MakeDatabase = () => Promise<TestDatabase>;

/** A file in a folder of its own. */
export const makeSqliteDatabase: MakeDatabase = async () => {
  const folder = await makeFolder();
  return { url: `sqlite:${join(folder.path, 'voucherd.sqlite')}`, drop: folder.remove };
};

/** A database on the PostgreSQL server of this run. */
export const makePostgresDatabase: MakeDatabase = async () => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(`create database ${name}`);
  const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '');
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`drop database ${name} with (force)`) };
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

const administer = async (sql: string): Promise<void> => {
  const client = new pg.Client(process.env['TEST_POSTGRES_URL']);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

/** With more patience than a service has: a busy machine is no database that does not answer. */
export const openPatiently = (url: string): Database => openDatabase(url, { timeoutMs: 120_000 });
