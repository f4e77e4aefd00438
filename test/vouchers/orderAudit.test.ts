import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';

const api = withApi();

const entries = async () =>
  (await api.tables.auditLog.newest({ actions: ['voucher.create'] }, undefined, 100)).map(
    ({ id: _, at: __, ...entry }) => entry,
  );

test('a voucher that a key orders is recorded with key, site, name and address, and never with its code', async () => {
  const [key, siteId] = [await api.addKey({ name: 'Buchungssystem' }), await api.addSite()];
  const order = { site_id: siteId, name: 'Familie Berger' };
  const answer = await api.post('/vouchers.php', order, { key });
  expect(answer.status).toBe(201);
  const { code, formatted_code: formatted } = answer.body as { code: string; formatted_code: string };
  expect(await entries()).toEqual([
    {
      actorKind: 'key',
      actorName: 'Buchungssystem',
      action: 'voucher.create',
      subjectKind: 'voucher',
      subjectId: null,
      subjectName: 'Familie Berger',
      address: '127.0.0.1',
      detail: { site: 'Hauptgebäude', siteId },
      count: 1,
    },
  ]);
  const logged = JSON.stringify(await entries());
  expect([logged.includes(code), logged.includes(formatted)]).toEqual([false, false]);
});

test.each(['Kiosk: Foyer', 'API: Kiosk: Foyer', 'Anna Berger'])(
  'a key called %s is recorded as a key of that name',
  async (name) => {
    const [key, siteId] = [await api.addKey({ name }), await api.addSite()];
    expect((await api.post('/vouchers.php', { site_id: siteId, name: 'x' }, { key })).status).toBe(201);
    expect((await entries())[0]).toMatchObject({ actorKind: 'key', actorName: name });
  },
);

test('a repeated answer, a refusal and a controller that fails record nothing', async () => {
  const [key, siteId] = [await api.addKey(), await api.addSite()];
  const failing = await api.addSite({ name: 'Turm', fault: 'error' });
  const headers = { 'Idempotency-Key': 'einmal' };
  const order = { site_id: siteId, name: 'Familie Weber' };
  for (let time = 0; time < 2; time += 1)
    expect((await api.post('/vouchers.php', order, { key, headers })).status).toBe(201);
  expect((await api.post('/vouchers.php', { ...order, site_id: 999 }, { key })).status).toBe(404);
  expect((await api.post('/vouchers.php', { ...order, site_id: failing }, { key })).status).not.toBe(201);
  const named = (await entries()).filter(({ subjectName }) => subjectName?.endsWith('Familie Weber'));
  expect(named).toHaveLength(1);
});

test('orders that come together are recorded each', async () => {
  const [key, siteId] = [await api.addKey({ name: 'Viele' }), await api.addSite()];
  const names = Array.from({ length: 20 }, (_, index) => `Gast ${String(index)}`);
  await Promise.all(names.map((name) => api.post('/vouchers.php', { site_id: siteId, name }, { key })));
  const recorded = (await entries()).filter(({ actorName }) => actorName === 'Viele');
  expect(recorded.map(({ subjectName }) => subjectName).sort()).toEqual(names.sort());
});
