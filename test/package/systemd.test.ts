import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { nodeFlags } from '../../scripts/tasks/program.mjs';
import { childEnv, root } from '../support/built.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { until } from '../support/until.js';

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const service = 'deploy/systemd/voucherd.service';
const backup = 'deploy/systemd/voucherd-backup.service';
const units = [service, backup, 'deploy/systemd/voucherd.socket', 'deploy/systemd/voucherd-backup.timer'];

const ifInstalled = (program: string) => {
  if (has(program)) return test;
  console.warn(`${program} is not installed: the tests that need it are skipped`);
  return test.skip;
};

const withAnalyze = ifInstalled('systemd-analyze');
withAnalyze('systemd finds nothing wrong with the units', () => {
  for (const unit of units) {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], {
      cwd: root,
      encoding: 'utf8',
    });
    // It looks for the program where the package is installed; other units of the machine do not matter here.
    const own = stderr
      .split('\n')
      .filter((line) => line.includes('voucherd') && !/not executable/.test(line));
    expect({ unit, own }).toEqual({ unit, own: [] });
    expect([0, 1]).toContain(status);
  }
});

/** The first that reads a unit which is not installed. */
const offlineVersion = 250;
const version = Number(
  /\d+/.exec(spawnSync('sh', ['-c', 'systemd-analyze --version'], { encoding: 'utf8' }).stdout)?.[0],
);
const withOfflineAnalyze = version < offlineVersion ? test.skip : withAnalyze;
withOfflineAnalyze('systemd rates the hardening of the unit as good', () => {
  const args = ['security', '--offline=true', '--threshold=30', service];
  const { status, stdout } = spawnSync('systemd-analyze', args, { cwd: root, encoding: 'utf8' });
  expect(stdout).toMatch(/Overall exposure level for voucherd\.service: \d\.\d OK/);
  expect(status).toBe(0);
});

test.each([service, backup])('%s starts the program as it is packed, with its flags', (unit) => {
  const [, command = ''] =
    /^ExecStart=(?:\/bin\/sh -c 'exec )?(.*)$/m.exec(readFileSync(join(root, unit), 'utf8')) ?? [];
  const [node, ...args] = command.split(' ');
  const script = args.find((argument) => argument.endsWith('.mjs')) ?? '';
  expect(node).toBe('/usr/bin/node');
  expect(args.slice(0, nodeFlags.length)).toEqual(nodeFlags);
  expect(existsSync(join(root, script.replace('/opt/voucherd/node_modules/voucherd/', '')))).toBe(true);
});

test('the nightly backup removes what killed ones have left, and no other file', async () => {
  const [, command = ''] = /^ExecStartPre=-(.*)$/m.exec(readFileSync(join(root, backup), 'utf8')) ?? [];
  const folder = await makeFolder();
  const old = ['2026-01-01.backup', '2026-01-01.backup.0a.partial', '2026-01-01.backup.0a.partial-journal'];
  for (const name of [...old, '2026-01-04.backup.0b.partial']) writeFileSync(join(folder.path, name), 'x');
  const threeDaysAgo = Date.now() / 1000 - 3 * 86_400;
  for (const name of old) utimesSync(join(folder.path, name), threeDaysAgo, threeDaysAgo);
  const adapted = command.replace('/var/backups/voucherd', '"$FOLDER"');
  expect(adapted).not.toBe(command);
  const { status } = spawnSync('sh', ['-c', adapted], { env: childEnv({ FOLDER: folder.path }) });
  expect(status).toBe(0);
  expect(readdirSync(folder.path).sort()).toEqual(['2026-01-01.backup', '2026-01-04.backup.0b.partial']);
  await folder.remove();
});

describe('a service that systemd starts', () => {
  let folder: TestFolder;
  let path: string;
  beforeAll(async () => {
    folder = await makeFolder();
    // The path of a socket is short.
    path = mkdtempSync(join(tmpdir(), 'vd-'));
  });
  afterAll(async () => {
    rmSync(path, { recursive: true });
    await folder.remove();
  });

  /** A busy machine may need longer. */
  const patient = { STOP_DEADLINE_S: '600' };
  const program = `exec "${process.execPath}" ${nodeFlags.join(' ')} scripts/voucherd.mjs serve --json`;

  test('takes the socket that it is given, and closes it at the end', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const { fd } = (listener as unknown as { _handle: { fd: number } })._handle;
    // The descriptor is for this process, which becomes the program.
    const child = spawn('sh', ['-c', `LISTEN_PID=$$ LISTEN_FDS=1 ${program}`], {
      cwd: root,
      env: childEnv({ ...patient, DATA_DIR: join(folder.path, 'inherited'), PORT: '1', LOG_LEVEL: 'silent' }),
      stdio: ['ignore', 'pipe', 'ignore', fd],
    });
    // From now on the child alone accepts.
    listener.close();
    const line = await new Promise<Buffer>((resolve) => child.stdout?.once('data', resolve));
    expect(JSON.parse(String(line))).toEqual({ url: `http://127.0.0.1:${String(port)}` });
    expect((await fetch(`http://127.0.0.1:${String(port)}/healthz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    await expect(fetch(`http://127.0.0.1:${String(port)}/healthz`)).rejects.toThrow();
  });

  test('knows the clients of a Unix socket that it is given as such', async () => {
    const socketPath = join(path, 'given');
    const listener = createServer().listen(join(path, 'made'));
    await once(listener, 'listening');
    const { fd } = (listener as unknown as { _handle: { fd: number } })._handle;
    const child = spawn('sh', ['-c', `LISTEN_PID=$$ LISTEN_FDS=1 ${program}`], {
      cwd: root,
      env: childEnv({
        ...patient,
        DATA_DIR: join(folder.path, 'unix'),
        TRUST_PROXY: 'unix',
        LOG_LEVEL: 'silent',
      }),
      stdio: ['ignore', 'pipe', 'ignore', fd],
    });
    // Closing removes the file of the name that it was made with.
    renameSync(join(path, 'made'), socketPath);
    listener.close();
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    const headers = { Host: 'localhost', 'X-Forwarded-Host': 'wifi.example.org' };
    const text = await new Promise<string>((resolve, reject) => {
      request({ socketPath, path: '/openapi.php', headers, agent: false }, (res) => {
        let body = '';
        res.on('data', (chunk: Buffer) => (body += String(chunk)));
        res.on('end', () => resolve(body));
      })
        .on('error', reject)
        .end();
    });
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(JSON.parse(text)).toMatchObject({ servers: [{ url: 'http://wifi.example.org' }] });
  });

  const withNotify = has('socat') ? ifInstalled('systemd-notify') : ifInstalled('socat');
  withNotify('says when it is ready, alive and stopping', async () => {
    const socket = join(path, 'notify');
    const receiver = spawn('socat', ['-u', `UNIX-RECV:${socket}`, 'STDOUT'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let received = '';
    receiver.stdout.on('data', (chunk: Buffer) => (received += String(chunk)));
    await until('it receives', () => existsSync(socket));
    const child = spawn('sh', ['-c', program], {
      cwd: root,
      env: childEnv({
        ...patient,
        DATA_DIR: join(folder.path, 'notified'),
        PORT: '0',
        LOG_LEVEL: 'silent',
        NOTIFY_SOCKET: socket,
        WATCHDOG_USEC: '400000',
      }),
      stdio: 'ignore',
    });
    await until('it is ready', () => received.includes('READY=1'));
    await until('it is alive', () => received.includes('WATCHDOG=1'));
    expect(received).not.toContain('STOPPING=1');
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    await until('it is stopping', () => received.includes('STOPPING=1'));
    receiver.kill();
    await once(receiver, 'close');
  });

  test('warns, and serves all the same, where nobody can be notified', async () => {
    const child = spawn('sh', ['-c', program], {
      cwd: root,
      env: childEnv({
        ...patient,
        DATA_DIR: join(folder.path, 'alone'),
        PORT: '0',
        NOTIFY_SOCKET: join(path, 'nobody'),
      }),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)));
    await until('it warns', () => out.includes('systemd could not be notified'));
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
  });
});
