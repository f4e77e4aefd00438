import { expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../../simulators/unifi/console.js';
import { withApi } from '../../support/api.js';
import { makeClock, type Clock } from '../../support/clock.js';
import { someIntent } from '../../support/records.js';
import { addConsole, consoleKinds } from '../consoleFixtures.js';

let clock: Clock;
let console: UnifiConsole;
const api = withApi({
  perTest: 'service',
  env: { CONTROLLER_DEADLINE_S: '10' },
  beforeStart: async () => {
    clock = makeClock();
    console = await startUnifiConsole({ clock: clock.now, maxPage: 100 });
    return { system: clock };
  },
  afterStop: () => console.stop(),
});

test.each(consoleKinds)(
  'one lost answer is looked for among the vouchers of that moment, not of the whole list (%s)',
  async (kind) => {
    // Those of the same name, too, are many: a name may come back every day of a season.
    console.seed(1500, { name: '2026-11-14_Berger', createdAt: clock.now() - 3_600_000 });
    const [site_id] = (await addConsole(api, console, kind)) as [number];
    console.fault({ kind: 'reset-after', times: 1 });
    const answer = await api.createVoucher({ site_id, name: 'Berger' });
    expect(answer.status).toBe(500);
    clock.advance(10_001);
    console.resetCounts();
    expect(await api.app.reconcile()).toBe(0);
    const [recorded] = await api.tables.vouchers.newest(site_id, 10);
    expect(recorded?.code).toBe(console.vouchers().at(-1)?.code);
    const { byRoute, calls } = console.counts;
    expect(byRoute).not.toHaveProperty('GET stat/voucher');
    // A page of the one, or a call for each second in question of the other.
    expect(calls).toBeLessThanOrEqual(kind === 'unifi' ? 2 : 6);
  },
);

test('a process that was killed leaves few seconds to look at, or so many that the whole list is read', async () => {
  const [site_id] = (await addConsole(api, console, 'unifi-classic')) as [number];
  const begin = (createdAt: number): Promise<boolean> =>
    api.tables.intents.begin({ intent: someIntent(site_id, { createdAt }) });
  await begin(clock.now());
  clock.advance(20_000);
  await api.app.reconcile();
  expect(console.counts.byRoute).not.toHaveProperty('GET stat/voucher');
  expect(console.counts.byRoute['POST stat/voucher']).toBeLessThanOrEqual(15);
  for (let hour = 1; hour <= 5; hour++) await begin(clock.now() - hour * 3_600_000);
  console.resetCounts();
  await api.app.reconcile();
  expect(console.counts.byRoute).toMatchObject({ 'GET stat/voucher': 1 });
  expect(console.counts.byRoute).not.toHaveProperty('POST stat/voucher');
});
