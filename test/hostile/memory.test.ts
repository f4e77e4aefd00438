import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { openRaw } from '../support/rawSocket.js';

const times = 50;
const atOnce = 20;
/** What may stay after all of it; one kept body, query or connection each time would be many times as much. */
const mostKept = 24 * 1024 * 1024;

const api = withApi({ env: { LOG_LEVEL: 'silent' } });

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const memory = (): number => {
  collect();
  collect();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
};

/** Sixteen times what a body may have, and fifty of them are twice what may stay. */
const large = Buffer.alloc(1024 * 1024, 'x');
const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, 'x'), Buffer.from('\r\n')]);
const post = (...headers: string[]): string =>
  ['POST /vouchers.php HTTP/1.1', 'Host: localhost', `X-API-Key: ${api.key}`, ...headers, '', ''].join(
    '\r\n',
  );

/** Sends the parts on a connection of its own and waits until the service has closed it. */
const push = async (...parts: (string | Buffer)[]): Promise<void> => {
  const connection = await openRaw(api.url);
  for (const part of parts) connection.write(part);
  for (const { status } of await connection.closed()) expect(Math.floor(status / 100)).toBe(4);
};

/** Sends a part of a request and goes away as soon as it is on its way. */
const leave = async (part: string): Promise<void> => {
  const { socket } = await openRaw(api.url);
  await new Promise((resolve) => socket.write(part, resolve));
  socket.resetAndDestroy();
};

const close = 'Connection: close';
const scenarios: [string, () => Promise<void>][] = [
  ['bodies of 1 MB', () => push(post(`Content-Length: ${large.length}`), large)],
  ['1 MB in chunks', () => push(post('Transfer-Encoding: chunked'), chunk)],
  [
    'queries of a million characters',
    () => push(`GET /vouchers.php?site_id=${'1'.repeat(1_000_000)} HTTP/1.1\r\n\r\n`),
  ],
  ['deep nesting', () => push(post(close, 'Content-Length: 60000'), '['.repeat(60_000))],
  ['clients that leave in the middle', () => leave(post('Content-Length: 60000') + 'x'.repeat(50_000))],
  ['unknown keys', () => push(post(close, 'Content-Length: 0').replace(/uvt_\w+/, `uvt_${randomHex(40)}`))],
  ['hosts that differ each time', () => describe()],
];

const randomHex = (length: number): string =>
  Array.from({ length }, () => Math.floor(Math.random() * 16).toString(16)).join('');

const describe = async (): Promise<void> => {
  const connection = await openRaw(api.url);
  connection.write(`GET /openapi.php HTTP/1.1\r\nHost: ${randomHex(200)}\r\n${close}\r\n\r\n`);
  const [answer] = await connection.closed();
  expect(answer?.status).toBe(200);
};

test.each(scenarios)(`${times} times %s: the memory does not stay`, async (_name, scenario) => {
  const run = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, scenario));
    }
  };
  await run(atOnce);
  const before = memory();
  await run(times);
  expect((await api.get('/sites.php', { key: api.key })).status).toBe(200);
  expect(memory() - before).toBeLessThan(mostKept);
});
