import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../../simulators/unifi/console.js';
import { withApi } from '../../support/api.js';
import { makeClock } from '../../support/clock.js';
import { addConsole, makeVoucherClient } from '../consoleFixtures.js';

const minuteMs = 60_000;
/** One page of the whole list holds 100 vouchers, and the console has more than 300. */
const [maxPage, seeded] = [100, 350];
const wholeCalls = 1 + 4;
const changesCalls = 1 + 1;

const clock = makeClock();
const api = withApi({ system: clock, admin: true });
let console: UnifiConsole;
let client: Awaited<ReturnType<typeof makeVoucherClient>>;
let siteId: number;
beforeAll(async () => {
  console = await startUnifiConsole({ clock: clock.now, maxPage });
  console.seed(seeded, { name: 'Von Hand' });
  client = await makeVoucherClient(api);
  [siteId] = (await addConsole(api, console, 'unifi')) as [number];
});
afterAll(() => console.stop());

/** Makes a pass and returns how often the console was asked for vouchers. */
const sync = async (): Promise<number> => {
  const before = console.counts.byRoute['GET vouchers'] ?? 0;
  await api.app.sync();
  return (console.counts.byRoute['GET vouchers'] ?? 0) - before;
};
const find = async (code: string) =>
  (await client.list(siteId)).find(({ voucher_code }) => voucher_code === code);

beforeEach(async () => {
  // Every test begins shortly after the whole list was read.
  clock.advance(10 * minuteMs);
  expect(await sync()).toBe(wholeCalls);
});

test('after the whole list only changes are asked for', async () => {
  for (let pass = 0; pass < 3; pass++) {
    clock.advance(minuteMs);
    expect(await sync()).toBe(changesCalls);
  }
});

test('every ten minutes the whole list is read again', async () => {
  clock.advance(10 * minuteMs - 1);
  expect(await sync()).toBe(changesCalls);
  clock.advance(1);
  expect(await sync()).toBe(wholeCalls);
});

test('a use is among the changes, each further one, too, and then the expiry', async () => {
  const code = await client.order(siteId, { max_uses: 3, expire_minutes: 5 });
  clock.advance(minuteMs);
  console.use(code);
  expect(await sync()).toBe(changesCalls);
  const expires_at = new Date(clock.now() + 5 * minuteMs).toISOString();
  expect(await find(code)).toMatchObject({ used_count: 1, status: 'valid', expires_at });
  clock.advance(minuteMs);
  console.use(code, 2);
  expect(await sync()).toBe(changesCalls);
  expect(await find(code)).toMatchObject({ used_count: 3, status: 'used', expires_at });
  clock.advance(4 * minuteMs);
  expect(await sync()).toBe(changesCalls);
  const [recorded] = await api.tables.vouchers.newest(siteId, 1);
  expect(recorded).toMatchObject({ status: 'expired', usedCount: 3 });
});

test('own orders are no reason to read the whole list', async () => {
  await client.order(siteId);
  await client.order(siteId);
  expect(await sync()).toBe(changesCalls);
});

test('an order whose answer was lost is none either, before and after it was reconciled', async () => {
  console.fault({ kind: 'reset-after', times: 1 });
  await expect(client.order(siteId)).rejects.toThrow(/^500/);
  expect(await sync()).toBe(changesCalls);
  clock.advance(minuteMs);
  expect(await api.app.reconcile()).toBe(0);
  expect(await sync()).toBe(changesCalls);
});

test('an order of many whose answer was lost is none either', async () => {
  console.fault({ kind: 'reset-after', times: 1 });
  const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
  const { body } = await api.admin.put(`/orders/${randomUUID()}`, { siteId, count: 5, limits });
  expect(body).toMatchObject({ state: 'open' });
  expect(await sync()).toBe(changesCalls);
  clock.advance(minuteMs);
  expect(await api.app.reconcile()).toBe(0);
  expect(await sync()).toBe(changesCalls);
});

test('when vouchers were deleted elsewhere, the whole list is read, and they are gone', async () => {
  const [gone, kept] = [await client.order(siteId), await client.order(siteId)];
  expect(await sync()).toBe(changesCalls);
  console.remove(gone);
  expect(await sync()).toBe(wholeCalls);
  expect(await find(gone)).toMatchObject({ status: 'expired' });
  expect(await find(kept)).toMatchObject({ status: 'valid' });
  expect(await sync()).toBe(changesCalls);
});

test('when vouchers were made elsewhere, the whole list is read, once', async () => {
  console.seed(1, { name: 'Von Hand' });
  expect(await sync()).toBe(wholeCalls);
  expect(await sync()).toBe(changesCalls);
});

test('changes since a pass that failed are among those of the next one', async () => {
  const code = await client.order(siteId);
  expect(await sync()).toBe(changesCalls);
  clock.advance(minuteMs);
  console.use(code);
  console.fault({ kind: 'bad-gateway', on: 'all', times: 1 });
  await sync();
  expect(await find(code)).toMatchObject({ used_count: 0 });
  clock.advance(minuteMs);
  expect(await sync()).toBe(changesCalls);
  expect(await find(code)).toMatchObject({ used_count: 1, status: 'used' });
});

test('a whole list that could not be read is read by the next pass, and nothing is gone', async () => {
  const code = await client.order(siteId);
  clock.advance(10 * minuteMs);
  console.fault({ kind: 'bad-gateway', on: 'all', times: 1 });
  await sync();
  expect(await find(code)).toMatchObject({ status: 'valid' });
  expect(await sync()).toBe(wholeCalls);
});
