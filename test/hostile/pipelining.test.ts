import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { openRaw, watchServer } from '../support/rawSocket.js';
import { until } from '../support/until.js';

const watch = watchServer();

const api = withApi({
  // In development there is a page whose answer does not end.
  development: true,
  // An order takes eight seconds here.
  env: { CONTROLLER_DEADLINE_S: '600' },
  site: { name: 'x'.repeat(50_000) },
  beforeStop: () => watch.stop(),
});

afterEach(async () => {
  expect((await api.get('/sites.php', { key: api.key })).status).toBe(200);
});

const get = (target: string, id = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\n${id && `X-Request-Id: ${id}\r\n`}X-API-Key: ${api.key}\r\n\r\n`;
/** As short as a request can be: one read of a socket brings 2,000 of them. */
const tiny = 'GET /healthz HTTP/1.1\r\nHost:x\r\n\r\n';

/** A client that sends and never reads. */
const openMute = (): Socket => {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  return socket.pause();
};

const metric = async (name: string): Promise<number> => {
  const { text } = await api.get('/metrics');
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? 0,
  );
};

test('a client that sends 3,000 requests at once and reads gets all answers, in order', async () => {
  const ids = Array.from({ length: 3000 }, (_, number) => `number-${number}`);
  const connection = await openRaw(api.url);
  connection.write(ids.map((id, number) => get(number % 3 ? '/healthz' : '/vouchers.php', id)).join(''));
  const answers = await connection.answered(ids.length);
  connection.socket.destroy();
  expect(answers.map(({ head }) => /^X-Request-Id: (\S+)$/m.exec(head)?.[1])).toEqual(ids);
});

test('a client is not late while its requests wait for earlier ones, and late when it does not go on afterwards', async () => {
  // The service looks after its connections every few seconds, so at least once while the order is in flight.
  const site = await api.addSite({ latencyMs: 8000 });
  await api.get('/healthz');
  const server = watch.server();
  const { headersTimeout, requestTimeout } = server;
  // Much less than the order takes, and enough for the rest of a request to come on a busy machine.
  Object.assign(server, { headersTimeout: 1000, requestTimeout: 1000 });
  const body = JSON.stringify({ site_id: site, name: 'langsam' });
  const order = `${get('/vouchers.php').replace('GET', 'POST').slice(0, -2)}Content-Length: ${body.length}\r\n\r\n${body}`;
  const [patient, late] = await Promise.all([openRaw(api.url), openRaw(api.url)]);
  // One read of the socket ends in the middle of a request.
  patient.write(order + get('/healthz', 'x').repeat(2000));
  late.write(`${order}${get('/healthz').repeat(20)}GET /heal`);
  const answers = await patient.answered(2001);
  patient.socket.destroy();
  expect(answers.map(({ status }) => status)).toEqual([201, ...Array.from({ length: 2000 }, () => 200)]);
  const lateAnswers = await late.closed();
  Object.assign(server, { headersTimeout, requestTimeout });
  expect(lateAnswers.map(({ status }) => status)).toEqual([
    201,
    ...Array.from({ length: 20 }, () => 200),
    408,
  ]);
  const id = /^X-Request-Id: (\S+)$/m.exec(lateAnswers.at(-1)?.head ?? '')?.[1] ?? 'none';
  const line = api.lines.find((text) => text.includes(id));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ operation: 'none', status: 408 });
});

test('others have their turn while the requests of one connection are answered', async () => {
  const count = 1500;
  const connection = await openRaw(api.url);
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  let answered = 0;
  const note = (): void => {
    answered += 1;
    if (answered === 1) turn();
    if (answered === count) isOver = true;
  };
  subscribe('http.server.response.finish', note);
  connection.write(tiny.repeat(count));
  await connection.answered(count);
  unsubscribe('http.server.response.finish', note);
  connection.socket.destroy();
  expect(answered).toBeGreaterThanOrEqual(count);
  expect(turns).toBeGreaterThan(count / 16 / 2);
});

test('at most 16 requests of a connection are in flight, and all are answered', async () => {
  const site = await api.addSite({ latencyMs: 200 });
  const names = Array.from({ length: 40 }, (_, number) => `gereiht ${number}`);
  const orders = names.map((name) => {
    const body = JSON.stringify({ site_id: site, name, max_uses: 1 + names.indexOf(name) });
    return `${get('/vouchers.php').replace('GET', 'POST').slice(0, -2)}Content-Length: ${body.length}\r\n\r\n${body}`;
  });
  const connection = await openRaw(api.url);
  connection.write(orders.join(''));
  let most = 0;
  await until('all are answered', async () => {
    most = Math.max(most, await api.tables.intents.count());
    return connection.answers().length === 40;
  });
  const uses = connection.answers().map(({ body }) => (JSON.parse(body) as { max_uses: number }).max_uses);
  expect(uses).toEqual(names.map((_, number) => number + 1));
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(16);
  connection.socket.destroy();
});

describe('a client that asks and never reads', () => {
  const responses: ServerResponse[] = [];
  /** Requests that were parsed after their connection was ended. */
  let parsedInVain = 0;
  const note = (message: unknown): void => {
    const { response } = message as { response: ServerResponse };
    responses.push(response);
    if (response.req.socket.destroyed) parsedInVain += 1;
  };
  beforeAll(() => {
    subscribe('http.server.request.start', note);
  });
  afterAll(() => {
    unsubscribe('http.server.request.start', note);
  });

  test.each(['/docs/swagger-ui-bundle.js', '/openapi.php', '/openapi.yaml', '/sites.php'])(
    'makes the service hold little: %s',
    async (path) => {
      responses.length = 0;
      const client = openMute();
      client.write(get(path).repeat(1000));
      const unsent = (): number => responses.reduce((sum, { writableLength }) => sum + writableLength, 0);
      await until('an answer is stuck', () => unsent() > 0);
      let most = 0;
      for (let round = 0; round < 20; round += 1) {
        await api.get('/healthz');
        most = Math.max(most, unsent());
      }
      // 16 answers, of which none is longer than 64 KiB or sent in larger pieces; 1,000 would be 20 MB and more.
      expect(most).toBeLessThan(17 * 64 * 1024);
      client.destroy();
    },
  );

  test('has its connection ended when too many requests wait, which is counted and logged once', async () => {
    parsedInVain = 0;
    responses.length = 0;
    const clients = Array.from({ length: 12 }, openMute);
    // Whatever is behind an answer that does not end waits for ever.
    for (const client of clients) client.write(get('/docs/events') + tiny.repeat(1800));
    const name = 'voucherd_dropped_connections_total{reason="pipelining"}';
    await until('one has been ended', async () => (await metric(name)) > 0);
    // The request that was too many is the last: what was read behind it is not even parsed.
    expect(parsedInVain).toBe(0);
    // 4,000 that wait, and of each connection 16 in flight and the one that was too many: no other fills the room that is
    // left by one that was ended.
    await until('all have been read', () => {
      const known = new Set(responses.map(({ req }) => req.socket.remotePort));
      return clients.every(({ localPort }) => known.has(localPort));
    });
    const parsed = responses.filter(({ req }) => ['/docs/events', '/healthz'].includes(req.url ?? ''));
    expect(parsed.length).toBeLessThanOrEqual(4000 + clients.length * 17);
    const lines = api.lines.filter((line) => line.includes('connection ended: too many requests'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40 });
    for (const client of clients) client.destroy();
    // What waited is forgotten with its connection: there is room again for those who read.
    await until('the connections are over', async () => {
      // Something is written to each, which shows that its client is gone.
      await api.app.reload();
      const before = await metric(name);
      const connection = await openRaw(api.url);
      connection.write(tiny.repeat(500));
      const answers = await connection.answered(500);
      connection.socket.destroy();
      return answers.length === 500 && (await metric(name)) === before;
    });
  });
});
