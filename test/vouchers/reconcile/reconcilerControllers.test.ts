import { beforeEach, describe, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../../simulators/unifi/console.js';
import { withApi } from '../../support/api.js';
import { makeClock } from '../../support/clock.js';
import { makeLostOrders, type LostOrders } from '../../support/lostOrders.js';
import { controllerOf } from '../../support/serviceInternals.js';
import { until } from '../../support/until.js';
import { addConsole, consoleKinds } from '../consoleFixtures.js';

const [deadlineS, graceS] = [600, 60];
const deadlineMs = deadlineS * 1000;
const graceMs = graceS * 1000;

const clock = makeClock();
const env = { CONTROLLER_DEADLINE_S: String(deadlineS), RECONCILE_GRACE_S: String(graceS) };
const api = withApi({
  perTest: 'service',
  system: clock,
  env,
  // The service does not wait for the ten minutes that a console's answer may take.
  afterStop: async () => {
    await console?.stop();
    console = undefined;
  },
});
let lost: LostOrders;
let console: UnifiConsole | undefined;
beforeEach(() => {
  lost = makeLostOrders(api, clock);
});

/** What the console was asked and has not answered. */
const openCalls = () => console?.counts.open ?? 0;
const intentIds = async () => (await api.tables.intents.all()).map(({ id }) => id);
const codes = async (siteId: number) =>
  (await api.tables.vouchers.newest(siteId, 200)).map(({ code }) => code);
const settled = () =>
  api.lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'intent reconciled');

describe.each(consoleKinds)('while a %s console hangs', (kind) => {
  let hanging: number;
  beforeEach(async () => {
    await api.restart({ env: { ...env, RECONCILE_INTERVAL_S: '1' } });
    console = await startUnifiConsole();
    [hanging] = (await addConsole(api, console, kind)) as [number];
    await api.createVoucher({ site_id: hanging });
    await lost.intent(hanging);
    console.fault({ kind: 'hang', on: 'all' });
    clock.advance(deadlineMs + 1);
    await until('the console hangs', () => openCalls() > 0);
  });

  test('intents of other controllers are settled, and those that come up later, too', async () => {
    const siteId = await api.addSite();
    const made: string[] = [];
    for (let round = 0; round < 2; round++) {
      made.unshift(await lost.voucher(siteId, await lost.intent(siteId, { name: `2026-11-14_${round}` })));
      clock.advance(deadlineMs + 1);
      await until('the intent is settled', async () => (await codes(siteId)).length === round + 1);
    }
    expect(await codes(siteId)).toEqual(made);
    expect(openCalls()).toBeGreaterThan(0);
    expect(await intentIds()).toHaveLength(1);
  });

  test('no other process reconciles it: the lease is renewed', async () => {
    const { leases } = api.tables;
    const name = `reconcile:${await controllerOf(api, hanging)}`;
    const leasedUntil = async () => {
      const rows = await api.database.read<{ name: string; until: number }>('leases');
      return rows.find((lease) => lease.name === name)!.until;
    };
    clock.advance(10_000);
    await until('it is renewed', async () => (await leasedUntil()) > clock.now() + 10_000);
    clock.advance(10_000);
    expect(await leases.acquire([name], 'another process', 15_000)).toEqual(new Set());
  });
});

describe('intents of a controller that was removed', () => {
  const removeController = async (siteId: number): Promise<void> => {
    const id = await controllerOf(api, siteId);
    await api.database.write('controllers').where({ id }).update({ removed_at: clock.now() });
    // What is written past the tables is noticed with the next change of the sites.
    await api.tables.sites.change(siteId, { active: false });
  };

  test('are removed after the grace period, with a line in the log', async () => {
    const siteId = await api.addSite();
    const intent = await lost.intent(siteId);
    await removeController(siteId);
    clock.advance(deadlineMs + graceMs);
    expect(await api.app.reconcile()).toBe(1);
    clock.advance(1);
    expect(await api.app.reconcile()).toBe(0);
    expect(settled()).toEqual([expect.objectContaining({ intent: intent.id, outcome: 'removed' })]);
  });

  test('free their idempotency keys', async () => {
    const siteId = await api.addSite();
    const { id: apiKeyId } = (await api.tables.apiKeys.all())[0]!;
    const claim = { apiKeyId, idempotencyKey: 'bestellung-1', fingerprint: 'a' };
    await lost.intent(siteId, {}, claim);
    await removeController(siteId);
    const other = await api.addSite({ name: 'Nebengebäude' });
    const order = () =>
      api.createVoucher({ site_id: other }, { headers: { 'Idempotency-Key': 'bestellung-1' } });
    expect((await order()).status).toBe(422);
    clock.advance(deadlineMs + graceMs + 1);
    await api.app.reconcile();
    expect((await order()).status).toBe(201);
  });

  test('do not delay intents of other controllers', async () => {
    const [siteId, other] = [await api.addSite(), await api.addSite({ name: 'Nebengebäude' })];
    await lost.intent(siteId);
    const code = await lost.voucher(other, await lost.intent(other));
    await removeController(siteId);
    clock.advance(deadlineMs + 1);
    expect(await api.app.reconcile()).toBe(1);
    expect(await codes(other)).toEqual([code]);
  });
});

test('a controller whose credentials cannot be opened keeps its intents, and does not delay those of others', async () => {
  const { tables } = api;
  const controllerId = await tables.controllers.add(
    { name: 'Zu', kind: 'unifi', settings: { url: 'https://127.0.0.1' }, sealedCredentials: 'unlesbar' },
    clock.now(),
  );
  const closed = await tables.sites.add(
    { name: 'Zu', active: true, controllerId, controllerSite: null },
    clock.now(),
  );
  const open = await api.addSite();
  const kept = await lost.intent(closed);
  const code = await lost.voucher(open, await lost.intent(open));
  clock.advance(deadlineMs + graceMs + 1);
  expect(await api.app.reconcile()).toBe(1);
  expect(await intentIds()).toEqual([kept.id]);
  expect(await codes(open)).toEqual([code]);
});
