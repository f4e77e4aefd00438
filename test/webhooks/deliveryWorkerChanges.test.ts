import { expect, test } from '@jest/globals';
import { behaviours, respondThrottled, type Behaviour } from '../../simulators/webhookTarget.js';
import { makeTestDeliveryHarness } from '../support/deliveryHarness.js';
import { until } from '../support/until.js';
import { answered } from '../support/deliveryReasons.js';
import { forEachTest } from '../support/fixture.js';

const slowly: Behaviour = { does: 'answer', status: 200, body: 'ok', afterMs: 20 };
const stage = forEachTest(makeTestDeliveryHarness, 'remove');

test('a webhook that was added later gets no old notifications', async () => {
  await stage.notify(2);
  await stage.pass();
  const target = await stage.target();
  await stage.addWebhook('generic', target.url);
  await stage.pass();
  expect(target.requests).toEqual([]);
  const [fresh] = await stage.notify();
  await stage.pass();
  expect(stage.sentTo(target)).toEqual([fresh]);
});

test('a webhook that is switched off gets nothing; switched on again, it gets what had waited, but not what came meanwhile', async () => {
  const target = await stage.target();
  target.behave(behaviours.unavailable);
  const webhookId = await stage.addWebhook('generic', target.url);
  const waiting = await stage.notify(2);
  await stage.pass();
  await stage.tables.webhooks.change(webhookId, { active: false, reason: null });
  stage.clock.advance(60_000);
  await stage.notify(2);
  await stage.pass();
  expect(target.requests).toHaveLength(1);

  await stage.tables.webhooks.change(webhookId, { active: true, reason: null });
  const [fresh] = await stage.notify();
  await stage.pass();
  expect(stage.sentTo(target)).toEqual([waiting[0], ...waiting, fresh]);
});

test('a webhook that is switched off while its queue is being sent gets nothing more', async () => {
  const target = await stage.target({ otherwise: slowly });
  const webhookId = await stage.addWebhook('generic', target.url);
  await stage.notify(15);
  await stage.delivering.runPass();
  await until('some are sent', () => target.requests.length >= 2);
  await stage.tables.webhooks.change(webhookId, { active: false, reason: null });
  const atMost = target.requests.length + 1;
  await stage.delivering.idle();
  expect(target.requests.length).toBeLessThanOrEqual(atMost);
  const delivered = (await stage.deliveries(webhookId)).filter(({ state }) => state === 'delivered');
  expect(delivered).toHaveLength(target.requests.length);
});

test('a webhook that is removed while its queue is being sent gets nothing more', async () => {
  const target = await stage.target({ otherwise: slowly });
  const webhookId = await stage.addWebhook('generic', target.url);
  await stage.notify(15);
  await stage.delivering.runPass();
  await until('some are sent', () => target.requests.length >= 2);
  await stage.tables.webhooks.remove(webhookId);
  const atMost = target.requests.length + 1;
  await stage.delivering.idle();
  expect(target.requests.length).toBeLessThanOrEqual(atMost);
});

test('410 switches a generic webhook off, with the reason, and what waits is kept', async () => {
  const target = await stage.target({ otherwise: behaviours.gone });
  const webhookId = await stage.addWebhook('generic', target.url);
  await stage.notify(2);
  await stage.pass();
  stage.clock.advance(24 * 60 * 60 * 1000);
  await stage.pass();
  expect(target.requests).toHaveLength(1);
  expect(await stage.tables.webhooks.all()).toMatchObject([{ active: false, reason: answered(410) }]);
  expect(await stage.deliveries(webhookId)).toMatchObject([
    { state: 'failed', reason: answered(410) },
    { state: 'waiting', tries: 0 },
  ]);
});

test('a delivery that is sent again, failed or delivered, has the same webhook-id and all its tries', async () => {
  const target = await stage.target({ otherwise: behaviours.unavailable });
  const webhookId = await stage.addWebhook('generic', target.url);
  const [id] = await stage.notify();
  for (let passes = 0; passes < 20; passes++) {
    await stage.pass();
    stage.clock.advance(24 * 60 * 60 * 1000);
  }
  const [failed] = await stage.deliveries(webhookId);
  expect(failed).toMatchObject({
    state: 'failed',
    reason: { code: 'answered-code', values: { status: 503, code: 'unavailable' } },
  });
  const before = target.requests.length;

  target.behave([respondThrottled(30), behaviours.ok, behaviours.ok]);
  for (const again of ['failed', 'delivered']) {
    expect((await stage.deliveries(webhookId))[0]?.state).toBe(again);
    await stage.tables.deliveries.resend(failed!.id, stage.clock.now());
    await stage.pass();
    stage.clock.advance(30_000);
    await stage.pass();
    expect((await stage.deliveries(webhookId))[0]).toMatchObject({ state: 'delivered', reason: null });
  }
  expect(target.requests).toHaveLength(before + 3);
  expect(new Set(target.requests.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([`msg_${String(id)}`]),
  );
});

test('stopping aborts what hangs, and does not count it as an attempt', async () => {
  const target = await stage.target({ otherwise: behaviours.hang });
  const webhookId = await stage.addWebhook('generic', target.url);
  await stage.notify(2);
  await stage.delivering.runPass();
  await until('it is being sent', () => stage.sent.length === 1);
  await stage.delivering.stop();
  expect(await stage.deliveries(webhookId)).toMatchObject([
    { state: 'waiting', tries: 0, reason: null },
    { state: 'waiting', tries: 0 },
  ]);
});

test('switching a webhook on lets what waits go at once', async () => {
  const target = await stage.target();
  target.behave([behaviours.ok].map(() => ({ ...behaviours.ok, status: 503 })));
  const webhookId = await stage.addWebhook('generic', target.url);
  await stage.notify(2);
  await stage.delivering.runPass();
  await stage.delivering.idle();
  expect(target.requests).toHaveLength(1);
  await stage.tables.webhooks.change(webhookId, { active: true, reason: null });
  await stage.delivering.runPass();
  await stage.delivering.idle();
  expect((await stage.deliveries(webhookId)).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
});

test('any number of webhooks of one host get theirs', async () => {
  const target = await stage.target();
  const webhookIds: number[] = [];
  for (let webhook = 0; webhook < 7; webhook += 1)
    webhookIds.push(await stage.addWebhook('slack', target.url));
  await stage.notify(25);
  await stage.delivering.runPass();
  await stage.delivering.idle();
  for (const webhookId of webhookIds) {
    const states = (await stage.deliveries(webhookId)).map(({ state }) => state);
    expect(states).toEqual(Array.from({ length: 25 }, () => 'delivered'));
  }
});

test('once it is stopping, nothing new is sent', async () => {
  let stopped: Promise<void> | undefined;
  // Before the first is answered, however late that is noticed elsewhere.
  const target = await stage.target({ onRequest: () => void (stopped ??= stage.delivering.stop()) });
  const webhookId = await stage.addWebhook('generic', target.url);
  await stage.notify(3);
  await stage.delivering.runPass();
  await until('the first is being sent', () => stopped !== undefined);
  await stage.delivering.runPass();
  await stopped;
  expect((await stage.deliveries(webhookId)).map(({ state }) => state)).toEqual([
    'delivered',
    'waiting',
    'waiting',
  ]);
  expect(target.requests).toHaveLength(1);
});

test('every outcome is logged, without address and secret', async () => {
  const target = await stage.target();
  target.behave([behaviours.unavailable, behaviours.ok, behaviours.gone]);
  await stage.addWebhook('generic', `${target.url}/secret-path-of-hook`, 'Buchhaltung');
  await stage.notify(2);
  await stage.pass();
  stage.clock.advance(5000);
  await stage.pass();
  const lines = stage.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const outcomes = lines.flatMap(({ outcome, tries, webhook }) =>
    outcome ? [[webhook, outcome, tries]] : [],
  );
  expect(outcomes).toEqual([
    ['Buchhaltung', 'postponed', 1],
    ['Buchhaltung', 'sent', 2],
    ['Buchhaltung', 'failed', 1],
  ]);
  expect(lines.filter(({ level }) => level === 40)).toMatchObject([
    { webhook: 'Buchhaltung', reason: 'answered 410' },
  ]);
  // What failed for good needs somebody.
  expect(lines.filter(({ level }) => level === 50)).toMatchObject([
    {
      webhook: 'Buchhaltung',
      outcome: 'failed',
      reason: 'answered 410',
      msg: expect.stringContaining('for good'),
    },
  ]);
  expect(stage.lines.join('')).not.toMatch(/secret-path|whsec_/);
});
