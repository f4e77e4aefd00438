import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../../simulators/unifi/console.js';
import { withApi } from '../../support/api.js';
import { startService } from '../../support/service.js';
import { until } from '../../support/until.js';
import {
  addConsole,
  atController,
  consoleKinds,
  makeVoucherClient,
  type ListedVoucher,
} from '../consoleFixtures.js';

/** The console's whole list, as each kind asks for it. */
const routes = { unifi: 'GET vouchers', 'unifi-classic': 'GET stat/voucher' };

describe.each([
  ['unifi', 'unifi-os'],
  ['unifi-classic', 'unifi-os'],
  ['unifi-classic', 'self-hosted'],
] as const)('a controller of kind %s (%s), compared every second', (kind, variant) => {
  const api = withApi({ env: { SYNC_INTERVAL_S: '1' } });
  let console: UnifiConsole;
  let client: Awaited<ReturnType<typeof makeVoucherClient>>;
  let siteId: number;
  beforeAll(async () => {
    console = await startUnifiConsole({ variant });
    client = await makeVoucherClient(api);
    [siteId] = (await addConsole(api, console, kind)) as [number];
  });
  afterAll(() => console.stop());
  const untilListed = (code: string, what: string, is: (voucher: ListedVoucher) => boolean) =>
    until(what, async () =>
      (await client.list(siteId)).find((voucher) => voucher.voucher_code === code && is(voucher)),
    );

  test('a guest’s use shows in the list', async () => {
    const code = await client.order(siteId, { max_uses: 2, expire_minutes: 60 });
    console.use(code);
    const used = await untilListed(code, 'one use', ({ used_count }) => used_count === 1);
    const { expiresAt } = console.vouchers().find((voucher) => voucher.code === code)!;
    expect(used).toMatchObject({ status: 'valid', expires_at: new Date(expiresAt!).toISOString() });
    console.use(code);
    expect(await untilListed(code, 'used up', ({ status }) => status === 'used')).toMatchObject({
      used_count: 2,
    });
  });

  test('a voucher that somebody deletes on the console shows as expired', async () => {
    const [gone, kept] = [await client.order(siteId), await client.order(siteId)];
    console.use(gone);
    await untilListed(gone, 'the use', ({ used_count }) => used_count === 1);
    console.remove(gone);
    expect(await untilListed(gone, 'expired', ({ status }) => status === 'expired')).toMatchObject({
      used_count: 1,
    });
    expect((await client.list(siteId)).find(({ voucher_code }) => voucher_code === kept)).toMatchObject({
      status: 'valid',
    });
  });
});

test.each(consoleKinds)(
  'a %s console is asked once for a controller site that several sites share',
  async (kind) => {
    const sites = [
      { reference: 'default', name: 'Default' },
      { reference: 'garden', name: 'Garden' },
    ];
    const [console, service] = await Promise.all([startUnifiConsole({ sites }), startService()]);
    try {
      const client = await makeVoucherClient(service);
      const siteIds = await addConsole(service, console, kind, ['default', 'default', 'garden']);
      for (const siteId of siteIds) await client.order(siteId);
      await service.app.sync();
      console.resetCounts();
      await service.app.sync();
      // For an unchanged controller site, one kind asks for the count and the changes, the other for the list.
      const expected = kind === 'unifi' ? 2 * 2 : 2;
      expect(console.counts.byRoute[routes[kind]]).toBe(expected);
      expect(console.counts.logins).toBe(0);
      // Passes that are asked for at once are made one after the other.
      console.fault({ kind: 'slow', on: 'all', times: 3, delayMs: 300 });
      await Promise.all([1, 2, 3].map(() => service.app.sync()));
      expect(console.counts.mostOpen).toBe(1);
      for (const siteId of siteIds) expect(await client.list(siteId)).toMatchObject([{ status: 'valid' }]);
    } finally {
      await service.stop();
      await console.stop();
    }
  },
);

test.each(consoleKinds)('a %s console that hangs delays no other, and no stop', async (kind) => {
  const [console, service] = await Promise.all([
    startUnifiConsole(),
    startService({ env: { SYNC_INTERVAL_S: '1', CONTROLLER_DEADLINE_S: '600' } }),
  ]);
  try {
    const client = await makeVoucherClient(service);
    const [siteId] = (await addConsole(service, console, kind)) as [number];
    await client.order(siteId);
    console.fault({ kind: 'hang', on: 'all' });
    await until('the console hangs', () => console.counts.open > 0);
    const other = await service.addSite({ name: 'Nebengebäude' });
    for (const used_count of [1, 2]) {
      const code = await client.order(other, { max_uses: 5 });
      await atController(service, other, (vouchers) => vouchers().where({ code }).update({ used_count }));
      await until('the use', async () =>
        (await client.list(other)).some((voucher) => voucher.used_count === used_count),
      );
    }
    expect(console.counts.open).toBeGreaterThan(0);
  } finally {
    // It would hang for ten minutes.
    await service.stop();
    await console.stop();
  }
});

test.each(consoleKinds)('a list of a %s console that breaks off takes no voucher away', async (kind) => {
  const [console, service] = await Promise.all([startUnifiConsole(), startService()]);
  try {
    const client = await makeVoucherClient(service);
    const [siteId] = (await addConsole(service, console, kind)) as [number];
    await client.order(siteId);
    await client.order(siteId);
    for (const fault of ['truncated', 'wrong-json', 'bad-gateway', 'reset-after'] as const) {
      console.fault({ kind: fault, on: 'all', times: 1 });
      await service.app.sync();
      console.fault(undefined);
      expect(await client.list(siteId)).toMatchObject([{ status: 'valid' }, { status: 'valid' }]);
    }
    const failed = service.lines.filter((line) => line.includes('controller not synced; will retry'));
    expect(failed.length).toBeGreaterThan(0);
  } finally {
    await service.stop();
    await console.stop();
  }
});
