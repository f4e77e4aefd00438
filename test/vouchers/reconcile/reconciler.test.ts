import { mkdir } from 'node:fs/promises';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { simulatedFile } from '../../../src/controllers/simulated/simulated.js';
import { withApi } from '../../support/api.js';
import { makeClock } from '../../support/clock.js';
import { makeLostOrders, type LostOrders } from '../../support/lostOrders.js';
import { controllerOf } from '../../support/serviceInternals.js';
import { atController } from '../consoleFixtures.js';

const deadlineMs = 1000;
const graceMs = 60_000;
const minuteMs = 60_000;

const clock = makeClock();
const api = withApi({
  system: clock,
  env: { CONTROLLER_DEADLINE_S: '1', RECONCILE_GRACE_S: '60' },
  perTest: 'site',
});
let lost: LostOrders;
beforeAll(async () => {
  lost = makeLostOrders(api, clock);
});
afterEach(async () => {
  for (const table of ['intents', 'notifications', 'leases']) await api.database.write(table).delete();
});

const reconcile = () => api.app.reconcile();
const codes = async (site = api.siteId) =>
  (await api.tables.vouchers.newest(site, 200)).map(({ code }) => code);
const intentIds = async () => (await api.tables.intents.all()).map(({ id }) => id);
const announced = async () => api.database.read('notifications').select('count', 'site', 'source');
/** Another site on the same controller. */
const addNeighbour = async (name: string, controllerSite: string | null = null) =>
  api.tables.sites.add(
    { name, active: true, controllerId: await controllerOf(api, api.siteId), controllerSite },
    clock.now(),
  );

test('a voucher that is found is recorded as the order would have recorded it', async () => {
  const intent = await lost.intent(api.siteId, { maxUses: 3, expireMinutes: 60, actorName: 'Rezeption' });
  const code = await lost.voucher(api.siteId, intent);
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(0);
  expect(await api.tables.vouchers.newest(api.siteId, 200)).toEqual([
    {
      code,
      name: intent.name,
      maxUses: 3,
      expireMinutes: 60,
      status: 'valid',
      usedCount: 0,
      createdAt: intent.createdAt,
      expiresAt: null,
    },
  ]);
  expect(await announced()).toEqual([{ count: 1, site: 'Hauptgebäude', source: 'API: Rezeption' }]);
});

test('an intent younger than the deadline is not touched', async () => {
  const intent = await lost.intent(api.siteId);
  await lost.voucher(api.siteId, intent);
  clock.advance(deadlineMs);
  expect(await reconcile()).toBe(1);
  expect(await codes()).toEqual([]);
});

test('an intent whose voucher was missing for the grace period is removed', async () => {
  const intent = await lost.intent(api.siteId);
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(1);
  clock.advance(graceMs - 1);
  expect(await reconcile()).toBe(1);
  expect(await intentIds()).toEqual([intent.id]);
  clock.advance(1);
  expect(await reconcile()).toBe(0);
  expect(await intentIds()).toEqual([]);
  expect(await announced()).toEqual([]);
});

test('a voucher may be found late, when the controller could not be asked for long', async () => {
  const code = await lost.voucher(api.siteId, await lost.intent(api.siteId));
  clock.advance(60 * minuteMs);
  expect(await reconcile()).toBe(0);
  expect(await codes()).toEqual([code]);
});

test('a voucher that was created after the order ended is not adopted, even if it matches', async () => {
  const intent = await lost.intent(api.siteId);
  clock.advance(deadlineMs + 3001);
  await lost.voucher(api.siteId, intent);
  expect(await reconcile()).toBe(1);
  clock.advance(graceMs);
  expect(await reconcile()).toBe(0);
  expect(await codes()).toEqual([]);
});

test('a voucher that is recorded for another controller of the same console is not given to an intent', async () => {
  const first = await lost.intent(api.siteId);
  const code = await lost.voucher(api.siteId, first);
  clock.advance(deadlineMs + 1);
  await reconcile();
  const twin = await api.addSite({ name: 'Zweimal eingetragen' });
  const intent = await lost.intent(twin);
  await lost.voucher(twin, intent);
  await atController(api, twin, (vouchers) => vouchers().update({ code }));
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(1);
  expect(await intentIds()).toEqual([intent.id]);
});

test('matching intents at two names of one controller site are not settled while one of them is in flight', async () => {
  const { tables } = api.app;
  const controllerId = await controllerOf(api, api.siteId);
  const alias = await tables.sites.add(
    { name: 'Derselbe Ort', active: true, controllerId, controllerSite: 'default' },
    clock.now(),
  );
  const old = await lost.intent(api.siteId);
  const code = await lost.voucher(api.siteId, old);
  clock.advance(deadlineMs + 1);
  await lost.intent(alias);
  expect(await reconcile()).toBe(2);
  expect(await codes()).toEqual([]);
  clock.advance(deadlineMs + 1);
  await reconcile();
  expect(await codes()).toEqual([code]);
});

test.each([
  ['name', { name: '2026-11-14_Familie Huber' }],
  ['number of uses', { maxUses: 2 }],
  ['validity', { expireMinutes: 481 }],
])('a voucher with another %s is not the one of the intent', async (_, other) => {
  const intent = await lost.intent(api.siteId);
  await lost.voucher(api.siteId, { ...intent, ...other });
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(1);
  expect(await codes()).toEqual([]);
});

test('a voucher that was created before the order is not adopted', async () => {
  const earlier = { name: '2026-11-14_Familie Berger', maxUses: 1, expireMinutes: 480 };
  await lost.voucher(api.siteId, earlier);
  clock.advance(10 * minuteMs);
  await lost.intent(api.siteId, earlier);
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(1);
  expect(await codes()).toEqual([]);
});

test('a voucher that is recorded already is not given to another intent', async () => {
  const first = await lost.intent(api.siteId);
  await lost.voucher(api.siteId, first);
  clock.advance(deadlineMs + 1);
  await reconcile();
  const second = await lost.intent(api.siteId);
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(1);
  expect(await intentIds()).toEqual([second.id]);
  expect(await codes()).toHaveLength(1);
  clock.advance(graceMs);
  expect(await reconcile()).toBe(0);
  expect(await codes()).toHaveLength(1);
});

test('matching intents are not settled while one of them is in flight', async () => {
  const old = await lost.intent(api.siteId);
  const code = await lost.voucher(api.siteId, old);
  clock.advance(deadlineMs + 1);
  const young = await lost.intent(api.siteId);
  expect(await reconcile()).toBe(2);
  expect(await codes()).toEqual([]);
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(1);
  expect(await codes()).toEqual([code]);
  expect(await intentIds()).toEqual([young.id]);
});

test('matching intents get one voucher each', async () => {
  const intents = [
    await lost.intent(api.siteId),
    await lost.intent(api.siteId),
    await lost.intent(api.siteId),
  ];
  const made = [await lost.voucher(api.siteId, intents[0]!), await lost.voucher(api.siteId, intents[1]!)];
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(1);
  expect((await codes()).sort()).toEqual(made.sort());
  expect(await announced()).toHaveLength(2);
});

test('nothing is recorded or announced twice, however often and at once it is reconciled', async () => {
  const intents = await Promise.all(Array.from({ length: 5 }, () => lost.intent(api.siteId)));
  for (const intent of intents) await lost.voucher(api.siteId, intent);
  clock.advance(deadlineMs + 1);
  await Promise.all([reconcile(), reconcile(), reconcile()]);
  expect(await reconcile()).toBe(0);
  expect(new Set(await codes()).size).toBe(5);
  expect(await codes()).toHaveLength(5);
  expect(await announced()).toHaveLength(5);
});

test('each of two sites of one controller gets the voucher that was ordered for it', async () => {
  const neighbour = await addNeighbour('Nebengebäude');
  const here = await lost.intent(api.siteId, { name: '2026-11-14_hier' });
  const there = await lost.intent(neighbour, { name: '2026-11-14_dort' });
  const made = [await lost.voucher(neighbour, there), await lost.voucher(api.siteId, here)];
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(0);
  expect([await codes(neighbour), await codes(api.siteId)]).toEqual(made.map((code) => [code]));
});

test('each of two sites of one controller with matching orders gets one voucher', async () => {
  const neighbour = await addNeighbour('Nebengebäude');
  const made = [
    await lost.voucher(api.siteId, await lost.intent(api.siteId)),
    await lost.voucher(neighbour, await lost.intent(neighbour)),
  ];
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(0);
  expect([await codes(api.siteId), await codes(neighbour)].map((list) => list.length)).toEqual([1, 1]);
  expect([...(await codes(api.siteId)), ...(await codes(neighbour))].sort()).toEqual(made.sort());
});

test('a voucher of another site of the controller is not adopted', async () => {
  const neighbour = await addNeighbour('Nebengebäude', 'north');
  const intent = await lost.intent(api.siteId);
  await lost.voucher(neighbour, intent);
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(1);
});

test('a site that no longer receives vouchers keeps the one that was made for it', async () => {
  const code = await lost.voucher(api.siteId, await lost.intent(api.siteId));
  await api.tables.sites.change(api.siteId, { active: false });
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(0);
  expect(await codes()).toEqual([code]);
});

test('a controller that cannot be reached keeps its intents, and does not delay those of others', async () => {
  const broken = await api.addSite({ name: 'Baustelle' });
  await mkdir(simulatedFile(api.dataDir, await controllerOf(api, broken)));
  const open = await lost.intent(broken);
  const code = await lost.voucher(api.siteId, await lost.intent(api.siteId));
  clock.advance(deadlineMs + graceMs + 1);
  expect(await reconcile()).toBe(1);
  expect(await intentIds()).toEqual([open.id]);
  expect(await codes()).toEqual([code]);
});

test('a reconciliation is done by one process at a time; if that process dies, another takes over', async () => {
  const code = await lost.voucher(api.siteId, await lost.intent(api.siteId));
  clock.advance(deadlineMs + 1);
  await api.tables.leases.acquire(
    [`reconcile:${await controllerOf(api, api.siteId)}`],
    'another process',
    30_000,
  );
  expect(await reconcile()).toBe(1);
  clock.advance(30_001);
  expect(await reconcile()).toBe(0);
  expect(await codes()).toEqual([code]);
});
