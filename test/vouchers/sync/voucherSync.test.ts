import { mkdir } from 'node:fs/promises';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { simulatedFile } from '../../../src/controllers/simulated/simulated.js';
import { withApi } from '../../support/api.js';
import { makeClock } from '../../support/clock.js';
import { makeLostOrders } from '../../support/lostOrders.js';
import { someRecord, someVoucher } from '../../support/records.js';
import { controllerOf } from '../../support/serviceInternals.js';
import { atController, makeVoucherClient, type ListedVoucher } from '../consoleFixtures.js';

const hourMs = 60 * 60_000;

const clock = makeClock();
const api = withApi({ system: clock, perTest: 'site' });
let client: Awaited<ReturnType<typeof makeVoucherClient>>;
beforeAll(async () => {
  client = await makeVoucherClient(api);
});
beforeEach(async () => {
  // Each test begins with leases that nobody has taken yet, and lines of its own.
  await api.database.write('leases').delete();
  api.lines.length = 0;
});

const sync = () => api.app.sync();
const revision = (site = api.siteId) => api.tables.revisions.current(`site:${site}`);
const lines = () => api.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
const only = async (site = api.siteId): Promise<ListedVoucher> => {
  const [voucher, ...others] = await client.list(site);
  expect(others).toEqual([]);
  return voucher!;
};
const iso = (ms: number) => new Date(ms).toISOString();

test('used_count, status and expires_at are those of the controller [voucher-used-count]', async () => {
  const code = await client.order(api.siteId, { max_uses: 3 });
  const expiresAt = clock.now() + 8 * hourMs;
  await atController(api, api.siteId, (vouchers) =>
    vouchers().where({ code }).update({ used_count: 2, expires_at: expiresAt }),
  );
  await sync();
  expect(await only()).toMatchObject({
    voucher_code: code,
    used_count: 2,
    status: 'valid',
    expires_at: iso(expiresAt),
  });
});

test.each([
  ['not used', { used_count: 0 }, 'valid'],
  ['used, but not as often as it may be', { used_count: 2 }, 'valid'],
  ['used as often as it may be', { used_count: 3 }, 'used'],
  ['used more often than it may be', { used_count: 4 }, 'used'],
  ['expired without having been used up', { used_count: 1, expires_at: 1 }, 'expired'],
  ['used up and expired', { used_count: 3, expires_at: 1 }, 'expired'],
])(
  'a voucher that was %s is recorded as such [voucher-status-used voucher-status-expired-by-controller]',
  async (_, values, status) => {
    const code = await client.order(api.siteId, { max_uses: 3 });
    await atController(api, api.siteId, (vouchers) => vouchers().where({ code }).update(values));
    await sync();
    const [recorded] = await api.tables.vouchers.newest(api.siteId, 1);
    expect(recorded).toMatchObject({ status, usedCount: values.used_count });
  },
);

test('a voucher that changes again is corrected by the next pass', async () => {
  const code = await client.order(api.siteId);
  const set = (used_count: number) =>
    atController(api, api.siteId, (vouchers) => vouchers().where({ code }).update({ used_count }));
  await set(1);
  await sync();
  expect(await only()).toMatchObject({ used_count: 1, status: 'used' });
  await set(0);
  await sync();
  expect(await only()).toMatchObject({ used_count: 0, status: 'valid' });
});

test('a voucher that is gone from the controller has expired; its other values stay [voucher-status-expired-when-gone]', async () => {
  const code = await client.order(api.siteId, { max_uses: 3 });
  const usedUp = await client.order(api.siteId);
  const kept = await client.order(api.siteId);
  const expiresAt = clock.now() + hourMs;
  await atController(api, api.siteId, (vouchers) =>
    vouchers().whereIn('code', [code, usedUp]).update({ used_count: 1, expires_at: expiresAt }),
  );
  await sync();
  await atController(api, api.siteId, (vouchers) => vouchers().whereIn('code', [code, usedUp]).delete());
  await sync();
  const listed = new Map((await client.list(api.siteId)).map((voucher) => [voucher.voucher_code, voucher]));
  expect(listed.get(code)).toMatchObject({
    status: 'expired',
    used_count: 1,
    expires_at: iso(expiresAt),
  });
  expect(listed.get(usedUp)).toMatchObject({ status: 'expired' });
  expect(listed.get(kept)).toMatchObject({ status: 'valid' });
});

test('a voucher that reappears is valid again', async () => {
  const code = await client.order(api.siteId);
  const [row] = await atController(api, api.siteId, async (vouchers) => {
    const rows = (await vouchers().where({ code })) as Record<string, unknown>[];
    await vouchers().delete();
    return rows;
  });
  await sync();
  expect(await only()).toMatchObject({ status: 'expired' });
  await atController(api, api.siteId, (vouchers) => vouchers().insert(row));
  await sync();
  expect(await only()).toMatchObject({ status: 'valid' });
});

test('vouchers that were made elsewhere are not imported', async () => {
  const code = await client.order(api.siteId);
  await makeLostOrders(api, clock).voucher(api.siteId, { name: 'Von Hand', maxUses: 1, expireMinutes: 60 });
  await sync();
  expect((await client.list(api.siteId)).map(({ voucher_code }) => voucher_code)).toEqual([code]);
});

test('a voucher recorded without a controller’s id does not change', async () => {
  const place = { siteId: api.siteId, controllerId: await controllerOf(api, api.siteId) };
  const voucher = someVoucher({ usedCount: 1 });
  await api.tables.vouchers.record(someRecord(place, { controllerVoucherId: null, voucher }));
  await sync();
  expect(await only()).toMatchObject({ status: 'valid', used_count: 1 });
});

test('a pass that finds nothing changed writes nothing', async () => {
  await client.order(api.siteId);
  await sync();
  const before = await revision();
  await sync();
  expect(await revision()).toBe(before);
  expect(lines().filter(({ msg }) => msg === 'vouchers synced')).toEqual([]);
});

test('only the lists of sites whose vouchers have changed are rebuilt', async () => {
  const { controllerId } = (await api.tables.sites.all()).find(({ id }) => id === api.siteId)!;
  const neighbour = await api.tables.sites.add(
    { name: 'Nebengebäude', active: true, controllerId, controllerSite: null },
    clock.now(),
  );
  const code = await client.order(api.siteId);
  await client.order(neighbour);
  const before = [await revision(api.siteId), await revision(neighbour)];
  await atController(api, api.siteId, (vouchers) => vouchers().where({ code }).update({ used_count: 1 }));
  await sync();
  expect([await revision(api.siteId), await revision(neighbour)]).toEqual([before[0]! + 1, before[1]!]);
});

test('each of several sites that share a controller site keeps its vouchers', async () => {
  const { controllerId } = (await api.tables.sites.all()).find(({ id }) => id === api.siteId)!;
  const add = (name: string, controllerSite: string | null) =>
    api.tables.sites.add({ name, active: true, controllerId, controllerSite }, clock.now());
  const [same, other] = [await add('Anbau', null), await add('Garten', 'garden')];
  const sites = [api.siteId, same, other];
  for (const site of sites) await client.order(site);
  await sync();
  for (const site of sites) expect(await only(site)).toMatchObject({ status: 'valid' });
  await atController(api, api.siteId, (vouchers) => vouchers().where({ site: 'garden' }).delete());
  await sync();
  expect((await only(other)).status).toBe('expired');
  for (const site of [api.siteId, same]) expect((await only(site)).status).toBe('valid');
});

test('the vouchers of a site that no longer receives any are kept current', async () => {
  const code = await client.order(api.siteId);
  await api.tables.sites.change(api.siteId, { active: false });
  await atController(api, api.siteId, (vouchers) => vouchers().where({ code }).update({ used_count: 1 }));
  await sync();
  expect(await only()).toMatchObject({ used_count: 1 });
});

test('a controller that was removed is not asked, and its vouchers stay as they are', async () => {
  await client.order(api.siteId);
  await api.tables.sites.change(api.siteId, { active: false });
  await api.tables.controllers.remove(await controllerOf(api, api.siteId), clock.now());
  await atController(api, api.siteId, (vouchers) => vouchers().delete());
  await sync();
  expect(await only()).toMatchObject({ status: 'valid' });
});

test('a pass with changes is one line in the log', async () => {
  const codes = [
    await client.order(api.siteId),
    await client.order(api.siteId),
    await client.order(api.siteId),
  ];
  await atController(api, api.siteId, async (vouchers) => {
    await vouchers().where({ code: codes[0] }).update({ used_count: 1 });
    await vouchers().where({ code: codes[1] }).update({ used_count: 1 });
    await vouchers().where({ code: codes[2] }).delete();
  });
  await sync();
  const told = lines().filter(({ msg }) => msg === 'vouchers synced');
  expect(told).toEqual([expect.objectContaining({ level: 30, changed: 2, gone: 1 })]);
});

describe('a controller whose list fails', () => {
  let broken: number;
  let tests = 0;
  beforeEach(async () => {
    broken = await api.addSite({ name: `Baustelle ${++tests}` });
    const controllerId = await controllerOf(api, broken);
    const site = { name: 'Container', active: true, controllerId, controllerSite: 'container' };
    const container = await api.tables.sites.add(site, clock.now());
    for (const id of [broken, container])
      await api.tables.vouchers.record(someRecord({ siteId: id, controllerId }));
    await mkdir(simulatedFile(api.dataDir, controllerId));
  });

  test('loses no voucher, and does not delay the sync of others', async () => {
    const code = await client.order(api.siteId);
    await atController(api, api.siteId, (vouchers) => vouchers().where({ code }).update({ used_count: 1 }));
    await sync();
    expect(await only(broken)).toMatchObject({ status: 'valid' });
    expect(await only(api.siteId)).toMatchObject({ status: 'used' });
  });

  test('is one line in the log, however many of its sites fail in the same way', async () => {
    await sync();
    const told = lines().filter(({ controller }) => String(controller).endsWith(`Baustelle ${tests}`));
    expect(told).toEqual([
      expect.objectContaining({
        level: 40,
        msg: 'controller not synced; will retry',
        controllerSites: [null, 'container'],
        err: expect.objectContaining({ message: expect.stringContaining('SQLITE_CANTOPEN') }),
      }),
    ]);
  });
});
