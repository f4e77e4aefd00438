import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { controllerVouchers, rowsOf } from '../support/serviceInternals.js';
import { until } from '../support/until.js';
import { signInNew } from '../support/web.js';
import { codesOf, limits, look, place, placed, withOrders, type Order } from './ordersFixture.js';

const orders = withOrders({ perTest: 'service' });
const { api, codesThere } = orders;

test('an order of one makes, records, announces and logs one voucher in the name of the user', async () => {
  const siteId = await api.addSite();
  const id = randomUUID();
  const order = await placed(api.admin, { siteId }, id);
  const [voucher] = order.vouchers;
  expect(order).toEqual({
    ...{ id, state: 'made', siteId, siteName: 'Hauptgebäude', name: 'Zimmer 12', count: 1, made: 1 },
    createdAt: '2026-11-14T09:30:00.000Z',
    reason: null,
    vouchers: [
      {
        id: voucher?.id,
        code: voucher?.code,
        formattedCode: `${String(voucher?.code.slice(0, 5))}-${String(voucher?.code.slice(5))}`,
        ...{ name: '2026-11-14_Zimmer 12', siteId, siteName: 'Hauptgebäude', state: 'valid' },
        ...{ maxUses: 2, usedCount: 0, expireMinutes: 60, down: 5000, up: 1000, quotaMb: 100 },
        ...{ createdAt: '2026-11-14T09:30:00.000Z', expiresAt: null },
        ...{ createdBy: 'Anna Berger', creatorKind: 'user', profileName: null },
      },
    ],
  });
  expect(await controllerVouchers(api, siteId)).toMatchObject([
    { code: voucher?.code, name: '2026-11-14_Zimmer 12', max_uses: 2, down: 5000, up: 1000, quota_mb: 100 },
  ]);
  expect(await rowsOf(api, 'notifications')).toMatchObject([
    { count: 1, site: 'Hauptgebäude', source: 'Anna Berger' },
  ]);
  expect((await api.admin.get('/audit?area=voucher')).body).toMatchObject({
    entries: [
      {
        ...{ action: 'voucher.create', actorKind: 'user', actorName: 'Anna Berger' },
        ...{ subjectName: 'Zimmer 12', address: '127.0.0.1' },
        detail: {
          ...{ site: 'Hauptgebäude', siteId, count: 1 },
          ...{ expireMinutes: 60, maxUses: 2, down: 5000, up: 1000, quotaMb: 100 },
        },
      },
    ],
  });
  expect(await rowsOf(api, 'intents')).toEqual([]);
});

test('an order of 500 has one notification and one entry in the audit log, with its count', async () => {
  const siteId = await api.addSite();
  const order = await placed(api.admin, { siteId, count: 500 });
  expect(order).toMatchObject({ state: 'made', count: 500, made: 500 });
  expect(new Set(codesOf(order)).size).toBe(500);
  expect(codesOf(order)).toEqual(await codesThere(siteId));
  expect(await rowsOf(api, 'notifications')).toMatchObject([{ count: 500 }]);
  expect((await api.admin.get('/audit?area=voucher')).body).toMatchObject({
    entries: [{ detail: { count: 500 } }],
  });
});

test('a profile gives the limits, and its name stays with the voucher', async () => {
  const siteId = await api.addSite();
  const profile = { ...limits, name: 'Tagesgast', siteIds: [siteId] };
  const { id: profileId } = (await api.admin.post('/profiles', profile)).body as { id: number };
  const { vouchers } = await placed(api.admin, { siteId, profileId, limits: null });
  expect(vouchers).toMatchObject([{ maxUses: 2, expireMinutes: 60, profileName: 'Tagesgast' }]);
  const elsewhere = await api.addSite({ name: 'Nebenhaus' });
  expect(await place(api.admin, randomUUID(), { siteId: elsewhere, profileId, limits: null })).toMatchObject({
    status: 409,
    body: { message: 'unknown-profile' },
  });
  expect(await rowsOf(api, 'orders')).toHaveLength(1);
});

describe('the same id', () => {
  test('with the same body is the same order, with another one is refused', async () => {
    const siteId = await api.addSite();
    const id = randomUUID();
    const first = await placed(api.admin, { siteId }, id);
    expect(await placed(api.admin, { siteId }, id)).toEqual(first);
    expect(await placed(api.admin, { siteId }, id.toUpperCase())).toEqual(first);
    expect(await place(api.admin, id, { siteId, name: 'Zimmer 13' })).toMatchObject({
      status: 409,
      body: { error: 'refused', message: 'order-changed' },
    });
    expect(await codesThere(siteId)).toHaveLength(1);
  });

  test('of somebody else is not found, and nothing tells that it exists', async () => {
    const siteId = await api.addSite();
    const id = randomUUID();
    const [one, other] = [
      await signInNew(api, api.admin, { name: 'Berta', role: 'staff', siteIds: [siteId] }),
      await signInNew(api, api.admin, { name: 'Cem', role: 'staff', siteIds: [siteId] }),
    ];
    await placed(one, { siteId }, id);
    const unknown = await other.get(`/orders/${randomUUID()}`);
    expect(unknown.status).toBe(404);
    expect(await other.get(`/orders/${id}`)).toMatchObject({ status: 404, text: unknown.text });
    expect(await place(other, id, { siteId })).toMatchObject({ status: 404, text: unknown.text });
    expect(await place(api.admin, id, { siteId })).toMatchObject({ status: 404 });
    expect((await api.admin.get(`/orders/${id}`)).status).toBe(200);
    expect(await other.get('/orders')).toMatchObject({ body: { orders: [] } });
    expect(await codesThere(siteId)).toHaveLength(1);
  });

  test('a hundred times at once is one voucher, and all get it', async () => {
    const siteId = await api.addSite({ latencyMs: 50 });
    const id = randomUUID();
    const answers = await Promise.all(Array.from({ length: 100 }, () => place(api.admin, id, { siteId })));
    const made = answers.filter(({ status }) => status === 200);
    // 503: more than the service takes at once.
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    expect(made.length).toBeGreaterThan(1);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(await codesThere(siteId)).toHaveLength(1);
    expect(await rowsOf(api, 'notifications')).toHaveLength(1);
  });

  test('in two tabs with different bodies at once is one order', async () => {
    const siteId = await api.addSite({ latencyMs: 50 });
    const id = randomUUID();
    const bodies = [
      { siteId, count: 2 },
      { siteId, count: 3 },
    ];
    const statuses = await Promise.all(bodies.map(async (body) => (await place(api.admin, id, body)).status));
    expect(statuses.sort()).toEqual([200, 409]);
    expect([2, 3]).toContain((await codesThere(siteId)).length);
  });
});

test('two staff at once each get vouchers of their own', async () => {
  const siteId = await api.addSite({ latencyMs: 50 });
  const staff = [
    await signInNew(api, api.admin, { name: 'Berta', role: 'staff', siteIds: [siteId] }),
    await signInNew(api, api.admin, { name: 'Cem', role: 'staff', siteIds: [siteId] }),
  ];
  const both = await Promise.all(staff.map((one) => placed(one, { siteId, count: 20 })));
  expect(both.flatMap(codesOf).sort()).toEqual(await codesThere(siteId));
  expect(both.map(({ vouchers }) => vouchers[0]?.createdBy)).toEqual(['Berta', 'Cem']);
});

test('staff order for active sites of theirs only, and see orders of those', async () => {
  const [own, foreign, inactive] = [
    await api.addSite(),
    await api.addSite({ name: 'Nebenhaus' }),
    await api.addSite({ name: 'Altbau', active: false }),
  ];
  const staff = await signInNew(api, api.admin, { name: 'Berta', role: 'staff', siteIds: [own, inactive] });
  for (const siteId of [foreign, inactive, 999])
    expect(await place(staff, randomUUID(), { siteId })).toMatchObject({ status: 404 });
  expect(await rowsOf(api, 'orders')).toEqual([]);
  const { id } = await placed(staff, { siteId: own });
  const { users } = (await api.admin.get('/users')).body as { users: { id: number; name: string }[] };
  const berta = users.find(({ name }) => name === 'Berta');
  await api.admin.patch(`/users/${String(berta?.id)}`, { siteIds: [inactive] });
  expect((await staff.get(`/orders/${id}`)).status).toBe(404);
  expect((await place(staff, id, { siteId: own })).status).toBe(404);
  expect(await staff.get('/orders')).toMatchObject({ body: { orders: [] } });
});

test("one's own latest orders are listed without vouchers, the newest first, twenty at most", async () => {
  const siteId = await api.addSite();
  const ids: string[] = [];
  for (let count = 0; count < 21; count++) {
    ids.unshift((await placed(api.admin, { siteId })).id);
    orders.clock.advance(1);
  }
  const listed = (await api.admin.get('/orders')).body as { orders: Order[] };
  expect(listed.orders.map(({ id }) => id)).toEqual(ids.slice(0, 20));
  expect(listed.orders[0]).toMatchObject({ state: 'made', made: 1, vouchers: [] });
});

test('an order goes on when the browser is closed, and is found again', async () => {
  const siteId = await api.addSite({ latencyMs: 200 });
  const id = randomUUID();
  const body = JSON.stringify({ siteId, name: '', count: 3, limits });
  const sent = request(`${api.url}/web/orders/${id}`, {
    method: 'PUT',
    headers: {
      Cookie: api.admin.cookie,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/json',
    },
  });
  sent.on('error', () => undefined);
  sent.end(body);
  await until('the order is stored', async () => (await rowsOf(api, 'orders')).length === 1);
  sent.destroy();
  await until('the order is made', async () => (await look(api.admin, id)).state === 'made');
  expect(codesOf(await look(api.admin, id))).toEqual(await codesThere(siteId));
  expect(await api.admin.get('/orders')).toMatchObject({ body: { orders: [{ id, state: 'made' }] } });
});

test('the desk shows the active sites of the user with their profiles', async () => {
  const [own, other] = [await api.addSite(), await api.addSite({ name: 'Nebenhaus' })];
  await api.addSite({ name: 'Altbau', active: false });
  const add = async (name: string, siteIds: number[] | null) =>
    ((await api.admin.post('/profiles', { ...limits, name, siteIds })).body as { id: number }).id;
  const [everywhere, there] = [await add('Woche', null), await add('Tag', [other])];
  await api.admin.patch(`/sites/${String(own)}`, { ssid: 'Gäste', defaultProfileId: everywhere });
  const staff = await signInNew(api, api.admin, { name: 'Berta', role: 'staff', siteIds: [own] });
  const week = { ...limits, id: everywhere, name: 'Woche' };
  const first = {
    ...{ id: own, name: 'Hauptgebäude', ssid: 'Gäste', slipText: null, hasLogo: false },
    ...{ defaultProfileId: everywhere, profiles: [week], printers: [] },
  };
  expect((await staff.get('/desk')).body).toMatchObject({ sites: [first] });
  expect((await api.admin.get('/desk')).body).toMatchObject({
    sites: [first, { id: other, profiles: [{ ...limits, id: there, name: 'Tag' }, week] }],
  });
});
