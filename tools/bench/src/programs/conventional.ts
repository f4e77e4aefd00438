import { createServer } from 'node:http';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { makeConventionalApp } from '../conventionalApp.js';
import { answerParent, listen } from './parentChannel.js';

export interface ConventionalOptions {
  readonly databaseUrl: string;
  readonly contractFile: string;
}

/** knex as its documentation shows it, for SQLite as durable as voucherd's: WAL and synchronous=FULL. */
const open = async (databaseUrl: string): Promise<Knex> => {
  if (!databaseUrl.startsWith('sqlite:')) {
    // Times are in columns of 64 bits, which the driver gives as text.
    pg.types.setTypeParser(pg.types.builtins.INT8, Number);
    return knex({ client: 'pg', connection: databaseUrl });
  }
  const filename = databaseUrl.slice('sqlite:'.length);
  const db = knex({ client: 'sqlite3', connection: { filename }, useNullAsDefault: true });
  for (const pragma of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    'busy_timeout = 10000',
  ]) {
    await db.raw(`PRAGMA ${pragma}`);
  }
  return db;
};

answerParent(async ({ databaseUrl, contractFile }: ConventionalOptions) => {
  const app = makeConventionalApp({ db: await open(databaseUrl), contractFile });
  return { ready: await listen(createServer(app)) };
});
