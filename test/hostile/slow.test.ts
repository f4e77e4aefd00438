import type { Server } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { openRaw, watchServer, type RawAnswer } from '../support/rawSocket.js';
import { until } from '../support/until.js';
let server: Server;
const watch = watchServer();
// The limits of a service with the default deadline; tests have a longer one.
const api = withApi({ env: { CONTROLLER_DEADLINE_S: '10' }, beforeStop: () => watch.stop() });

beforeAll(async () => {
  await api.get('/sites.php', { key: api.key });
  server = watch.server();
});

test('every phase of a request has a limit', () => {
  for (const [limit, most] of [
    [server.headersTimeout, 10_000],
    [server.requestTimeout, 30_000],
    [server.timeout, 120_000],
    [server.keepAliveTimeout, 120_000],
  ] as const) {
    expect(limit).toBeGreaterThan(0);
    expect(limit).toBeLessThanOrEqual(most);
  }
});

/** Sends one byte after the other, never quite enough, until the service has had enough of it. */
const dribble = async (start: string, byte: string): Promise<RawAnswer[]> => {
  const connection = await openRaw(api.url);
  connection.write(start);
  const timer = setInterval(() => {
    connection.write(byte);
  }, 50);
  try {
    return await connection.closed();
  } finally {
    clearInterval(timer);
  }
};

test('a client that is too slow has its connection ended', async () => {
  // The service looks after its connections every few seconds; what it then finds too old need not be that old here.
  const { headersTimeout, requestTimeout } = server;
  server.headersTimeout = 500;
  server.requestTimeout = 1000;
  const post = `POST /vouchers.php HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${api.key}\r\n`;
  try {
    const all = await Promise.all([
      dribble('', 'A'),
      dribble('GET /sites.php HTTP/1.1\r\nX-Long: ', 'a'),
      dribble(`${post}Content-Length: 60000\r\n\r\n{`, ' '),
      dribble(`${post}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
      dribble(`${post}Content-Length: 60000\r\nExpect: 100-continue\r\n\r\n`, ' '),
    ]);
    for (const answers of all) {
      const final = answers.filter(({ status }) => status >= 200).map(({ status }) => status);
      expect([[], [400], [408]]).toContainEqual(final);
    }
  } finally {
    Object.assign(server, { headersTimeout, requestTimeout });
  }
  await until(
    'others are served',
    async () => (await api.get('/sites.php', { key: api.key })).status === 200,
  );
});

test('a client that asks and asks and never reads has its connection ended, and is not answered without end', async () => {
  await api.tables.sites.add(
    { name: 'x'.repeat(50_000), active: true, controllerId: 1, controllerSite: null },
    0,
  );
  const { timeout } = server;
  server.timeout = 1000;
  const seen = watch.sockets().length;
  const { hostname, port } = new URL(api.url);
  const client = connect(Number(port), hostname);
  client.on('error', () => undefined);
  client.pause();
  const request = `GET /sites.php HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${api.key}\r\n\r\n`;
  try {
    // 2,000 answers of 50 kB would be 100 MB.
    client.write(request.repeat(2000));
    const socket = await until('the request has arrived', () => watch.sockets()[seen] ?? false);
    let mostWaiting = 0;
    await until('the connection is ended', () => {
      mostWaiting = Math.max(mostWaiting, socket.writableLength);
      return socket.destroyed;
    });
    expect(mostWaiting).toBeLessThan(32 * 1024 * 1024);
  } finally {
    server.timeout = timeout;
    client.destroy();
  }
  expect((await api.get('/sites.php', { key: api.key })).status).toBe(200);
});
