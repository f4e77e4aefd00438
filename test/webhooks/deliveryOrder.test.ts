import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { behaviours, respondThrottled, respondWith } from '../../simulators/webhookTarget.js';
import { makeTestDeliveryHarness, type TestDeliveryHarness } from '../support/deliveryHarness.js';
import { until } from '../support/until.js';

let stage: TestDeliveryHarness;
beforeEach(async () => {
  stage = await makeTestDeliveryHarness();
});
afterEach(() => stage.remove());

const states = async (webhookId: number): Promise<string[]> =>
  (await stage.deliveries(webhookId)).map(({ state }) => state);

test('each webhook gets all notifications, in the order in which they happened', async () => {
  const targets = [await stage.target(), await stage.target()];
  for (const { url } of targets) await stage.addWebhook('generic', url);
  const ids = await stage.notify(30);
  await stage.pass();
  for (const target of targets) {
    expect(stage.sentTo(target)).toEqual(ids);
    expect(target.requests.map(({ headers }) => headers['webhook-id'])).toEqual(ids.map((id) => `msg_${id}`));
  }
});

test('a webhook gets one message at a time', async () => {
  const target = await stage.target();
  await stage.addWebhook('generic', target.url);
  await stage.notify(20);
  await stage.pass();
  expect(target.requests).toHaveLength(20);
  expect(target.connections().ever).toBe(1);
});

test('a target that is down holds up its own queue, and no other', async () => {
  const [down, up] = [await stage.target({ otherwise: behaviours.unavailable }), await stage.target()];
  const held = await stage.addWebhook('generic', down.url);
  await stage.addWebhook('generic', up.url);
  const ids = await stage.notify(3);
  await stage.pass();
  stage.clock.advance(4999);
  const later = await stage.notify(2);
  await stage.pass();
  expect(stage.sentTo(down)).toEqual([ids[0]]);
  expect(stage.sentTo(up)).toEqual([...ids, ...later]);

  down.behave(Array.from({ length: 5 }, () => behaviours.ok));
  stage.clock.advance(1);
  await stage.pass();
  expect(stage.sentTo(down)).toEqual([ids[0], ...ids, ...later]);
  expect(new Set(await states(held))).toEqual(new Set(['delivered']));
});

test('a failure of one message alone does not hold up the rest', async () => {
  const target = await stage.target();
  target.behave(respondWith(422, 'no'));
  await stage.addWebhook('generic', target.url);
  const ids = await stage.notify(3);
  await stage.pass();
  stage.clock.advance(5000);
  await stage.pass();
  expect(stage.sentTo(target)).toEqual([...ids, ids[0]]);
});

test('while a target is throttled nothing is sent to it, not even what waits for a try of its own', async () => {
  const target = await stage.target();
  target.behave([respondWith(422, 'no'), behaviours.ok, respondThrottled(60)]);
  await stage.addWebhook('generic', target.url);
  const [first, second, third, fourth] = await stage.notify(4);
  await stage.pass();
  for (const ms of [5000, 54_999]) {
    stage.clock.advance(ms);
    await stage.pass();
  }
  expect(stage.sentTo(target)).toEqual([first, second, third]);
  stage.clock.advance(1);
  await stage.pass();
  expect(stage.sentTo(target)).toEqual([first, second, third, first, third, fourth]);
});

test('a permanent failure does not hold up the rest', async () => {
  const target = await stage.target();
  target.behave(respondWith(400, 'invalid_payload'));
  const webhookId = await stage.addWebhook('slack', target.url);
  await stage.notify(2);
  await stage.pass();
  expect(await stage.deliveries(webhookId)).toMatchObject([
    {
      state: 'failed',
      tries: 1,
      reason: { code: 'answered-code', values: { status: 400, code: 'invalid_payload' } },
    },
    { state: 'delivered', tries: 1, reason: null },
  ]);
});

test('a webhook that hangs delays no other, not even at the next pass', async () => {
  const [hanging, other] = [await stage.target({ otherwise: behaviours.hang }), await stage.target()];
  const stuck = await stage.addWebhook('generic', hanging.url);
  const free = await stage.addWebhook('generic', other.url);
  await stage.notify(2);
  await stage.delivering.runPass();
  await until('the hanging target has its first', () => hanging.requests.length === 1);
  await until('the other has both', async () => !(await states(free)).includes('waiting'));
  await stage.notify();
  await stage.delivering.runPass();
  await until('the other has the third', async () => !(await states(free)).includes('waiting'));
  expect(await states(free)).toHaveLength(3);
  expect(await states(stuck)).toEqual(['waiting', 'waiting', 'waiting']);
  expect(hanging.requests).toHaveLength(1);
});

test('of one host, four webhooks are served at a time', async () => {
  const hanging = await stage.target({ otherwise: behaviours.hang });
  for (let count = 0; count < 6; count++) await stage.addWebhook('slack', `${hanging.url}/${String(count)}`);
  await stage.notify();
  await stage.delivering.runPass();
  await stage.delivering.runPass();
  await until('four are being served', () => hanging.requests.length === 4);
  const elsewhere = await stage.target();
  await stage.addWebhook('slack', elsewhere.url);
  await stage.notify();
  await stage.delivering.runPass();
  await until('another host is served', () => elsewhere.requests.length === 1);
  expect(hanging.requests).toHaveLength(4);
});

test.each([
  ['a minute', 60_000],
  ['a year', 365 * 24 * 3_600_000],
])('a clock that is set back by %s keeps nothing back that waits for its first try', async (_, ms) => {
  const target = await stage.target();
  await stage.addWebhook('generic', target.url);
  await stage.notify(2);
  await stage.tables.deliveries.dispatch(stage.clock.now());
  stage.clock.advance(-ms);
  await stage.pass();
  expect(target.requests).toHaveLength(2);
});

test('a clock that is set back by hours keeps no new delivery behind one that waits for its next attempt', async () => {
  const target = await stage.target();
  target.behave(behaviours.unavailable);
  await stage.addWebhook('generic', target.url);
  const [first] = await stage.notify();
  await stage.pass();
  stage.clock.advance(-4 * 3_600_000);
  const [later] = await stage.notify();
  await stage.pass();
  expect(stage.sentTo(target)).toEqual([first, first, later]);
});

test('a clock that is a little behind that of another process shortens no delay', async () => {
  const target = await stage.target({ otherwise: behaviours.unavailable });
  await stage.addWebhook('generic', target.url);
  await stage.notify();
  await stage.pass();
  stage.clock.advance(-30_000);
  await stage.pass();
  expect(target.requests).toHaveLength(1);
});

test('a clock that is set back by days keeps no queue waiting that a target has held up', async () => {
  const target = await stage.target();
  target.behave(behaviours.unavailable);
  await stage.addWebhook('generic', target.url);
  const ids = await stage.notify(2);
  await stage.pass();
  stage.clock.advance(-3 * 24 * 3_600_000);
  await stage.pass();
  expect(stage.sentTo(target)).toEqual([ids[0], ...ids]);
});
