import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../src/lib/packageRoot.js';

/** A throw-away PostgreSQL server. */
export interface PostgresServer {
  /** Of the database for administration. */
  readonly url: string;
  urlOf(database: string): string;
  stop(): Promise<void>;
}

/** With `isDurable`, commits wait for the disk, as they do for an operator. */
export const startPostgresServer = async ({ isDurable = false } = {}): Promise<PostgresServer> => {
  const server = spawn(process.execPath, [join(packageRoot, 'test/setup/postgresServer.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, POSTGRES_DURABLE: String(isDurable) },
  });
  const [url] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
  return {
    url,
    urlOf: (database) => {
      const other = new URL(url);
      other.pathname = `/${database}`;
      return other.href;
    },
    stop: async () => {
      const gone = once(server, 'exit');
      server.stdin.end();
      await gone;
    },
  };
};
