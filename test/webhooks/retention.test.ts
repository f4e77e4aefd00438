import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { behaviours } from '../../simulators/webhookTarget.js';
import { makeTestDeliveryHarness, type TestDeliveryHarness } from '../support/deliveryHarness.js';

const day = 24 * 60 * 60 * 1000;
let stage: TestDeliveryHarness;
let webhookId: number;
const ids: string[] = [];

/** One that was delivered, one that failed, one in between, and one nobody was to be told. */
beforeAll(async () => {
  stage = await makeTestDeliveryHarness();
  ids.push(...(await stage.notify()));
  await stage.pass();
  const target = await stage.target();
  target.behave([behaviours.ok, behaviours.gone]);
  webhookId = await stage.addWebhook('slack', target.url);
  ids.push(...(await stage.notify(2)));
  await stage.pass();
});
afterAll(() => stage.remove());

/** Returns how many deliveries were removed. */
const clean = async () => {
  const now = stage.clock.now();
  const [deliveredBefore, failedBefore] = [now - 30 * day, now - 90 * day];
  const before = (await kept()).length;
  await stage.tables.deliveries.removeBefore({
    ...{ deliveredBefore, failedBefore, abandonedBefore: failedBefore },
  });
  return before - (await kept()).length;
};
const kept = async () => (await stage.deliveries(webhookId)).map(({ state }) => state);
const notifications = async () => new Set(await stage.database.read('notifications').pluck<string[]>('id'));

test('delivered and failed deliveries are kept for 30 days', async () => {
  // The first notification was created a millisecond before the others were settled.
  stage.clock.advance(30 * day - 1);
  expect(await clean()).toBe(0);
  expect(await kept()).toEqual(['delivered', 'failed']);
  expect(await notifications()).toEqual(new Set(ids));
});

test('after 30 days delivered ones are removed, with notifications that nobody needs any more', async () => {
  stage.clock.advance(2);
  expect(await clean()).toBe(1);
  expect(await kept()).toEqual(['failed']);
  expect(await notifications()).toEqual(new Set([ids[2]]));
});

test('after 90 days failed ones are removed as well', async () => {
  stage.clock.advance(60 * day - 1);
  expect(await clean()).toBe(0);
  stage.clock.advance(1);
  expect(await clean()).toBe(1);
  expect(await kept()).toEqual([]);
  expect(await notifications()).toEqual(new Set());
});

test('what waits is kept, unless its webhook has been switched off for 90 days', async () => {
  await stage.notify();
  await stage.delivering.runPass();
  await stage.delivering.idle();
  await stage.tables.deliveries.resend((await stage.deliveries(webhookId))[0]!.id, stage.clock.now());
  await stage.tables.webhooks.change(webhookId, { active: false, reason: null });
  stage.clock.advance(90 * day);
  expect(await clean()).toBe(0);
  expect(await kept()).toEqual(['waiting']);
  stage.clock.advance(1);
  expect(await clean()).toBe(1);
});

test('what is in the outbox is kept', async () => {
  await stage.tables.webhooks.change(webhookId, { active: true, reason: null });
  const [id] = await stage.notify();
  stage.clock.advance(365 * day);
  expect(await clean()).toBe(0);
  expect(await notifications()).toContain(id);
});
