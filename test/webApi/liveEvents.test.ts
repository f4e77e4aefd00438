import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/database.js';
import { withAdmin } from '../support/api.js';
import { readEvents, type EventReader } from '../support/eventReader.js';
import { until } from '../support/until.js';
import { signInNew, type Browser } from '../support/web.js';

const api = withAdmin({ perTest: 'service' });

const follow = async ({ cookie }: Browser): Promise<EventReader> => {
  const answer = await fetch(`${api.url}/web/events`, { headers: { Cookie: cookie } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
  return readEvents(answer);
};

const createVoucher = async (key: string, siteId: number): Promise<void> => {
  const created = await api.post('/vouchers.php', { site_id: siteId, name: 'Gast' }, { key });
  expect(created.status).toBe(201);
};

test('a voucher that is created over the API is told at once', async () => {
  const [siteId, key] = [await api.addSite(), await api.addKey()];
  const events = await follow(api.admin);
  await createVoucher(key, siteId);
  expect(await events.next()).toEqual({ event: 'changed', data: ['vouchers'] });
  await events.close();
});

test('staff hear of the vouchers of their sites, and of no others', async () => {
  const [own, others] = [await api.addSite(), await api.addSite()];
  const key = await api.addKey();
  const staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds: [own] });
  const [theirs, all] = [await follow(staff), await follow(api.admin)];
  await createVoucher(key, others);
  expect(await all.next()).toEqual({ event: 'changed', data: ['vouchers'] });
  await createVoucher(key, own);
  expect(await all.next()).toEqual({ event: 'changed', data: ['vouchers'] });
  expect(await theirs.next()).toEqual({ event: 'changed', data: ['vouchers'] });
  // The one of the other site would have come before.
  await api.admin.delete('/session');
  expect(await all.next()).toMatchObject({ event: 'changed', data: ['people'] });
  await theirs.close();
});

test('staff hear of the end of their order, whether it is made, open or failed', async () => {
  const sites = [await api.addSite(), await api.addSite({ fault: 'refuse' })];
  const staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds: sites });
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
  const siteId = await api.addSite();
  const staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds: [siteId] });
  const followed = [await follow(api.admin), await follow(staff)];
  const newer = openDatabase(`sqlite:${join(api.dataDir, 'voucherd.sqlite')}`);
  await newer.write('revisions').insert({ name: 'lockers', value: 1 });
  await newer.close();
  const printer = { name: 'Tresen', host: '127.0.0.1', port: 9100, paper: '80mm', siteIds: null };
  expect((await api.admin.post('/printers', printer)).status).toBe(201);
  for (const events of followed) {
    expect(await events.next()).toEqual({ event: 'changed', data: ['printers'] });
    await events.close();
  }
});

test('events end with the session', async () => {
  const events = await follow(api.admin);
  await api.admin.delete('/session');
  while ((await events.next()) !== undefined);
  expect((await api.admin.get('/session')).status).toBe(401);
});

test('events that wait behind others on a closed connection are not kept', async () => {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  const head = `GET /web/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${api.admin.cookie}\r\n\r\n`;
  socket.write(head.repeat(8));
  await once(socket, 'data');
  const listeners = (): number => api.app.listeningPages();
  await until('all of them are followed', () => listeners() === 8 || undefined);
  socket.destroy();
  await until('none of them is followed', () => listeners() === 0 || undefined);
});

test('somebody with many tabs keeps the last twenty', async () => {
  const first = await follow(api.admin);
  const others = await Promise.all(Array.from({ length: 20 }, () => follow(api.admin)));
  expect(await first.next()).toBeUndefined();
  await Promise.all(others.map(({ close }) => close()));
});

test('of sixty streams that one session opens at the same time twenty are left', async () => {
  const [siteId, key] = [await api.addSite(), await api.addKey()];
  const streams = await Promise.all(Array.from({ length: 60 }, () => follow(api.admin)));
  await createVoucher(key, siteId);
  const heard = await Promise.all(streams.map((stream) => stream.next()));
  expect(heard.filter((event) => event !== undefined)).toHaveLength(20);
  await Promise.all(streams.map((stream) => stream.close()));
});

test('a service that stops ends them', async () => {
  const events = await follow(api.admin);
  await api.stop();
  expect(await events.next()).toBeUndefined();
});
