import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { makeClock } from '../support/clock.js';
import { withService, type Answer } from '../support/service.js';
import { rowsOf } from '../support/serviceInternals.js';

const clock = makeClock();
let key: string;
let siteId: number;

const service = withService({ system: { now: clock.now } });

beforeAll(async () => {
  key = await service.addKey({ name: 'Buchungssystem' });
  siteId = await service.addSite({ name: 'Hauptgebäude' });
});
beforeEach(() => service.service.database.write('notifications').delete());

const create = (options: { site_id?: number; headers?: Record<string, string> } = {}): Promise<Answer> => {
  const { site_id = siteId, headers = {} } = options;
  return service.post('/vouchers.php', { site_id, name: 'Familie Berger' }, { key, headers });
};

test('when the 201 is sent, a notification with count 1, site name and source "API: <key_name>" is in the outbox', async () => {
  expect((await create()).status).toBe(201);
  expect(await rowsOf(service, 'notifications')).toMatchObject([
    { count: 1, site: 'Hauptgebäude', source: 'API: Buchungssystem', created_at: clock.now() },
  ]);
});

test("a voucher's code and name are never part of a notification", async () => {
  const { body } = await create();
  const { code, formatted_code } = body as { code: string; formatted_code: string };
  const text = JSON.stringify(await rowsOf(service, 'notifications'));
  for (const secret of [code, formatted_code, 'Berger', key]) expect(text).not.toContain(secret);
});

test('every voucher has a notification of its own', async () => {
  await Promise.all(Array.from({ length: 5 }, () => create()));
  const ids = (await rowsOf(service, 'notifications')).map(({ id }) => id);
  expect(new Set(ids).size).toBe(5);
});

test('a replay notifies nobody again', async () => {
  const headers = { 'Idempotency-Key': 'once' };
  await create({ headers });
  expect((await create({ headers })).headers['idempotency-replayed']).toBe('true');
  expect(await rowsOf(service, 'notifications')).toHaveLength(1);
});

test('no other events are emitted by the API', async () => {
  const refusing = await service.addSite({ fault: 'refuse' });
  const empty = await service.addSite({ fault: 'no-voucher' });
  const answers = [
    await service.get('/sites.php', { key }),
    await service.get(`/vouchers.php?site_id=${siteId}`, { key }),
    await service.post('/vouchers.php', {}, { key }),
    await create({ site_id: 999 }),
    await create({ site_id: refusing }),
    await create({ site_id: empty }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 404, 500, 502]);
  expect(await rowsOf(service, 'notifications')).toEqual([]);
});
