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
