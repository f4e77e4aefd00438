import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { openRaw } from '../support/rawSocket.js';

const api = withApi({ env: { MAX_REQUESTS_IN_FLIGHT: '1' } });

test('refusals because of overload are logged once and counted', async () => {
  const other = await openRaw(api.url);
  // The service asks for the body of somebody whom it knows, and holds a place for it.
  other.write(
    `POST /vouchers.php HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${api.key}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
  );
  expect((await other.answered(1))[0]?.status).toBe(100);
  for (let round = 0; round < 5; round += 1)
    expect((await api.get('/sites.php', { key: api.key })).status).toBe(503);
  other.socket.destroy();
  const lines = api.lines.filter((line) => line.includes('requests are refused with 503'));
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      level: 40,
      msg: 'requests are refused with 503: MAX_REQUESTS_IN_FLIGHT are in flight',
    }),
  ]);
  const { text } = await api.get('/metrics');
  expect(text).toContain('voucherd_overload_refusals_total{reason="in_flight"} 5');
});

test('an unchanged list is sent to all who ask at the same moment, however few requests may be in flight', async () => {
  const clients = await Promise.all(Array.from({ length: 8 }, () => openRaw(api.url)));
  const wanted = clients.map(() => 200);
  let statuses: unknown[] = [];
  // The first rounds may meet caches that are still being filled, or the end of another request.
  for (let round = 1; round <= 50 && !isDeepStrictEqual(statuses, wanted); round += 1) {
    // Without a turn of the event loop in between, so that the service, in this process, reads all of them in one.
    for (const { write } of clients)
      write(`GET /sites.php HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${api.key}\r\n\r\n`);
    const answers = await Promise.all(clients.map(({ answered }) => answered(round)));
    statuses = answers.map((all) => all.at(-1)?.status);
  }
  for (const { socket } of clients) socket.destroy();
  expect(statuses).toEqual(wanted);
});
