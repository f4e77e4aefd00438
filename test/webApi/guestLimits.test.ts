import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { WebSchema } from '../../handlers/web/handler.js';
import { withAdmin } from '../support/api.js';
import { makeClock, type Clock } from '../support/clock.js';
import { makeBrowser } from '../support/web.js';
import { decide, makeGuest, waiting } from './guestsFixture.js';

let clock: Clock;
const api = withAdmin({
  beforeStart: () => {
    clock = makeClock();
    return { system: clock };
  },
  site: {},
  env: { TRUST_PROXY: '127.0.0.1' },
});
let profileId = 0;
beforeAll(async () => {
  const profile = { name: 'Tag', maxUses: 1, expireMinutes: 1440 };
  ({ id: profileId } = (await api.admin.post('/profiles', profile)).body as { id: number });
});

const addPage = async (slug: string, values: object): Promise<void> => {
  const page = { siteId: api.siteId, profileId, perHour: 1, asksName: false, perDevice: 20, slug };
  const added = await api.admin.post('/kiosks', { ...page, needsApproval: true, ...values });
  expect(added.status).toBe(201);
};
const [kioskLimit, deviceLimit] = ['kiosk-limit', 'device-limit'].map((message) => ({
  status: 429,
  body: { message },
}));
const waits = { status: 200, body: { state: 'waiting' } };

test('requests that staff refuse, or that nobody answers, leave the hour of a page to others', async () => {
  await addPage('see', {});
  const { order } = makeGuest(api, 'see');
  for (let count = 0; count < 2; count += 1) {
    const id = randomUUID();
    expect(await order({}, id)).toMatchObject(waits);
    expect((await decide(api.admin, id, false)).status).toBe(204);
  }
  for (let count = 0; count < 2; count += 1) expect(await order()).toMatchObject(waits);
  clock.advance(16 * 60_000);

  // Vouchers count when staff agree. Two desks at once, and once more, are one.
  const [first, second] = [randomUUID(), randomUUID()];
  for (const id of [first, second]) expect(await order({}, id)).toMatchObject(waits);
  const approved = await Promise.all([decide(api.admin, first, true), decide(api.admin, first, true)]);
  expect(approved.map(({ status }) => status)).toEqual([204, 204]);
  expect((await decide(api.admin, first, true)).status).toBe(204);
  // The desk is told that there is no more, and so is the next guest.
  const refused = await decide(api.admin, second, true);
  expect(refused).toMatchObject({ status: 409, body: { message: 'kiosk-limit' } });
  expect((await waiting(api.admin)).map(({ id }) => id)).toEqual([second]);
  expect(await order()).toMatchObject(kioskLimit!);
});

test('an approval whose voucher is not made gives its place back', async () => {
  const siteId = await api.addSite({ name: 'Aus', fault: 'refuse' });
  await addPage('aus', { siteId, perHour: 1 });
  const { order, find } = makeGuest(api, 'aus');
  for (let count = 0; count < 2; count += 1) {
    const id = randomUUID();
    expect(await order({}, id)).toMatchObject(waits);
    expect((await decide(api.admin, id, true)).status).toBe(204);
    expect((await find(id)).body).toMatchObject({ state: 'failed' });
  }
});

test('a device that withdraws may ask again, but its address not without end', async () => {
  await addPage('berg', { perHour: 100, perDevice: 1, deviceMinutes: 60 });
  const { order, withdraw, look } = makeGuest(api, 'berg');
  await look();
  for (let count = 0; count < 10; count += 1) {
    const id = randomUUID();
    expect(await order({}, id)).toMatchObject(waits);
    if (count === 0) expect(await order()).toMatchObject(deviceLimit!);
    expect((await withdraw(id)).status).toBe(204);
    // Twice is once.
    expect((await withdraw(id)).status).toBe(204);
  }
  expect(await order()).toMatchObject(deviceLimit!);
  expect(await makeGuest(api, 'berg').order()).toMatchObject(deviceLimit!);
});

test('a device whose request was refused does not ask again and again', async () => {
  await addPage('tal', { perHour: 100, perDevice: 1, deviceMinutes: 60 });
  const { order, look } = makeGuest(api, 'tal');
  await look();
  const id = randomUUID();
  expect(await order({}, id)).toMatchObject(waits);
  await decide(api.admin, id, false);
  expect(await order()).toMatchObject(deviceLimit!);
});

test('orders that the limit of a day refuses do not close a kiosk for the hour', async () => {
  const siteId = await api.addSite({ name: 'Tageslimit' });
  const rule = { role: 'kiosk', siteId, allowsCustom: true, requiresName: false, maxCount: null };
  const values = { ...rule, maxExpireMinutes: null, maxUses: null, maxPerDay: 1 };
  const { id } = (await api.admin.post('/order-limits', values)).body as { id: number };
  const kiosk = { siteId, profileId, perHour: 2, asksName: false };
  const { path } = (await api.admin.post('/kiosks', kiosk)).body as WebSchema<'CreatedKiosk'>;
  const headers = { 'X-Kiosk-Token': path.split('#')[1] ?? '' };
  const take = () => makeBrowser(api).request('PUT', `/kiosk/orders/${randomUUID()}`, { headers, body: {} });
  expect((await take()).body).toMatchObject({ state: 'made' });
  for (let count = 0; count < 25; count += 1)
    expect(await take()).toMatchObject({ status: 409, body: { message: 'daily-limit' } });
  expect((await api.admin.delete(`/order-limits/${String(id)}`)).status).toBe(204);
  expect((await take()).body).toMatchObject({ state: 'made' });
});

test('an address alone does not use up the attempts of a public page', async () => {
  const siteId = await api.addSite({ name: 'Kaputt', fault: 'refuse' });
  await addPage('kaputt', { siteId, perHour: 1, needsApproval: false });
  const guestFrom = (address: string) => makeGuest(api, 'kaputt', { 'X-Forwarded-For': address });
  const { order } = guestFrom('192.0.2.1');
  for (let count = 0; count < 5; count += 1) expect((await order()).body).toMatchObject({ state: 'failed' });
  expect(await order()).toMatchObject(deviceLimit!);
  expect((await guestFrom('192.0.2.2').order()).body).toMatchObject({ state: 'failed' });
});
