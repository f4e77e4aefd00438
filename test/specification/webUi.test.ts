import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { makeClock } from '../support/clock.js';
import { controllerVouchers, rowsOf } from '../support/serviceInternals.js';
import { makeBrowser, signInNew } from '../support/web.js';

/** What the specification says of the web UI and of controllers that lack a limit. */
const clock = makeClock();
const api = withApi({ admin: true, system: { now: clock.now } });

const keyOf = ({ body }: { body: unknown }): string => (body as { secret: string }).secret;

test('an administrator creates keys, and nobody else can [key-by-administrator]', async () => {
  const siteIds = [api.siteId];
  const viewer = await signInNew(api, api.admin, { name: 'Vera', role: 'viewer', siteIds });
  const staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds });
  const statuses: number[] = [];
  for (const browser of [makeBrowser(api), viewer, staff, api.admin])
    statuses.push((await browser.post('/keys', { name: 'x', scope: 'read' })).status);
  expect(statuses).toEqual([401, 403, 403, 201]);
  for (const key of [undefined, api.key]) {
    const { status } = await api.post('/web/keys', { name: 'x', scope: 'read' }, key ? { key } : {});
    expect(status).not.toBe(201);
  }
});

test('scope and limit of a key are chosen when it is created [key-scope-and-limit-chosen]', async () => {
  const create = async (scope: string, rateLimit: number) =>
    keyOf(await api.admin.post('/keys', { name: 'Kasse', scope, rateLimit }));
  const [reading, writing] = [await create('read', 7), await create('write', 9)];
  const answers = [
    await api.createVoucher({}, { key: reading }),
    await api.createVoucher({}, { key: writing }),
  ];
  expect(answers.map(({ status, headers }) => [status, headers['ratelimit-limit']])).toEqual([
    [403, '7'],
    [201, '9'],
  ]);
  expect((await api.admin.post('/keys', { name: 'x', scope: 'admin' })).status).toBe(400);
});

test('a limit is a whole number from 0 to 1,000,000 [limit-range]', async () => {
  const limits = [0, 1, 1_000_000, -1, 1.5, 1_000_001, '60'];
  const statuses = [];
  for (const rateLimit of limits)
    statuses.push((await api.admin.post('/keys', { name: 'x', scope: 'read', rateLimit })).status);
  expect(statuses).toEqual([201, 201, 201, 400, 400, 400, 400]);
});

test('an order without a name is stored as the date and the underscore [desk-name-empty]', async () => {
  const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
  const siteId = await api.addSite();
  for (const name of ['', ' '])
    expect(await api.admin.put(`/orders/${randomUUID()}`, { siteId, name, count: 1, limits })).toMatchObject({
      status: 200,
      body: { made: 1 },
    });
  const stored = `${new Date(clock.now()).toLocaleDateString('sv')}_`;
  const names = async (rows: Promise<Record<string, unknown>[]>) =>
    (await rows).filter((row) => row['site_id'] === siteId || !('site_id' in row)).map(({ name }) => name);
  expect(await names(rowsOf(api, 'vouchers'))).toEqual([stored, stored]);
  expect(await names(controllerVouchers(api, siteId))).toEqual([stored, stored]);
});

test('a limit that the controller can not keep is 500, names it, and creates nothing [createVoucher-limit-not-kept]', async () => {
  const siteId = await api.addSite({ name: 'Anbau', knobs: { lacks: ['rates', 'volume'] } });
  const answers = [];
  for (const qos of [{ down: 5 }, { up: 5 }, { quota_mb: 5 }])
    answers.push(await api.createVoucher({ site_id: siteId, qos }));
  expect(answers).toMatchObject(
    ['qos.down', 'qos.up', 'qos.quota_mb'].map((field) => ({
      status: 500,
      body: { error: 'server_error', message: expect.stringContaining(field) },
    })),
  );
  expect(await rowsOf(api, 'intents')).toEqual([]);
  expect((await api.createVoucher({ site_id: siteId, qos: { down: 0 } })).status).toBe(201);
  expect(await controllerVouchers(api, siteId)).toHaveLength(1);
});

test('the web UI learns which limits the controller of a site can not keep [desk-limit-not-kept]', async () => {
  const siteId = await api.addSite({ name: 'Garten', knobs: { lacks: ['rates'] } });
  const { sites } = (await api.admin.get('/desk')).body as { sites: { id: number; limitRanges: unknown }[] };
  const rangesAt = (id: number) => sites.find((site) => site.id === id)?.limitRanges;
  expect(rangesAt(api.siteId)).toBeNull();
  expect(rangesAt(siteId)).toMatchObject({ down: null, up: null, quotaMb: expect.anything() });
});
