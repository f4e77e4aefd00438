import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openRaw } from '../support/rawSocket.js';
import { send, startService, type TestService } from '../support/service.js';

let service: TestService;
let key: string;
beforeEach(async () => {
  service = await startService();
  key = await service.addKey();
});
afterEach(() => service.stop().catch(() => undefined));

test('a client that never finishes its headers does not keep the service from stopping', async () => {
  const client = await openRaw(service.url);
  client.write('GET /sites.php HTTP/1.1\r\nHost: localhost\r\n');
  await service.stop();
  expect(await client.closed()).toEqual([]);
});

test('a client that never finishes its body does not keep the service from stopping', async () => {
  const client = await openRaw(service.url);
  client.write(
    `POST /vouchers.php HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nContent-Length: 100\r\n\r\n{"site`,
  );
  await send(service.url, 'GET', '/sites.php', { key });
  await service.stop();
  expect(await client.closed()).toEqual([]);
});

test('what is in flight is finished, and its answer says that the connection ends', async () => {
  const siteId = await service.addSite({ latencyMs: 3000 });
  const client = await openRaw(service.url);
  const body = JSON.stringify({ site_id: siteId, name: 'Berger' });
  client.write(
    `POST /vouchers.php HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await send(service.url, 'GET', '/sites.php', { key });
  await service.stop();
  const [answer] = await client.closed();
  expect(answer?.status).toBe(201);
  expect(answer?.head).toMatch(/^connection: close$/im);
});
