import { beforeEach, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { makeClock } from '../support/clock.js';
import type { Answer } from '../support/service.js';
import { rowsOf } from '../support/serviceInternals.js';

const clock = makeClock();

const api = withApi({ system: { now: clock.now }, key: { name: 'Buchungssystem' } });
beforeEach(() => api.database.write('notifications').delete());

const create = (options: { site_id?: number; headers?: Record<string, string> } = {}): Promise<Answer> => {
  const { site_id = api.siteId, headers = {} } = options;
  return api.createVoucher({ site_id }, { headers });
};

test('when the 201 is sent, a notification with count 1, site name and source "API: <key_name>" is in the outbox [notification-of-api-order notification-before-answer]', async () => {
  expect((await create()).status).toBe(201);
  expect(await rowsOf(api, 'notifications')).toMatchObject([
    { count: 1, site: 'Hauptgebäude', source: 'API: Buchungssystem', created_at: clock.now() },
  ]);
});

test("a voucher's code and name are never part of a notification [notification-without-code]", async () => {
  const { body } = await create();
  const { code, formatted_code } = body as { code: string; formatted_code: string };
  const text = JSON.stringify(await rowsOf(api, 'notifications'));
  for (const secret of [code, formatted_code, 'Berger', api.key]) expect(text).not.toContain(secret);
});

test('every voucher has a notification of its own', async () => {
  await Promise.all(Array.from({ length: 5 }, () => create()));
  const ids = (await rowsOf(api, 'notifications')).map(({ id }) => id);
  expect(new Set(ids).size).toBe(5);
});

test('a replay notifies nobody again', async () => {
  const headers = { 'Idempotency-Key': 'once' };
  await create({ headers });
  expect((await create({ headers })).headers['idempotency-replayed']).toBe('true');
  expect(await rowsOf(api, 'notifications')).toHaveLength(1);
});

test('no other events are emitted by the API [notification-nothing-else]', async () => {
  const refusing = await api.addSite({ fault: 'refuse' });
  const empty = await api.addSite({ fault: 'no-voucher' });
  const answers = [
    await api.get('/sites.php', { key: api.key }),
    await api.listVouchers(),
    await api.post('/vouchers.php', {}, { key: api.key }),
    await create({ site_id: 999 }),
    await create({ site_id: refusing }),
    await create({ site_id: empty }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 404, 500, 502]);
  expect(await rowsOf(api, 'notifications')).toEqual([]);
});
