import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { openRaw } from '../support/rawSocket.js';
import { send, startService } from '../support/service.js';
import { whileInFlight } from '../support/slowOrder.js';

const api = withApi({ perTest: 'service' });

test('a client that never finishes its headers does not keep the service from stopping', async () => {
  const client = await openRaw(api.url);
  client.write('GET /sites.php HTTP/1.1\r\nHost: localhost\r\n');
  await api.stop();
  expect(await client.closed()).toEqual([]);
});

test('a client that never finishes its body does not keep the service from stopping', async () => {
  const client = await openRaw(api.url);
  client.write(
    `POST /vouchers.php HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${api.key}\r\nContent-Length: 100\r\n\r\n{"site`,
  );
  await send(api.url, 'GET', '/sites.php', { key: api.key });
  await api.stop();
  expect(await client.closed()).toEqual([]);
});

test('what is in flight is finished, and its answer says that the connection ends', async () => {
  await whileInFlight(async (latencyMs, followOrder) => {
    const service = await startService({ env: { STOP_DEADLINE_S: '300', CONTROLLER_DEADLINE_S: '600' } });
    const [key, siteId] = [await service.addKey(), await service.addSite({ latencyMs })];
    const client = await openRaw(service.url);
    const body = JSON.stringify({ site_id: siteId, name: 'Berger' });
    const isInFlight = followOrder();
    client.write(
      `POST /vouchers.php HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await send(service.url, 'GET', '/sites.php', { key });
    const stopped = service.stop();
    const wasInFlight = isInFlight();
    await stopped;
    const [answer] = await client.closed();
    expect(answer?.status).toBe(201);
    if (wasInFlight) expect(answer?.head).toMatch(/^connection: close$/im);
    return wasInFlight;
  });
});
