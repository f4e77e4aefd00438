import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startUnifiConsole } from '../../simulators/unifi/console.js';
import { makeClock, type Clock } from '../support/clock.js';
import { makeLost, type Lost } from '../support/lost.js';
import { startService, type TestService } from '../support/service.js';
import { addConsole, atController, consoleKinds } from './syncSupport.js';

const [deadlineMs, graceMs] = [1000, 60_000];
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let clock: Clock;
let service: TestService;
let siteId: number;
let lost: Lost;
/** The same controllers, whose clocks are that much ahead, or behind when it is negative. */
const withClock = (ahead: number): Lost => makeLost(service, { ...clock, now: () => clock.now() + ahead });
beforeAll(async () => {
  clock = makeClock();
  service = await startService({
    effects: clock,
    env: { CONTROLLER_DEADLINE_S: '1', RECONCILE_GRACE_S: '60', RECONCILE_INTERVAL_S: '3600' },
  });
  lost = makeLost(service, clock);
});
afterAll(() => service.stop());
beforeEach(async () => {
  siteId = await service.addSite();
});
afterEach(async () => {
  for (const table of ['intents', 'leases']) await service.service.database.write(table).delete();
});

const reconcile = () => service.service.reconcile();
/** Twice, so that what is missing was missing for the grace period. */
const reconcileForGood = async () => {
  clock.advance(deadlineMs + 1);
  await reconcile();
  clock.advance(graceMs);
  return reconcile();
};
const codes = async () =>
  (await service.service.storage.vouchers.newest(siteId, 200)).map(({ code }) => code);
const codeOf = ({ id }: { id: string }) => service.service.storage.vouchers.codeOf(id);

test.each([5 * minuteMs, 3 * hourMs, 30 * 24 * hourMs])(
  'a voucher of a controller whose clock is %i ms ahead is found at once',
  async (ahead) => {
    const code = await withClock(ahead).voucher(siteId, await lost.intent(siteId));
    clock.advance(deadlineMs + 1);
    expect(await reconcile()).toBe(0);
    expect(await codes()).toEqual([code]);
  },
);

test('a voucher of a controller whose clock is five minutes behind is found at once', async () => {
  const code = await withClock(-5 * minuteMs).voucher(siteId, await lost.intent(siteId));
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(0);
  expect(await codes()).toEqual([code]);
});

test('a voucher of a controller whose clock is hours behind is found before its intent is given up', async () => {
  const code = await withClock(-3 * hourMs).voucher(siteId, await lost.intent(siteId));
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(1);
  clock.advance(graceMs - 1);
  expect(await reconcile()).toBe(1);
  clock.advance(1);
  expect(await reconcile()).toBe(0);
  expect(await codes()).toEqual([code]);
});

test('of more vouchers than intents the one made last is taken', async () => {
  const intent = await lost.intent(siteId);
  await withClock(-2 * minuteMs).voucher(siteId, intent);
  const last = await withClock(-minuteMs).voucher(siteId, intent);
  await withClock(-3 * minuteMs).voucher(siteId, intent);
  clock.advance(deadlineMs + 1);
  await reconcile();
  expect(await codes()).toEqual([last]);
});

test('a voucher with the right time is taken rather than one that looks too old', async () => {
  const intent = await lost.intent(siteId);
  await withClock(-3 * hourMs).voucher(siteId, intent);
  const right = await lost.voucher(siteId, intent);
  clock.advance(deadlineMs + graceMs + 1);
  await reconcile();
  expect(await codes()).toEqual([right]);
});

test.each([
  ['used', { used_count: 1 }],
  ['expired', { expires_at: 1 }],
])('a voucher that looks too old and was %s is not the one of the intent', async (_, values) => {
  await withClock(-3 * hourMs).voucher(siteId, await lost.intent(siteId));
  await atController(service, siteId, (vouchers) => vouchers().update(values));
  expect(await reconcileForGood()).toBe(0);
  expect(await codes()).toEqual([]);
});

test('intents alike, minutes apart, each get the voucher that was made for them', async () => {
  const early = await lost.intent(siteId);
  const first = await lost.voucher(siteId, early);
  clock.advance(10 * minuteMs);
  const late = await lost.intent(siteId);
  const second = await lost.voucher(siteId, late);
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(0);
  expect([await codeOf(early), await codeOf(late)]).toEqual([first, second]);
});

test('intents alike on a controller whose clock is hours behind get one voucher each', async () => {
  const intents = [await lost.intent(siteId), await lost.intent(siteId), await lost.intent(siteId)];
  const behind = withClock(-3 * hourMs);
  const made = [await behind.voucher(siteId, intents[0]!), await behind.voucher(siteId, intents[1]!)];
  expect(await reconcileForGood()).toBe(0);
  expect((await codes()).sort()).toEqual(made.sort());
});

test.each([deadlineMs + 1, hourMs, 30 * 24 * hourMs])(
  'an intent that lies %i ms ahead, because the clock was set back, is settled',
  async (ahead) => {
    const intent = await lost.intent(siteId, { createdAt: clock.now() + ahead });
    const code = await withClock(ahead).voucher(siteId, intent);
    expect(await reconcile()).toBe(0);
    expect(await codes()).toEqual([code]);
  },
);

test('an intent that lies ahead keeps none from being settled that looks like it', async () => {
  const ahead = await lost.intent(siteId, { createdAt: clock.now() + hourMs });
  await withClock(hourMs).voucher(siteId, ahead);
  await lost.voucher(siteId, await lost.intent(siteId));
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(0);
  expect(await codes()).toHaveLength(2);
});

describe.each(consoleKinds)('a %s console', (kind) => {
  test.each([-3, 3])(
    'whose clock is off by %i hours loses no voucher whose answer was lost',
    async (hours) => {
      const console = await startUnifiConsole({ clock: () => clock.now() + hours * hourMs });
      try {
        const key = await service.addKey();
        const [site_id] = await addConsole(service, console, kind);
        const order = () => service.post('/vouchers.php', { site_id, name: 'Berger' }, { key });
        expect((await order()).status).toBe(201);
        console.fault({ kind: 'reset-after', times: 2 });
        const answers = [await order(), await order()];
        expect(answers.map(({ status }) => status)).toEqual([500, 500]);
        expect(await reconcileForGood()).toBe(0);
        const recorded = (await service.service.storage.vouchers.newest(site_id!, 10)).map(
          ({ code }) => code,
        );
        expect(recorded).toHaveLength(3);
        expect(recorded.sort()).toEqual(
          console
            .vouchers()
            .map(({ code }) => code)
            .sort(),
        );
      } finally {
        await console.stop();
      }
    },
  );
});
