import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { until } from './until.js';

/** Two PostgreSQL servers: at first the second is a standby of the first. */
export interface PostgresPair {
  readonly urls: readonly [string, string];
  /** Runs a statement on one of them. */
  query(server: 0 | 1, sql: string): Promise<unknown[]>;
  /** Ends the one that is written to, as soon as its standby has all of it. */
  stop(server: 0 | 1): Promise<void>;
  /** Makes a standby the server that is written to. */
  promote(server: 0 | 1): Promise<void>;
  /** Starts a server as the standby of the other. */
  demote(server: 0 | 1): Promise<void>;
  close(): Promise<void>;
}

export const startPostgresPair = async (): Promise<PostgresPair> => {
  const pair = spawn(process.execPath, ['test/setup/postgresPair.mjs'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(pair, 'exit');
  const lines = createInterface({ input: pair.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the pair of PostgreSQL servers ended; the reason is above');
    return value;
  };
  const command = async (text: string): Promise<void> => {
    pair.stdin.write(`${text}\n`);
    await nextLine();
  };
  const urls = JSON.parse(await nextLine()) as [string, string];
  const query: PostgresPair['query'] = async (server, sql) => {
    const client = new pg.Client(urls[server]);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    urls,
    query,
    stop: async (server) => {
      // Otherwise the standby would go on without what it has not heard of.
      const [{ lsn }] = (await query(server, 'select pg_current_wal_lsn() as lsn')) as [{ lsn: string }];
      const heard = `select 1 from pg_stat_replication where state = 'streaming' and flush_lsn >= '${lsn}'`;
      await until('the standby has all of it', async () => (await query(server, heard)).length > 0);
      await command(`stop ${server}`);
    },
    promote: async (server) => void (await query(server, 'select pg_promote(true, 600)')),
    demote: (server) => command(`demote ${server}`),
    close: async () => {
      pair.stdin.end();
      await exited;
    },
  };
};
