import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startProgram, type Program } from '../support/cli.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { until } from '../support/until.js';

let folder: TestFolder;
let program: Program;
beforeAll(async () => {
  folder = await makeFolder();
  program = startProgram(['serve', '--json'], { DATA_DIR: folder.path, PORT: '0', LOG_LEVEL: 'warn' });
});
afterAll(async () => {
  program.process.kill('SIGCONT');
  program.process.kill('SIGTERM');
  await program.ended;
  await folder.remove();
});

/** The kernel permits no more to wait. Where it does not say, Node's own 511 are sure. */
const mostPermitted = (): number => {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 511;
  }
};

test('1,500 connections that come while the service is busy wait to be accepted, and all are answered', async () => {
  const { hostname, port } = new URL(await program.url());
  // As busy as a process can be: nothing is accepted now.
  program.process.kill('SIGSTOP');
  const answers = new Map<Socket, string>();
  let connected = 0;
  const count = Math.min(1500, mostPermitted());
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname, () => {
      connected += 1;
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    });
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => answers.set(socket, String(chunk).slice(0, 12)));
    return socket;
  });
  await until('all are connected', () => connected === count);
  program.process.kill('SIGCONT');
  await until('all are answered', () => answers.size === count);
  expect(new Set(answers.values())).toEqual(new Set(['HTTP/1.1 200']));
  for (const socket of sockets) socket.destroy();
});
