import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/database.js';
import { readEvents, type EventReader } from '../support/eventReader.js';
import { withServicePerTest } from '../support/service.js';
import { until } from '../support/until.js';
import { signInFirst, signInNew, type Browser } from '../support/web.js';

const service = withServicePerTest();

const follow = async ({ cookie }: Browser): Promise<EventReader> => {
  const answer = await fetch(`${service.url}/web/events`, { headers: { Cookie: cookie } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
  return readEvents(answer);
};

const createVoucher = async (key: string, siteId: number): Promise<void> => {
  const created = await service.post('/vouchers.php', { site_id: siteId, name: 'Gast' }, { key });
  expect(created.status).toBe(201);
};

test('a voucher that is created over the API is told at once', async () => {
  const admin = await signInFirst(service);
  const [siteId, key] = [await service.addSite(), await service.addKey()];
  const events = await follow(admin);
  await createVoucher(key, siteId);
  expect(await events.next()).toEqual({ event: 'changed', data: ['vouchers'] });
  await events.close();
});

test('staff hear of the vouchers of their sites, and of no others', async () => {
  const admin = await signInFirst(service);
  const [own, others] = [await service.addSite(), await service.addSite()];
  const key = await service.addKey();
  const staff = await signInNew(service, admin, { name: 'Jonas', role: 'staff', siteIds: [own] });
  const [theirs, all] = [await follow(staff), await follow(admin)];
  await createVoucher(key, others);
  expect(await all.next()).toEqual({ event: 'changed', data: ['vouchers'] });
  await createVoucher(key, own);
  expect(await all.next()).toEqual({ event: 'changed', data: ['vouchers'] });
  expect(await theirs.next()).toEqual({ event: 'changed', data: ['vouchers'] });
  // The one of the other site would have come before.
  await admin.delete('/session');
  expect(await all.next()).toMatchObject({ event: 'changed', data: ['people'] });
  await theirs.close();
});

test('staff hear of the end of their order, whether it is made, open or failed', async () => {
  const admin = await signInFirst(service);
  const sites = [await service.addSite(), await service.addSite({ fault: 'refuse' })];
  const staff = await signInNew(service, admin, { name: 'Jonas', role: 'staff', siteIds: sites });
  const events = await follow(staff);
  const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
  const states: unknown[] = [];
  for (const [index, topic] of ['vouchers', 'orders'].entries()) {
    const order = { siteId: sites[index], count: 2, limits };
    const { body } = await staff.put(`/orders/${randomUUID()}`, order);
    states.push((body as { state: string }).state);
    expect(await events.next()).toEqual({ event: 'changed', data: [topic] });
  }
  expect(states).toEqual(['made', 'failed']);
  await events.close();
});

test('a receipt printer is told to administrators and staff; what this version knows nothing of is told to nobody', async () => {
  const admin = await signInFirst(service);
  const siteId = await service.addSite();
  const staff = await signInNew(service, admin, { name: 'Jonas', role: 'staff', siteIds: [siteId] });
  const followed = [await follow(admin), await follow(staff)];
  const newer = openDatabase(`sqlite:${join(service.dataDir, 'voucherd.sqlite')}`);
  await newer.write('revisions').insert({ name: 'lockers', value: 1 });
  await newer.close();
  const printer = { name: 'Tresen', host: '127.0.0.1', port: 9100, paper: '80mm', siteIds: null };
  expect((await admin.post('/printers', printer)).status).toBe(201);
  for (const events of followed) {
    expect(await events.next()).toEqual({ event: 'changed', data: ['printers'] });
    await events.close();
  }
});

test('events end with the session', async () => {
  const admin = await signInFirst(service);
  const events = await follow(admin);
  await admin.delete('/session');
  while ((await events.next()) !== undefined);
  expect((await admin.get('/session')).status).toBe(401);
});

test('events that wait behind others on a closed connection are not kept', async () => {
  const admin = await signInFirst(service);
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const head = `GET /web/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${admin.cookie}\r\n\r\n`;
  socket.write(head.repeat(8));
  await once(socket, 'data');
  const listeners = (): number => service.service.listeningPages();
  await until('all of them are followed', () => listeners() === 8 || undefined);
  socket.destroy();
  await until('none of them is followed', () => listeners() === 0 || undefined);
});

test('somebody with many tabs keeps the last twenty', async () => {
  const admin = await signInFirst(service);
  const first = await follow(admin);
  const others = await Promise.all(Array.from({ length: 20 }, () => follow(admin)));
  expect(await first.next()).toBeUndefined();
  await Promise.all(others.map(({ close }) => close()));
});

test('a service that stops ends them', async () => {
  const events = await follow(await signInFirst(service));
  await service.stop();
  expect(await events.next()).toBeUndefined();
});
