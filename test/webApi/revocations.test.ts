import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { WebSchema } from '../../handlers/web/handler.js';
import { startUnifiConsole } from '../../simulators/unifi/console.js';
import { withAdmin } from '../support/api.js';
import { forEachTest } from '../support/fixture.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { signInNew, type Browser } from '../support/web.js';
import { addConsole, consoleKinds } from '../vouchers/consoleFixtures.js';

type Order = WebSchema<'Order'>;

// Real consoles answer within seconds; a busy machine does not.
const api = withAdmin({ env: { CONTROLLER_DEADLINE_S: '60' }, perTest: 'service' });

const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
const place = async (browser: Browser, siteId: number, count = 1): Promise<Order> => {
  const answer = await browser.put(`/orders/${randomUUID()}`, { siteId, name: 'Gast', count, limits });
  expect(answer).toMatchObject({ status: 200, body: { state: 'made' } });
  return answer.body as Order;
};
const revoke = (browser: Browser, selection: object) => browser.post('/vouchers/revocations', selection);
const idsOf = ({ vouchers }: Order) => vouchers.map(({ id }) => id);
const statesOf = async (browser: Browser, { id }: Order) =>
  ((await browser.get(`/orders/${id}`)).body as Order).vouchers.map(({ state }) => state);

test('a voucher is removed from its controller and marked; the API lists it as expired; the audit log tells', async () => {
  const siteId = await api.addSite();
  const order = await place(api.admin, siteId, 2);
  const [first = 0] = idsOf(order);
  expect(await revoke(api.admin, { voucherIds: [first] })).toMatchObject({
    status: 200,
    body: { revoked: [first], failed: [] },
  });
  const left = await controllerVouchers(api, siteId);
  expect(left.map(({ code }) => code)).toEqual([order.vouchers[1]?.code]);
  expect(await statesOf(api.admin, order)).toEqual(['revoked', 'valid']);
  const key = await api.addKey();
  const { body } = await api.get(`/vouchers.php?site_id=${String(siteId)}`, { key });
  const { vouchers } = body as { vouchers: { voucher_code: string; status: string }[] };
  const statuses = new Map(vouchers.map((voucher) => [voucher.voucher_code, voucher.status]));
  expect(order.vouchers.map(({ code }) => statuses.get(code))).toEqual(['expired', 'valid']);
  expect((await api.admin.get('/audit?area=voucher')).body).toMatchObject({
    entries: [
      {
        ...{ action: 'voucher.revoke', actorKind: 'user', actorName: 'Anna Berger', address: '127.0.0.1' },
        ...{ subjectKind: 'voucher', subjectId: String(first), subjectName: 'Gast' },
        detail: { siteId, code: order.vouchers[0]?.formattedCode },
      },
      { action: 'voucher.create' },
    ],
  });
});

test('revoking again, or what is gone from the controller, works and is logged once', async () => {
  const siteId = await api.addSite();
  const order = await place(api.admin, siteId);
  const done = { status: 200, body: { revoked: idsOf(order), failed: [] } };
  expect(await revoke(api.admin, { orderId: order.id })).toMatchObject(done);
  expect(await revoke(api.admin, { voucherIds: idsOf(order) })).toMatchObject(done);
  const { entries } = (await api.admin.get('/audit?area=voucher')).body as { entries: { action: string }[] };
  expect(entries.filter(({ action }) => action === 'voucher.revoke')).toHaveLength(1);
});

test('the sync does not bring back a voucher that was revoked while it read the list', async () => {
  const siteId = await api.addSite();
  const order = await place(api.admin, siteId);
  const [id = 0] = idsOf(order);
  await revoke(api.admin, { voucherIds: [id] });
  const { vouchers } = api.tables;
  await vouchers.correct([{ id, siteId, usedCount: 0, status: 'valid', expiresAt: null }]);
  expect(await statesOf(api.admin, order)).toEqual(['revoked']);
  expect(await vouchers.newest(siteId, 1)).toMatchObject([{ status: 'expired' }]);
});

describe('staff', () => {
  test('revoke vouchers of their own sites only; of others nothing tells that they exist', async () => {
    const [own, foreign] = [await api.addSite(), await api.addSite({ name: 'Nebenhaus' })];
    const staff = await signInNew(api, api.admin, { name: 'Berta', role: 'staff', siteIds: [own] });
    const [ours, theirs] = [await place(api.admin, own), await place(api.admin, foreign)];
    const unknown = await revoke(staff, { voucherIds: [999_999] });
    expect(unknown.status).toBe(404);
    for (const selection of [
      { voucherIds: idsOf(theirs) },
      { voucherIds: [...idsOf(ours), ...idsOf(theirs)] },
      // The order of somebody else, even on a site of theirs.
      { orderId: ours.id },
      { orderId: randomUUID() },
    ])
      expect(await revoke(staff, selection)).toMatchObject({ status: 404, text: unknown.text });
    expect(await statesOf(api.admin, ours)).toEqual(['valid']);
    expect(await statesOf(api.admin, theirs)).toEqual(['valid']);
    expect(await revoke(staff, { voucherIds: idsOf(ours) })).toMatchObject({ status: 200 });
    expect(await statesOf(api.admin, ours)).toEqual(['revoked']);
  });
});

test('a selection of nothing, of too many or of two kinds is refused', async () => {
  const cases: [string, object][] = [
    ['nothing', {}],
    ['no vouchers', { voucherIds: [] }],
    ['vouchers and an order', { voucherIds: [1], orderId: randomUUID() }],
    ['too many', { voucherIds: Array.from({ length: 501 }, (_, index) => index + 1) }],
  ];
  for (const [name, selection] of cases) {
    const answer = await revoke(api.admin, selection);
    expect({ name, ...answer }).toMatchObject({ name, status: 400, body: { message: 'selection-invalid' } });
  }
});

describe.each(consoleKinds)('on a console (%s)', (kind) => {
  let siteId: number;
  const console = forEachTest(startUnifiConsole, 'stop');
  beforeEach(async () => {
    [siteId = 0] = await addConsole(api, console, kind);
  });

  test('each voucher of an order is revoked', async () => {
    const order = await place(api.admin, siteId, 25);
    expect((await revoke(api.admin, { orderId: order.id })).body).toEqual({
      revoked: idsOf(order),
      failed: [],
    });
    expect(console.vouchers()).toEqual([]);
    expect(new Set(await statesOf(api.admin, order))).toEqual(new Set(['revoked']));
  });

  test('one that the console does not revoke stays as it is, and is told with the reason', async () => {
    const order = await place(api.admin, siteId, 5);
    console.fault({ kind: 'bad-gateway', on: 'delete', times: 1 });
    const { body } = await revoke(api.admin, { orderId: order.id });
    const { revoked, failed } = body as WebSchema<'Revocations'>;
    expect(failed).toMatchObject([
      { voucherId: expect.any(Number), reason: { de: expect.any(String), nl: expect.any(String) } },
    ]);
    const open = failed[0]?.voucherId;
    expect([...revoked, open].sort()).toEqual(idsOf(order).sort());
    const states = await statesOf(api.admin, order);
    expect(states.filter((state) => state === 'valid')).toHaveLength(1);
    expect(states[idsOf(order).indexOf(open ?? 0)]).toBe('valid');
    expect(console.vouchers()).toHaveLength(1);
  });
});
