import type { Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { ForegroundCommand } from '../../support/foreground.js';
import { openRaw } from '../../support/rawSocket.js';
import { send } from '../../support/service.js';
import { until } from '../../support/until.js';
import { startProxy, startRawServer, type TestServer } from './servers.js';

let server: TestServer | undefined;
let proxy: ForegroundCommand;
afterEach(async () => {
  expect(await proxy.end()).toBeLessThan(2);
  await server?.stop();
  server = undefined;
});

const behind = async (onRequest: (socket: Socket) => void, ...argv: string[]): Promise<void> => {
  server = await startRawServer((socket) => socket.once('data', () => onRequest(socket)));
  proxy = await startProxy(server.url, ...argv);
};
const impatient = ['--timeout', '1'];
const ask = (path = '/sites.php') => send(proxy.url, 'GET', path, { key: 'x' });
const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

test('a server that is not there gives 502', async () => {
  const gone = await startRawServer(() => undefined);
  await gone.stop();
  proxy = await startProxy(gone.url);
  expect(await ask()).toMatchObject({
    status: 502,
    body: { error: 'bad_gateway', message: 'The server refused the connection.' },
  });
  expect(proxy.err()).toBe('GET /sites.php 502  The server refused the connection.\n');
});

test.each(['/sites.php', '/elsewhere'])('one that is silent gives 504: %s', async (path) => {
  await behind(() => undefined, ...impatient);
  expect(await ask(path)).toMatchObject({
    status: 504,
    body: { error: 'gateway_timeout', message: 'The server was silent for 1 s.' },
  });
});

test('one that is silent in the middle of a body gives 504', async () => {
  await behind((socket) => socket.write(`${head}Content-Length: 100\r\n\r\n{"sites":`), ...impatient);
  expect((await ask()).status).toBe(504);
});

test.each<[string, (socket: Socket) => void, string]>([
  ['closes at once', (socket) => socket.end(), 'broke off the connection'],
  ['resets', (socket) => socket.resetAndDestroy(), 'broke off the connection'],
  ['sends 64 KiB of nonsense', (socket) => socket.end(Buffer.alloc(65_536, 0xfe)), 'did not answer in HTTP'],
  [
    'sends huge headers',
    (socket) => socket.end(`${head}X-Huge: ${'x'.repeat(100_000)}\r\n\r\n`),
    'answered with more than 16 KiB of headers',
  ],
  [
    'dies in the middle of a body',
    (socket) => socket.end(`${head}Content-Length: 100\r\n\r\n{"sites":`),
    'broke off the connection',
  ],
  [
    'dies in the middle of a chunk',
    (socket) => socket.end(`${head}Transfer-Encoding: chunked\r\n\r\n20\r\n{"sites":`),
    'broke off the connection',
  ],
  [
    'switches protocols',
    (socket) => socket.end('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    '',
  ],
  ['has a status that is none', (socket) => socket.end('HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n'), ''],
])('one that %s gives 502', async (_what, act, message) => {
  await behind(act);
  const answer = await ask();
  expect(answer).toMatchObject({ status: 502, body: { error: 'bad_gateway' } });
  expect((answer.body as { message: string }).message).toContain(message);
});

test('one that dies while its answer is passed on ends the connection of the client', async () => {
  await behind((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'));
  const connection = await openRaw(proxy.url);
  let received = '';
  connection.socket.on('data', (chunk: Buffer) => (received += String(chunk)));
  connection.write('GET /file HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await connection.closed()).toEqual([]);
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*half$/);
  await until('a line', () => proxy.err() !== '');
  expect(proxy.err()).toBe('GET /file 502  The server broke off the connection.\n');
});
