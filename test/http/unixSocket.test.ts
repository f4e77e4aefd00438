import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ConfigError } from '../../src/config/configError.js';
import { readConfig } from '../../src/config/config.js';
import { testCases } from '../support/cases.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { run } from '../support/cli.js';
import { startService, type TestService } from '../support/service.js';

let folder: TestFolder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

/** Asks over a Unix socket. */
const ask = (socketPath: string, path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    request({ socketPath, path, headers: { Host: 'localhost', ...headers }, agent: false }, (res) => {
      let text = '';
      res.on('data', (chunk: Buffer) => (text += String(chunk)));
      res.on('end', () => resolve({ status: res.statusCode, text }));
    })
      .on('error', reject)
      .end();
  });

const serversIn = (text: string): unknown =>
  (JSON.parse(text) as { servers: { url: string }[] }).servers.map(({ url }) => url);

describe('a service on a Unix socket', () => {
  let path: string;
  let service: TestService;
  beforeAll(async () => {
    path = join(folder.path, 'a.sock');
    service = await startService({ env: { HOST: path, TRUST_PROXY: 'unix' } });
  });
  afterAll(() => service.stop());

  test('answers there, for its user and group', async () => {
    expect(await ask(path, '/healthz')).toEqual({ status: 200, text: '{"status":"ok"}' });
    expect(statSync(path).mode & 0o777).toBe(0o660);
  });

  test('is asked by doctor', async () => {
    const env = { DATA_DIR: service.dataDir, HOST: `unix:${path}` };
    expect((await run(['doctor'], env)).out).toMatch(
      /^(ok|FAIL) +service +.*http:\/\/unix:\/.*\.sock:\/readyz/m,
    );
  });

  test('trusts the headers of its clients where TRUST_PROXY names unix', async () => {
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'wifi.example.org' };
    expect(serversIn((await ask(path, '/openapi.php', headers)).text)).toEqual(['https://wifi.example.org']);
  });

  test('shows metrics to a process of this machine, and not to what a proxy forwards', async () => {
    expect((await ask(path, '/metrics')).status).toBe(200);
    expect((await ask(path, '/metrics', { 'X-Forwarded-For': '192.0.2.7' })).status).toBe(403);
  });

  test('is not replaced by a second one while it answers', async () => {
    await expect(startService({ env: { HOST: path } })).rejects.toThrow(
      `HOST: "${path}" is in use: another program listens there`,
    );
    expect((await ask(path, '/healthz')).status).toBe(200);
  });
});

test('its file has the mode that SOCKET_MODE names, and is removed at the end', async () => {
  const path = join(folder.path, 'b.sock');
  const service = await startService({ env: { HOST: path, SOCKET_MODE: '0666' } });
  expect(statSync(path).mode & 0o777).toBe(0o666);
  const headers = { 'X-Forwarded-Host': 'wifi.example.org' };
  expect(serversIn((await ask(path, '/openapi.php', headers)).text)).toEqual(['http://localhost']);
  await service.stop();
  expect(existsSync(path)).toBe(false);
});

test('the file of a killed process is replaced', async () => {
  const path = join(folder.path, 'c.sock');
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('listening'))`;
  const killed = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(killed.stdout, 'data');
  killed.kill('SIGKILL');
  await once(killed, 'close');
  expect(existsSync(path)).toBe(true);
  const service = await startService({ env: { HOST: path } });
  expect((await ask(path, '/healthz')).status).toBe(200);
  await service.stop();
});

test('a file that is no socket stays, and the start is refused', async () => {
  const path = join(folder.path, 'precious');
  writeFileSync(path, 'text');
  await expect(startService({ env: { HOST: path } })).rejects.toThrow(
    `HOST: "${path}" is not allowed: there is a file that is no socket`,
  );
  expect(existsSync(path)).toBe(true);
});

test('a program that accepts nothing still counts as one that listens', async () => {
  const path = join(folder.path, 'd.sock');
  const silent = createServer(() => undefined).listen({ path, backlog: 0 });
  await once(silent, 'listening');
  await expect(startService({ env: { HOST: path } })).rejects.toThrow('is in use');
  silent.close();
});

test('a folder that is missing is named', async () => {
  const path = join(folder.path, 'missing/e.sock');
  await expect(startService({ env: { HOST: path } })).rejects.toThrow(
    `HOST: "${path}" is not allowed: a path in a folder that exists and that this user can write to`,
  );
});

testCases([
  [
    { HOST: 'unix:voucherd.sock' },
    'HOST: "unix:voucherd.sock" is not allowed: for a socket, an absolute path',
  ],
  [{ HOST: `/${'x'.repeat(107)}` }, 'for a socket, an absolute path of at most 107 bytes'],
  [{ HOST: `/${'x'.repeat(65_536)}` }, 'for a socket, an absolute path of at most 107 bytes'],
  [{ SOCKET_MODE: '999' }, 'SOCKET_MODE: "999" is not allowed: permissions in octal, such as 660 or 666'],
  [{ SOCKET_MODE: 'rw' }, 'SOCKET_MODE: "rw" is not allowed'],
  [
    { LISTEN_PID: String(process.pid), LISTEN_FDS: '2' },
    'LISTEN_FDS: "2" is not allowed: 1: the socket unit',
  ],
])('a setting that can not be is refused', (env, message) => {
  expect(() => readConfig(env)).toThrow(ConfigError);
  expect(() => readConfig(env)).toThrow(message);
});

test('a socket of systemd for another process is not taken', () => {
  expect(readConfig({ LISTEN_PID: '1', LISTEN_FDS: '1' }).inheritedSocket).toBeUndefined();
});
