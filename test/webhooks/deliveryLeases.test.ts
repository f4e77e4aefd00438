import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { behaviours } from '../../simulators/webhookTarget.js';
import { holdDatabaseClock, type TestDatabaseClock } from '../support/databaseClock.js';
import { makePostgresDatabase, type TestDatabase } from '../support/databases.js';
import { makeTestDeliveryHarness, type TestDeliveryHarness } from '../support/deliveryHarness.js';
import { until } from '../support/until.js';

let own: TestDatabase;
let clock: TestDatabaseClock;
let one: TestDeliveryHarness;
let two: TestDeliveryHarness;
beforeEach(async () => {
  own = await makePostgresDatabase();
  clock = await holdDatabaseClock(own.url);
  one = await makeTestDeliveryHarness({ databaseUrl: own.url, clock });
  two = await makeTestDeliveryHarness({ databaseUrl: own.url, clock });
});
afterEach(async () => {
  await Promise.all([one.remove(), two.remove()]);
  await own.drop();
});

const waiting = async (webhookId: number): Promise<number> =>
  (await one.deliveries(webhookId)).filter(({ state }) => state === 'waiting').length;

test('two processes on one PostgreSQL deliver each notification once, in order', async () => {
  const targets = [await one.target(), await one.target(), await one.target()];
  const webhookIds: number[] = [];
  for (const { url } of targets) webhookIds.push(await one.addWebhook('generic', url));
  const ids: string[] = [];
  for (let round = 0; round < 5; round++) {
    await clock.advance(1000);
    ids.push(...(await (round % 2 ? one : two).notify(8)));
    await Promise.all([one.delivering.runPass(), two.delivering.runPass(), one.delivering.runPass()]);
  }
  const counts = async () => Promise.all(webhookIds.map(waiting));
  await until('all are delivered', async () => {
    await Promise.all([one.pass(), two.pass()]);
    return (await counts()).every((count) => count === 0);
  });
  for (const { requests } of targets) {
    expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual(ids.map((id) => `msg_${id}`));
  }
  expect([...one.lines, ...two.lines].filter((line) => line.includes('interrupted'))).toEqual([]);
});

test('while one process sends to a webhook, another one does not', async () => {
  const target = await one.target({ otherwise: behaviours.hang });
  await one.addWebhook('generic', target.url);
  await one.notify(2);
  await one.delivering.runPass();
  await until('it is being sent', () => target.requests.length === 1);
  await two.pass();
  await clock.advance(19_999);
  await two.pass();
  expect(two.sent).toEqual([]);
});

test('while one process sends to a webhook, another one does not whose clock is half a minute ahead', async () => {
  const ahead = await makeTestDeliveryHarness({ databaseUrl: own.url, now: () => clock.now() + 30_000 });
  const target = await one.target({ otherwise: behaviours.hang });
  await one.addWebhook('generic', target.url);
  await one.notify(2);
  await one.delivering.runPass();
  await until('it is being sent', () => target.requests.length === 1);
  await ahead.pass();
  expect(ahead.sent).toEqual([]);
  await ahead.remove();
});

test('when the process that sends is gone, another takes over once the lease has ended', async () => {
  const target = await one.target({ otherwise: behaviours.ok });
  target.behave(behaviours.hang);
  const webhookId = await one.addWebhook('generic', target.url);
  const ids = await one.notify(2);
  await one.delivering.runPass();
  await until('it is being sent', () => target.requests.length === 1);
  await clock.advance(20_001);
  await two.pass();
  expect(two.sentTo(target)).toEqual(ids);
  expect(await waiting(webhookId)).toBe(0);
  expect(new Set(target.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
});

test('an outcome that comes after the lease has ended changes nothing that is delivered', async () => {
  const target = await one.target();
  target.behave(behaviours.hang);
  const webhookId = await one.addWebhook('generic', target.url);
  await one.notify(3);
  await one.delivering.runPass();
  await until('it is being sent', () => target.requests.length === 1);
  await clock.advance(20_001);
  await two.pass();
  const delivered = await one.deliveries(webhookId);
  expect(delivered.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);

  await target.stop();
  await one.delivering.idle();
  expect(one.lines.join('')).toContain('connection reset');
  expect(await one.deliveries(webhookId)).toEqual(delivered);
  expect(one.sent).toHaveLength(1);
});

test('the lease is released when nothing is left to send', async () => {
  const target = await one.target();
  await one.addWebhook('generic', target.url);
  for (const stage of [one, two, one]) {
    const [id] = await stage.notify();
    await stage.pass();
    expect(stage.sent.at(-1)?.notification).toBe(id);
  }
  expect(await one.database.read('leases').where('name', 'like', 'deliver:%')).toEqual([]);
});

test('a pass that has nothing to send acquires no lease', async () => {
  const target = await one.target({ otherwise: behaviours.unavailable });
  const webhookId = await one.addWebhook('generic', target.url);
  await one.notify();
  await one.pass();
  const lease = `deliver:${String(webhookId)}`;
  expect(await one.tables.leases.acquire([lease], 'somebody', 1000)).toEqual(new Set([lease]));
  await two.pass();
  await one.pass();
  expect(await one.database.read('leases').pluck('owner')).toEqual(['somebody']);
});
