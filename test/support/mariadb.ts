import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { makeFolder } from './folder.js';
import { until } from './until.js';

const run = promisify(execFile);

/** Debian keeps servers out of the path of ordinary users. */
const find = (name: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/bin']
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

/** Is a MariaDB server installed? */
export const hasMariaDb =
  find('mariadbd') !== undefined &&
  find('mariadb-install-db') !== undefined &&
  find('mariadb-dump') !== undefined;

/** A MariaDB of a test's own, on a socket that nobody else knows. */
export interface MariaDb {
  readonly socket: string;
  /** Runs statements as its administrator. */
  execute(sql: string, database?: string): Promise<void>;
  /** A dump of one database, by the server's own program. */
  dump(database: string, ...options: string[]): Promise<string>;
  stop(): Promise<void>;
}

export const startMariaDb = async (...options: string[]): Promise<MariaDb> => {
  const folder = await makeFolder();
  const dataDir = join(folder.path, 'data');
  const socket = join(folder.path, 's');
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  // A server that starts removes the temporary tables of all others in its folder for them.
  const folders = [`--datadir=${dataDir}`, `--tmpdir=${folder.path}`];
  await run(find('mariadb-install-db') ?? '', [
    ...['--no-defaults', ...folders, '--auth-root-authentication-method=normal', '--skip-test-db'],
    ...user,
  ]);
  const server = spawn(
    find('mariadbd') ?? '',
    [
      ...['--no-defaults', ...folders, `--socket=${socket}`, `--pid-file=${folder.path}/pid`],
      ...['--skip-networking', '--innodb-flush-method=fsync', ...user, ...options],
    ],
    { stdio: 'ignore' },
  );
  const kill = (): void => void server.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(server, 'exit');
  const connect = (database?: string) =>
    createConnection({
      socketPath: socket,
      user: 'root',
      multipleStatements: true,
      charset: 'utf8mb4',
      ...(database !== undefined && { database }),
    });
  const execute = async (sql: string, database?: string): Promise<void> => {
    const connection = await connect(database);
    try {
      await connection.query(sql);
    } finally {
      await connection.end();
    }
  };
  await until('MariaDB answers', async () => {
    if (server.exitCode !== null) throw new Error('mariadbd has ended');
    return execute('select 1').then(
      () => true,
      () => false,
    );
  });
  return {
    socket,
    execute,
    dump: async (database, ...dumpOptions) => {
      const { stdout } = await run(
        find('mariadb-dump') ?? '',
        ['--no-defaults', `--socket=${socket}`, '--user=root', ...dumpOptions, database],
        { maxBuffer: 64 * 1024 * 1024 },
      );
      return stdout;
    },
    stop: async () => {
      process.off('exit', kill);
      server.kill('SIGKILL');
      await ended;
      await folder.remove();
    },
  };
};
