import { expect, test } from '@jest/globals';
import { withService } from '../support/service.js';

const service = withService();

const entries = async () =>
  (await service.service.tables.auditLog.newest({ actions: ['voucher.create'] }, undefined, 100)).map(
    ({ id: _, at: __, ...entry }) => entry,
  );

test('a voucher that a key orders is recorded with key, site, name and address, and never with its code', async () => {
  const [key, siteId] = [await service.addKey({ name: 'Buchungssystem' }), await service.addSite()];
  const order = { site_id: siteId, name: 'Familie Berger' };
  const answer = await service.post('/vouchers.php', order, { key });
  expect(answer.status).toBe(201);
  const { code, formatted_code: formatted } = answer.body as { code: string; formatted_code: string };
  expect(await entries()).toEqual([
    {
      actorKind: 'key',
      actorName: 'Buchungssystem',
      action: 'voucher.create',
      subjectKind: 'voucher',
      subjectId: null,
      subjectName: expect.stringMatching(/^\d{4}-\d\d-\d\d_Familie Berger$/),
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
    const [key, siteId] = [await service.addKey({ name }), await service.addSite()];
    expect((await service.post('/vouchers.php', { site_id: siteId, name: 'x' }, { key })).status).toBe(201);
    expect((await entries())[0]).toMatchObject({ actorKind: 'key', actorName: name });
  },
);

test('a repeated answer, a refusal and a controller that fails record nothing', async () => {
  const [key, siteId] = [await service.addKey(), await service.addSite()];
  const failing = await service.addSite({ name: 'Turm', fault: 'error' });
  const headers = { 'Idempotency-Key': 'einmal' };
  const order = { site_id: siteId, name: 'Familie Weber' };
  for (let time = 0; time < 2; time += 1)
    expect((await service.post('/vouchers.php', order, { key, headers })).status).toBe(201);
  expect((await service.post('/vouchers.php', { ...order, site_id: 999 }, { key })).status).toBe(404);
  expect((await service.post('/vouchers.php', { ...order, site_id: failing }, { key })).status).not.toBe(201);
  const named = (await entries()).filter(({ subjectName }) => subjectName?.endsWith('Familie Weber'));
  expect(named).toHaveLength(1);
});

test('orders that come together are recorded each', async () => {
  const [key, siteId] = [await service.addKey({ name: 'Viele' }), await service.addSite()];
  const names = Array.from({ length: 20 }, (_, index) => `Gast ${String(index)}`);
  await Promise.all(names.map((name) => service.post('/vouchers.php', { site_id: siteId, name }, { key })));
  const recorded = (await entries()).filter(({ actorName }) => actorName === 'Viele');
  expect(recorded.map(({ subjectName }) => subjectName?.slice(11)).sort()).toEqual(names.sort());
});
