import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { childEnv, root } from '../support/built.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { until } from '../support/until.js';

const folder = forAllTests(makeFolder, 'remove');

/** Starts the built program, as `npm run contract` does. */
const start = (...args: string[]) => {
  const program = ['dist/scripts/contract.js', '--out', join(folder.path, 'report'), ...args];
  const child = spawn(process.execPath, program, { cwd: root, env: childEnv() });
  const printed = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (printed.out += String(chunk)));
  child.stderr.on('data', (chunk) => (printed.err += String(chunk)));
  const ended = once(child, 'close').then(([status]) => status as number | null);
  return { child, printed, ended };
};

test('a run with findings ends with 1', async () => {
  const { printed, ended } = start('breaking', '--against', 'no-such-revision');
  expect(await ended).toBe(1);
  expect(printed.out).toContain('FAIL breaking');
});

test('wrong usage ends with 2 and one line', async () => {
  const { printed, ended } = start('--sed', '1');
  expect(await ended).toBe(2);
  expect(printed.out).toBe('');
  expect(printed.err).toMatch(/^npm run contract: unknown option '--sed'.*\n$/);
});

test('a run that is interrupted says so and ends with the status of the signal', async () => {
  // It does not end by itself: the service that it asks says nothing.
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as AddressInfo;
  const { child, printed, ended } = start('conformance', '--url', `http://127.0.0.1:${String(port)}`);
  await until('it runs', () => printed.out.includes('Contract run'));
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  for (const socket of sockets) socket.destroy();
  silent.close();
  expect(printed.out).toMatch(/Interrupted: there are no reports\.\n$/);
});
