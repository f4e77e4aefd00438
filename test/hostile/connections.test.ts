import { connect as connectTls } from 'node:tls';
import { afterEach, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { exchange, openRaw, watchServer } from '../support/rawSocket.js';
import { until } from '../support/until.js';
const watch = watchServer();
const api = withApi({ beforeStop: () => watch.stop() });

afterEach(async () => {
  const { status } = await api.get('/sites.php', { key: api.key });
  expect(status).toBe(200);
});

const get = (target: string, ...headers: string[]): string =>
  [`GET ${target} HTTP/1.1`, 'Host: localhost', `X-API-Key: ${api.key}`, ...headers, '', ''].join('\r\n');
const post = (body: string, length = Buffer.byteLength(body)): string =>
  `${get('/vouchers.php', `Content-Length: ${length}`).replace('GET', 'POST')}${body}`;

/** How many vouchers are recorded under a client's name. */
const recordedAs = async (name: string): Promise<number> =>
  (await api.database.read('vouchers').where('name', 'like', `____-__-___${name}`)).length;

/** Nothing that a client sends makes the service say 5xx. */
const refusedOrClosed = async (bytes: string | Buffer): Promise<void> => {
  for (const { status } of await exchange(api.url, bytes)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  }
};

test('pipelined requests are answered in order', async () => {
  const orders = Array.from(
    { length: 20 },
    (_, number) => `{"site_id":1,"name":"x","max_uses":${number + 1}}`,
  );
  const requests = orders.map((order, number) =>
    number % 2 ? get(`/vouchers.php?site_id=${number}`) : post(order),
  );
  const answers = await exchange(api.url, requests.join(''), 20);
  expect(answers.map(({ status }) => status)).toEqual(orders.map((_, number) => (number % 2 ? 200 : 201)));
  const uses = answers
    .filter((_, number) => number % 2 === 0)
    .map(({ body }) => (JSON.parse(body) as { max_uses: number }).max_uses);
  expect(uses).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
});

test.each([
  ['garbage', '\0\x01\x02garbage\r\n\r\n'],
  ['half a request', 'GET /sites.php HT'],
  ['a body that nobody announced', '{"site_id":1,"name":"x"}\r\n\r\n'],
])('%s behind a valid request ends the connection and harms nobody else', async (_name, rest) => {
  const connection = await openRaw(api.url);
  connection.write(get('/sites.php') + rest);
  connection.end();
  const answers = await connection.closed();
  for (const { status } of answers) expect([200, 400]).toContain(status);
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
});

test.each([
  ['another request', () => get('/sites.php')],
  ['garbage', () => '\0\x01garbage\r\n\r\n'],
  ['a line feed too many', () => 'x\r\n'],
])('%s behind a request that said Connection: close does not take its answer away', async (_name, rest) => {
  const name = `danach ${_name}`;
  const order = post(JSON.stringify({ site_id: 1, name })).replace('\r\n', '\r\nConnection: close\r\n');
  const connection = await openRaw(api.url);
  connection.write(order + rest());
  expect((await connection.closed()).map(({ status }) => status)).toEqual([201]);
  expect(await recordedAs(name)).toBe(1);
});

test('garbage that comes while an answer is waited for does not take it away', async () => {
  const siteId = await api.addSite({ latencyMs: 300 });
  const connection = await openRaw(api.url);
  const seen = watch.sockets().length;
  connection.write(post(`{"site_id":${siteId},"name":"davor"}`));
  await until('the request has arrived', () => watch.sockets().length > seen);
  connection.write('\0garbage\r\n\r\n');
  connection.write('more\r\n\r\n');
  expect((await connection.closed()).map(({ status }) => status)).toEqual([201, 400]);
  expect(await recordedAs('davor')).toBe(1);
});

test.each([
  ['HTTP/0.9', 'GET /sites.php\r\n\r\n'],
  ['a version that does not exist', 'GET /sites.php HTTP/9.9\r\nHost: x\r\n\r\n'],
  ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a method in small letters', 'get /sites.php HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an unknown method', 'MAKE /sites.php HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an answer instead of a request', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ['another protocol', 'EHLO mail.example.org\r\nMAIL FROM:<a@example.org>\r\n'],
  ['random bytes', Buffer.from(Array.from({ length: 4096 }, (_, n) => (n * 7919 + 13) % 256))],
  ['a thousand empty lines and no request', `${'\r\n'.repeat(1000)}\0`],
  ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n'],
  ['OPTIONS for the whole server', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['TRACE', 'TRACE / HTTP/1.1\r\nHost: localhost\r\nCookie: secret\r\n\r\n'],
])('%s gets a 4xx or a closed connection', (_name, bytes) => refusedOrClosed(bytes));

test('an upgrade is not taken up: the request is answered as it is', async () => {
  for (const upgrade of ['websocket', 'h2c']) {
    const [answer] = await exchange(api.url, get('/sites.php', 'Connection: Upgrade', `Upgrade: ${upgrade}`));
    expect([200, 400, 426]).toContain(answer?.status ?? 400);
  }
});

test('a TLS client at the plain port is turned away', async () => {
  const { port, hostname } = new URL(api.url);
  const socket = connectTls({ host: hostname, port: Number(port) });
  let failed = false;
  socket.on('error', () => (failed = true));
  await until('the handshake has failed', () => failed && socket.closed);
  expect(socket.authorized).toBe(false);
});

test('a client that closes its side after its request gets the answer, or a closed connection', async () => {
  const connection = await openRaw(api.url);
  connection.write(post('{"site_id":1,"name":"halb zu"}'));
  connection.end();
  // Nobody can tell it from one that is gone, whose order need not be made.
  const answers = await connection.closed();
  // Interim answers look whether it is gone.
  const statuses = answers.map(({ status }) => status).filter((status) => status >= 200);
  expect([[], [201]]).toContainEqual(statuses);
  if (statuses.length > 0) expect(await recordedAs('halb zu')).toBe(1);
  // The order may still be under way, and would be found by the next test.
  await until('its order is over', async () => (await api.tables.intents.count()) === 0);
});

test('a client that goes away in the middle of its body leaves nothing behind', async () => {
  for (const leave of ['end', 'resetAndDestroy', 'destroy'] as const) {
    const seen = watch.sockets().length;
    const connection = await openRaw(api.url);
    connection.write(post('{"site_id":1,"name":"weg"', 1000));
    const socket = await until('the request has arrived', () => watch.sockets()[seen] ?? false);
    connection.socket[leave]();
    await until('the service has let go of the connection', () => socket.destroyed);
  }
  expect(await recordedAs('weg')).toBe(0);
  expect(await api.database.read('intents')).toEqual([]);
});

test('a client that goes away while its voucher is made has it recorded all the same', async () => {
  const siteId = await api.addSite({ latencyMs: 2000 });
  const connection = await openRaw(api.url);
  connection.write(post(`{"site_id":${siteId},"name":"zu früh weg"}`));
  const { intents } = api.tables;
  await until(
    'the order is written down, or done already',
    async () => (await intents.count()) + (await recordedAs('zu früh weg')) > 0,
  );
  connection.socket.resetAndDestroy();
  await until('it is recorded', async () => (await recordedAs('zu früh weg')) === 1);
  expect(await api.database.read('intents')).toEqual([]);
});
