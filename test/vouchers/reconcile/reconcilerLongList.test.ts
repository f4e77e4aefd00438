import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../../simulators/unifi/console.js';
import { makeClock, type Clock } from '../../support/clock.js';
import { someIntent } from '../../support/records.js';
import { startService, type TestService } from '../../support/service.js';
import { addConsole, consoleKinds } from '../consoleFixtures.js';

let clock: Clock;
let service: TestService;
let console: UnifiConsole;
beforeEach(async () => {
  clock = makeClock();
  console = await startUnifiConsole({ clock: clock.now, maxPage: 100 });
  service = await startService({
    system: clock,
    env: { CONTROLLER_DEADLINE_S: '10' },
  });
});
afterEach(async () => {
  await service.stop();
  await console.stop();
});

test.each(consoleKinds)(
  'one lost answer is looked for among the vouchers of that moment, not of the whole list (%s)',
  async (kind) => {
    // Those of the same name, too, are many: a name may come back every day of a season.
    console.seed(5000, { name: '2026-11-14_Berger', createdAt: clock.now() - 3_600_000 });
    const [site_id] = (await addConsole(service, console, kind)) as [number];
    const key = await service.addKey();
    console.fault({ kind: 'reset-after', times: 1 });
    const answer = await service.post('/vouchers.php', { site_id, name: 'Berger' }, { key });
    expect(answer.status).toBe(500);
    clock.advance(10_001);
    console.resetCounts();
    expect(await service.service.reconcile()).toBe(0);
    const [recorded] = await service.service.tables.vouchers.newest(site_id, 10);
    expect(recorded?.code).toBe(console.vouchers().at(-1)?.code);
    const { byRoute, calls } = console.counts;
    expect(byRoute).not.toHaveProperty('GET stat/voucher');
    // A page of the one, or a call for each second in question of the other.
    expect(calls).toBeLessThanOrEqual(kind === 'unifi' ? 2 : 6);
  },
);

test('a process that was killed leaves few seconds to look at, or so many that the whole list is read', async () => {
  const [site_id] = (await addConsole(service, console, 'unifi-classic')) as [number];
  const begin = (createdAt: number): Promise<boolean> =>
    service.service.tables.intents.begin({ intent: someIntent(site_id, { createdAt }) });
  await begin(clock.now());
  clock.advance(20_000);
  await service.service.reconcile();
  expect(console.counts.byRoute).not.toHaveProperty('GET stat/voucher');
  expect(console.counts.byRoute['POST stat/voucher']).toBeLessThanOrEqual(15);
  for (let hour = 1; hour <= 5; hour++) await begin(clock.now() - hour * 3_600_000);
  console.resetCounts();
  await service.service.reconcile();
  expect(console.counts.byRoute).toMatchObject({ 'GET stat/voucher': 1 });
  expect(console.counts.byRoute).not.toHaveProperty('POST stat/voucher');
});
