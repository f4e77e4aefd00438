import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { makeHttpClient, type HttpClient, type HttpRequest } from '../../tools/contract/src/request.js';
import { makePacedClient, type PacedClient } from '../../tools/contract/src/target/remote/pacedClient.js';

/** A service whose keys may ask twice in each window: of a second, unless it is among these. */
const limit = 2;
const lengths: Readonly<Record<string, number>> = { limited: 60_000, daily: 86_400_000 };
const counts = new Map<string, { count: number; ends: number }>();
let server: Server;
let client: HttpClient;
let paced: PacedClient;

beforeAll(async () => {
  server = createServer((req, res) => {
    const key = String(req.headers['x-api-key']);
    const now = Date.now();
    const known = counts.get(key);
    const window = known && known.ends > now ? known : { count: 0, ends: now + (lengths[key] ?? 1000) };
    window.count += 1;
    counts.set(key, window);
    const remaining = Math.max(0, limit - window.count);
    res.writeHead(window.count > limit ? 429 : 200, {
      'RateLimit-Remaining': remaining,
      'RateLimit-Reset': Math.ceil((window.ends - now) / 1000),
    });
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = makeHttpClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(async () => {
  client.close();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  counts.clear();
  paced = makePacedClient(client, () => 'limited');
});

const ask = (key: string): HttpRequest => ({
  method: 'GET',
  requestTarget: '/',
  headers: [['X-API-Key', key]],
});
const statuses = async (key: string, count: number): Promise<number[]> => {
  const all: number[] = [];
  for (let sent = 0; sent < count; sent++) all.push((await paced.send(ask(key))).status);
  return all;
};

test('a request that a limit would refuse waits for the next window', async () => {
  expect(await statuses('read', 5)).toEqual([200, 200, 200, 200, 200]);
});

test('a key that is meant to be refused does not wait', async () => {
  expect(await statuses('limited', 3)).toEqual([200, 200, 429]);
});

test('what is left of a limit is what the last answer said', async () => {
  const key = { text: () => 'limited', scope: 'read', limit };
  await paced.send(ask('limited'));
  expect(await paced.left(key)).toBe(limit - 1);
});

test('a window that is nearly over is not counted on: the next one has the whole limit left', async () => {
  const key = { text: () => 'read', scope: 'read', limit };
  await paced.send(ask('read'));
  expect(await paced.left(key)).toBe(limit);
});

test('a limit that lasts longer than two minutes ends what it delays', async () => {
  await expect(statuses('daily', 3)).rejects.toThrow(/^the limit of the service is used up for 86\d{3} s$/);
});
