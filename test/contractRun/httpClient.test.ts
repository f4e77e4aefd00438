import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import {
  makeHttpClient,
  type HttpAnswer,
  type HttpClient,
  type HttpClientOptions,
} from '../../tools/contract/src/request.js';

let server: Server | undefined;
let client: HttpClient;
afterEach(() => {
  client.close();
  server?.closeAllConnections();
  server?.close();
});

/** Asks a service that answers in this way. */
const serve = async (
  listener: RequestListener,
  options: HttpClientOptions = { patienceMs: 500 },
): Promise<(path?: string) => Promise<HttpAnswer>> => {
  const started = (server = createServer(listener));
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const { port } = started.address() as AddressInfo;
  client = makeHttpClient(`http://127.0.0.1:${port}`, options);
  return (requestTarget = '/things') => client.send({ method: 'GET', requestTarget, headers: [] });
};

test('a service that is silent is given up, and asked no more after three requests in a row', async () => {
  let asked = 0;
  const ask = await serve(() => (asked += 1));
  for (let nth = 0; nth < 3; nth += 1)
    await expect(ask()).rejects.toThrow('GET /things: no complete answer within 0.5 s');
  await expect(ask()).rejects.toThrow('not sent, because 3 requests in a row had no answer in time');
  // On a busy machine one may be given up before it arrives.
  expect(asked).toBeLessThanOrEqual(3);
});

test('an answer between them shows that the service lives', async () => {
  // Enough for the answers on a busy machine, too.
  const ask = await serve(({ url }, res) => void (url === '/live' && res.end('yes')), { patienceMs: 10_000 });
  for (const paths of [
    ['/a', '/b'],
    ['/c', '/d'],
  ]) {
    const silent = await Promise.allSettled(paths.map((path) => ask(path)));
    expect(silent.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await ask('/live')).text).toBe('yes');
  }
});

test('an answer that never ends is given up, however often something comes', async () => {
  const timers: NodeJS.Timeout[] = [];
  const ask = await serve((_req, res) => void timers.push(setInterval(() => res.write('.'), 50)));
  await expect(ask()).rejects.toThrow('GET /things: no complete answer within 0.5 s');
  for (const timer of timers) clearInterval(timer);
});

test('an answer that is too long is not read on', async () => {
  const piece = Buffer.alloc(1024 * 1024);
  const ask = await serve((_req, res) => {
    const more = (): void => void (res.destroyed || res.write(piece, more));
    more();
  }, {});
  await expect(ask()).rejects.toThrow('GET /things: the answer is longer than 64 MiB');
});

test('a request without a body announces none, whatever its method', async () => {
  await serve(
    ({ headers }, res) =>
      void res.end(JSON.stringify([headers['transfer-encoding'] ?? '', headers['content-length'] ?? '0'])),
    {},
  );
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const { body } = await client.send({ method, requestTarget: '/things', headers: [] });
    expect([method, body]).toEqual([method, ['', '0']]);
  }
});
