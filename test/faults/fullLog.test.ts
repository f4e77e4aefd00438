import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { childEnv, root } from '../support/built.js';
import { makeFolder } from '../support/folder.js';
import { send } from '../support/service.js';
import { until } from '../support/until.js';

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });

test('a full disk behind standard output loses log lines and nothing else', async () => {
  const folder = await makeFolder();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['scripts/voucherd.mjs', 'serve'], {
    cwd: root,
    env: childEnv({ DATA_DIR: folder.path, PORT: String(port) }),
    // Every write to it fails with ENOSPC.
    stdio: ['ignore', openSync('/dev/full', 'w'), 'ignore'],
  });
  const status = (): Promise<number> =>
    send(url, 'GET', '/healthz').then(
      (answer) => answer.status,
      () => 0,
    );
  try {
    await until('the service answers', async () => (await status()) === 200);
    for (let request = 0; request < 50; request += 1) expect(await status()).toBe(200);
  } finally {
    child.kill('SIGTERM');
    await until('the service ends', () => child.exitCode !== null || child.signalCode !== null);
    await folder.remove();
  }
  expect([child.exitCode, child.signalCode]).toEqual([0, null]);
});
