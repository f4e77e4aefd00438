import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../../simulators/unifi/console.js';
import { withApi } from '../../support/api.js';
import { makeClock } from '../../support/clock.js';
import { makeLostOrders, type LostOrders } from '../../support/lostOrders.js';
import { addConsole, atController, consoleKinds } from '../consoleFixtures.js';

/** Only the clock of the test reaches it: a busy machine may take seconds for an order. */
const [deadlineMs, graceMs] = [60_000, 60_000];
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const clock = makeClock();
const api = withApi({
  system: clock,
  env: { CONTROLLER_DEADLINE_S: '60', RECONCILE_GRACE_S: '60' },
  perTest: 'site',
});
let lost: LostOrders;
/** The same controllers, whose clocks are that much ahead, or behind when it is negative. */
const withClock = (ahead: number): LostOrders =>
  makeLostOrders(api, { ...clock, now: () => clock.now() + ahead });
beforeAll(async () => {
  lost = makeLostOrders(api, clock);
});
afterEach(async () => {
  for (const table of ['intents', 'leases']) await api.database.write(table).delete();
});

const reconcile = () => api.app.reconcile();
/** Twice, so that what is missing was missing for the grace period. */
const reconcileForGood = async () => {
  clock.advance(deadlineMs + 1);
  await reconcile();
  clock.advance(graceMs);
  return reconcile();
};
const codes = async () => (await api.tables.vouchers.newest(api.siteId, 200)).map(({ code }) => code);
const codeOf = async ({ id }: { id: string }) => (await api.tables.vouchers.ofIntent(id))[0]?.code;

test('a voucher with the right time is taken rather than one that looks too old', async () => {
  const intent = await lost.intent(api.siteId);
  await withClock(-3 * hourMs).voucher(api.siteId, intent);
  const right = await lost.voucher(api.siteId, intent);
  clock.advance(deadlineMs + graceMs + 1);
  await reconcile();
  expect(await codes()).toEqual([right]);
});

test.each([
  ['used', { used_count: 1 }],
  ['expired', { expires_at: 1 }],
])(
  'a voucher that was %s is somebody else’s: nobody was told the code of the intent’s',
  async (_, values) => {
    await lost.voucher(api.siteId, await lost.intent(api.siteId));
    await atController(api, api.siteId, (vouchers) => vouchers().update(values));
    expect(await reconcileForGood()).toBe(0);
    expect(await codes()).toEqual([]);
  },
);

test('matching intents, minutes apart, each get the voucher that was created for them', async () => {
  const early = await lost.intent(api.siteId);
  const first = await lost.voucher(api.siteId, early);
  clock.advance(10 * minuteMs);
  const late = await lost.intent(api.siteId);
  const second = await lost.voucher(api.siteId, late);
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(0);
  expect([await codeOf(early), await codeOf(late)]).toEqual([first, second]);
});

test.each([deadlineMs + 1, hourMs, 30 * 24 * hourMs])(
  'an intent that lies %i ms ahead, because the clock was set back, is settled',
  async (ahead) => {
    const intent = await lost.intent(api.siteId, { createdAt: clock.now() + ahead });
    const code = await withClock(ahead).voucher(api.siteId, intent);
    expect(await reconcile()).toBe(0);
    expect(await codes()).toEqual([code]);
  },
);

test('an intent that lies ahead keeps none from being settled that looks like it', async () => {
  const ahead = await lost.intent(api.siteId, { createdAt: clock.now() + hourMs });
  await withClock(hourMs).voucher(api.siteId, ahead);
  await lost.voucher(api.siteId, await lost.intent(api.siteId));
  clock.advance(deadlineMs + 1);
  expect(await reconcile()).toBe(0);
  expect(await codes()).toHaveLength(2);
});

describe.each(consoleKinds)('a %s console', (kind) => {
  let console: UnifiConsole;
  let site_id: number;
  let key: string;
  /** Starts it with a clock that is that much ahead, or behind when it is negative, and orders once. */
  const start = async (ahead: number): Promise<void> => {
    console = await startUnifiConsole({ clock: () => clock.now() + ahead });
    key = await api.addKey();
    [site_id] = (await addConsole(api, console, kind)) as [number];
    expect((await order()).status).toBe(201);
  };
  afterEach(() => console.stop());
  const order = (headers = {}) => api.post('/vouchers.php', { site_id, name: 'Berger' }, { key, headers });
  const recorded = async () => (await api.tables.vouchers.newest(site_id, 10)).map(({ code }) => code).sort();
  const onConsole = () =>
    console
      .vouchers()
      .map(({ code }) => code)
      .sort();
  /** Somebody makes one, on the console's own page, that looks like those of the order. */
  const makeLookAlike = () => {
    const { name, limit, minutes } = console.vouchers()[0]!;
    console.seed(1, { name, limit, minutes });
  };

  test.each([-3, 3])(
    'whose clock is off by %i hours loses no voucher whose answer was lost',
    async (hours) => {
      await start(hours * hourMs);
      console.fault({ kind: 'reset-after', times: 2 });
      const answers = [await order(), await order()];
      expect(answers.map(({ status }) => status)).toEqual([500, 500]);
      expect(await reconcileForGood()).toBe(0);
      expect(await recorded()).toHaveLength(3);
      expect(await recorded()).toEqual(onConsole());
    },
  );

  test.each([0, -3 * hourMs, 3 * hourMs, 30 * 24 * hourMs])(
    'whose clock is %i ms ahead: what was made before an order that failed, or after it, is not the order’s',
    async (ahead) => {
      await start(ahead);
      const headers = { 'Idempotency-Key': `bestellung-${String(ahead)}-${kind}` };
      makeLookAlike();
      clock.advance(2000);
      console.fault({ kind: 'reset-before', times: 1 });
      expect((await order(headers)).status).toBe(500);
      clock.advance(4000);
      makeLookAlike();
      expect(await reconcileForGood()).toBe(0);
      expect(await recorded()).toHaveLength(1);
      const again = await order(headers);
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, undefined]);
    },
  );

  test.each([0, -3 * hourMs, 3 * hourMs])(
    'whose clock is %i ms ahead: of what was made around an order that was killed, what was made during it is its own',
    async (ahead) => {
      await start(ahead);
      const { name } = console.vouchers()[0]!;
      makeLookAlike();
      clock.advance(2000);
      await lost.intent(site_id, { name });
      clock.advance(deadlineMs);
      makeLookAlike();
      const own = console.vouchers().at(-1)!.code;
      clock.advance(4000);
      makeLookAlike();
      clock.advance(deadlineMs + 1);
      expect(await reconcile()).toBe(0);
      expect(await recorded()).toHaveLength(2);
      expect(await recorded()).toContain(own);
    },
  );

  test('is asked for its time by a process that has not heard it yet', async () => {
    await start(-3 * hourMs);
    console.fault({ kind: 'reset-after', times: 1 });
    expect((await order()).status).toBe(500);
    await api.database.write('intents').update({ clock_at_least: null, clock_at_most: null });
    clock.advance(deadlineMs + 11 * minuteMs);
    expect(await reconcile()).toBe(0);
    expect(await recorded()).toEqual(onConsole());
  });
});
