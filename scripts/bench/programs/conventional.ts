import { createServer } from 'node:http';
import knex, { type Knex } from 'knex';
import { makeConventionalApp } from '../conventionalApp.js';
import { answerParent, listen } from './parentChannel.js';

export interface ConventionalOptions {
  readonly file: string;
  readonly contractFile: string;
}

/** knex as its documentation shows it for SQLite, as durable as voucherd's: WAL and synchronous=FULL. */
const open = async (filename: string): Promise<Knex> => {
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

answerParent(async ({ file, contractFile }: ConventionalOptions) => {
  const app = makeConventionalApp({ db: await open(file), contractFile });
  return { ready: await listen(createServer(app)) };
});
