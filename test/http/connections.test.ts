import { afterAll, describe, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { openRaw, watchServer } from '../support/rawSocket.js';
import { until } from '../support/until.js';

const get = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

describe('without settings', () => {
  const api = withApi();
  const watch = watchServer();
  afterAll(() => watch.stop());

  test('a connection is kept for 75 seconds, and says so', async () => {
    const connection = await openRaw(api.url);
    connection.write(get('/healthz'));
    const [answer] = await connection.answered(1);
    expect(answer?.head).toMatch(/^Keep-Alive: timeout=75$/m);
    connection.socket.destroy();
  });

  test('a kept connection is not ended for the time in which a request has to begin', async () => {
    const kept = await openRaw(api.url);
    kept.write(get('/healthz'));
    await kept.answered(1);
    const server = watch.server();
    const { headersTimeout } = server;
    server.headersTimeout = 1;
    try {
      const silent = await openRaw(api.url);
      silent.write('GET');
      await silent.closed();
    } finally {
      server.headersTimeout = headersTimeout;
    }
    kept.write(get('/healthz'));
    expect((await kept.answered(2)).map(({ status }) => status)).toEqual([200, 200]);
    kept.socket.destroy();
  });
});

describe('with KEEP_ALIVE_TIMEOUT_S=7 and CONTROLLER_DEADLINE_S=600', () => {
  const api = withApi({ env: { KEEP_ALIVE_TIMEOUT_S: '7', CONTROLLER_DEADLINE_S: '600' } });
  const watch = watchServer();
  afterAll(() => watch.stop());

  test('a connection is kept for 7 seconds', async () => {
    const connection = await openRaw(api.url);
    connection.write(get('/healthz'));
    const [answer] = await connection.answered(1);
    expect(answer?.head).toMatch(/^Keep-Alive: timeout=7$/m);
    connection.socket.destroy();
  });

  test('a connection on which an answer is waited for stays longer than an order may wait and its controller may take', async () => {
    await api.get('/healthz');
    expect(watch.server().timeout).toBeGreaterThan(2 * 600_000);
  });
});

describe('with MAX_CONNECTIONS=3', () => {
  const api = withApi({ env: { MAX_CONNECTIONS: '3' } });

  test('a fourth is closed before anything is read, which is counted and logged once; the others go on', async () => {
    const first = await Promise.all([1, 2, 3].map(() => openRaw(api.url)));
    for (const connection of first) {
      connection.write(get('/healthz'));
      await connection.answered(1);
    }
    for (let round = 0; round < 3; round += 1) {
      const refused = await openRaw(api.url);
      refused.write(get('/healthz'));
      expect(await refused.closed()).toEqual([]);
    }
    const lines = api.lines.filter((line) => line.includes('connection refused'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: 40 }),
    ]);
    const [one, another] = first;
    one?.write(get('/metrics'));
    await until('the metrics are there', () => one?.answers().length === 2);
    expect(one?.answers()[1]?.body).toContain('voucherd_dropped_connections_total{reason="connections"} 3');
    another?.socket.destroy();
    await until('there is room again', async () => {
      const connection = await openRaw(api.url);
      connection.write(get('/healthz'));
      const answers = await connection.answered(1);
      connection.socket.destroy();
      return answers.length === 1;
    });
    for (const { socket } of first) socket.destroy();
  });
});
