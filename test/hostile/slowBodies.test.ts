import { describe, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { openRaw, watchServer, type RawAnswer } from '../support/rawSocket.js';
import { until } from '../support/until.js';

const watch = watchServer();
const api = withApi({ afterStop: () => watch.stop() });

/** The service asks for the body, so it waits for it from then on. */
const signIn = [
  'POST /web/session HTTP/1.1',
  'Host: localhost',
  'Sec-Fetch-Site: same-origin',
  'Content-Type: application/json',
  'Content-Length: 8000',
  'Expect: 100-continue',
  '',
  '',
].join('\r\n');

type SlowClient = Awaited<ReturnType<typeof openRaw>>;

const openSlow = async (url = api.url): Promise<SlowClient> => {
  const connection = await openRaw(url);
  connection.write(signIn);
  return connection;
};

const statuses = (answers: readonly RawAnswer[]): number[] => answers.map(({ status }) => status);

test('1,200 sign-ins of which one byte has come do not keep orders and lists from being answered', async () => {
  const site = await api.addSite();
  const clients = await Promise.all(Array.from({ length: 1200 }, () => openSlow()));
  await until('each is waited for', () => clients.every((client) => client.answers().length > 0));
  for (const client of clients) client.write('{');
  const answers = await Promise.all([
    api.get('/sites.php', { key: api.key }),
    api.listVouchers(site),
    api.createVoucher({ site_id: site }),
    api.get('/web/start'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 200]);
  expect(new Set(clients.map((client) => client.answers()[0]?.status))).toEqual(new Set([100]));
  for (const { socket } of clients) socket.destroy();
});

test('a body from somebody unknown that does not come in a few seconds is answered 408, and its connection is ended', async () => {
  await api.get('/healthz');
  // Node's own limits for a request are longer; here there are none.
  Object.assign(watch.server(), { headersTimeout: 0, requestTimeout: 0 });
  const slow = await openSlow();
  slow.write('{');
  expect(statuses(await slow.closed())).toEqual([100, 408]);
  // Those of the test before may have been logged as gone in the meantime.
  const logged = api.lines.filter((text) => text.includes('"operation":"signIn"'));
  expect(logged.map((line) => (JSON.parse(line) as { status: number }).status)).toContain(408);
});

describe('with MAX_REQUESTS_IN_FLIGHT=1', () => {
  const busy = withApi({ env: { MAX_REQUESTS_IN_FLIGHT: '1' } });

  test('a body from somebody unknown takes no place of the requests in flight', async () => {
    const key = await busy.addKey();
    const slow = await openSlow(busy.url);
    await slow.answered(1);
    expect((await busy.get('/sites.php', { key })).status).toBe(200);
    slow.write('{}'.padEnd(8000));
    // It is worked on like any other as soon as it is complete.
    expect(statuses(await slow.answered(2))).toEqual([100, 400]);
    expect((await busy.get('/sites.php', { key })).status).toBe(200);
    slow.socket.destroy();
  });
});
