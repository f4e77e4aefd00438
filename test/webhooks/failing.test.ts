import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { behaviours, type WebhookTarget } from '../../simulators/webhookTarget.js';
import { listAttention } from '../../src/diagnostics/attention.js';
import { checkWebhooks } from '../../src/diagnostics/recordChecks.js';
import { wordIn } from '../../src/i18n/messages.js';
import { makeTestDeliveryHarness, type TestDeliveryHarness } from '../support/deliveryHarness.js';

let stage: TestDeliveryHarness;
let id: number;
let target: WebhookTarget;
beforeEach(async () => {
  stage = await makeTestDeliveryHarness();
  target = await stage.target({ otherwise: behaviours.unavailable });
  id = await stage.addWebhook('generic', target.url, 'Empfang');
  await stage.notify(2);
  await stage.pass();
});
afterEach(() => stage.remove());

/** The attempts that failed, as the log has them. */
const logged = (): { level: number; tries: number; reason: string }[] =>
  stage.lines
    .map((line) => JSON.parse(line) as { level: number; outcome?: string; tries: number; reason: string })
    .filter(({ outcome }) => outcome === 'postponed')
    .map(({ level, tries, reason }) => ({ level, tries, reason }));
const check = () => checkWebhooks({ tables: stage.tables, now: stage.clock.now() });
const attention = async () =>
  (await listAttention(stage.tables, { controllers: [], now: stage.clock.now(), intentLimitMs: 0 })).filter(
    ({ kind }) => kind.startsWith('webhook'),
  );

test('each try has the id of the notification, and its own time', async () => {
  const first = Math.floor(stage.clock.now() / 1000);
  stage.clock.advance(5000);
  await stage.pass();
  const [one, other, ...more] = target.requests.map(({ headers }) => headers);
  expect(more).toEqual([]);
  expect(other?.['webhook-id']).toBe(one?.['webhook-id']);
  expect([one, other].map((headers) => Number(headers?.['webhook-timestamp']))).toEqual([first, first + 5]);
});

test('one failed attempt does not make a webhook fail', async () => {
  expect(logged()).toEqual([{ level: 30, tries: 1, reason: expect.stringContaining('503') }]);
  expect(await check()).toMatchObject([{ ok: true }]);
  expect(await attention()).toEqual([]);
});

test('after the second failed attempt a webhook is failing everywhere, with the reason', async () => {
  const since = stage.clock.now();
  stage.clock.advance(5000);
  await stage.pass();
  expect(logged().at(-1)).toEqual({ level: 40, tries: 2, reason: expect.stringContaining('503') });
  stage.clock.advance(25 * 60_000);
  const [finding, ...others] = await check();
  expect(others).toEqual([]);
  expect(finding?.ok).toBe(false);
  expect(wordIn('en', 'finding', finding!.message)).toMatch(
    /^deliveries to "Empfang" have waited for .*, after 2 attempts: .*503/,
  );
  expect(await attention()).toEqual([
    {
      kind: 'webhook-failing',
      subject: 'Empfang',
      at: since,
      reason: expect.objectContaining({ de: expect.stringContaining('503') }),
    },
  ]);
});

test('a webhook that is switched off, or whose target answers again, is no longer failing', async () => {
  stage.clock.advance(5000);
  await stage.pass();
  await stage.tables.webhooks.change(id, { active: false });
  expect(await stage.tables.deliveries.failing()).toEqual([]);
  await stage.tables.webhooks.change(id, { active: true });
  expect(await stage.tables.deliveries.failing()).toMatchObject([{ webhookId: id, tries: 2 }]);
  for (const { id: delivery } of await stage.deliveries(id))
    await stage.tables.outbox.settle(delivery, 'sent', null, stage.clock.now());
  expect(await attention()).toEqual([]);
  expect(await check()).toMatchObject([{ ok: true }]);
});
