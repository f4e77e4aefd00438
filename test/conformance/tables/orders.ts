import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { newId, nodeSystem } from '../../../src/lib/system.js';
import type { NewAuditEntry } from '../../../src/audit/auditTable.js';
import type { PlacedOrder } from '../../../src/vouchers/orderTable.js';
import type { DailyAllowance } from '../../../src/vouchers/dailyLimitTable.js';
import type { VoucherRecord } from '../../../src/vouchers/voucherTable.js';
import { raceRounds } from '../../support/races.js';
import { addSite, someIntent, someRecord, someTime, someVoucher } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

export const orderConformance = (shared: () => Shared): void => {
  let place: { siteId: number; controllerId: number };
  beforeEach(async () => {
    place = await addSite(shared().tables);
  });

  const someOrder = (values: Partial<PlacedOrder> = {}): PlacedOrder => ({
    id: randomUUID(),
    userId: 1,
    kioskId: null,
    siteId: place.siteId,
    fingerprint: 'a',
    name: '„Größe“ 🎉',
    count: 3,
    made: 0,
    state: 'open',
    reason: null,
    createdAt: someTime,
    ...values,
  });
  const begin = (order: PlacedOrder, allowance: DailyAllowance | null = null): Promise<boolean> => {
    const intent = someIntent(place.siteId, {
      ...{ id: order.id, count: order.count, createdAt: order.createdAt },
      origin: order.kioskId === null ? 'desk' : 'kiosk',
    });
    return shared().tables.intents.begin({ intent, order: { ...order, allowance } });
  };
  const begun = async (values?: Partial<PlacedOrder>): Promise<PlacedOrder> => {
    const order = someOrder(values);
    expect(await begin(order)).toBe(true);
    return order;
  };

  const someVouchers = (count: number) =>
    Array.from({ length: count }, () => ({ ...someVoucher(), controllerVoucherId: newId(nodeSystem) }));
  const recordOf = (
    { id: intentId }: PlacedOrder,
    vouchers: VoucherRecord['vouchers'],
    reason: PlacedOrder['reason'] = null,
  ): VoucherRecord => {
    const record = someRecord(place, { intentId, vouchers, order: { reason } });
    return { ...record, notification: { ...record.notification, count: vouchers.length } };
  };
  const find = ({ id }: PlacedOrder) => shared().tables.orders.find(id);
  const codesOf = async ({ id }: PlacedOrder) =>
    (await shared().tables.vouchers.ofIntent(id)).map(({ code }) => code);
  const isOpen = async ({ id }: PlacedOrder) =>
    (await shared().tables.intents.all()).some((intent) => intent.id === id);
  const notificationsOf = (records: readonly VoucherRecord[]) =>
    shared()
      .database.read('notifications')
      .whereIn(
        'id',
        records.map(({ notification }) => notification.id),
      )
      .pluck('count');

  test('an order is stored with its intent, and its id is taken then', async () => {
    const order = await begun();
    expect(await find(order)).toStrictEqual(order);
    expect(await begin({ ...order, fingerprint: 'b' })).toBe(false);
    expect(await find(order)).toStrictEqual(order);
    expect(await shared().tables.orders.find(randomUUID())).toBeUndefined();
  });

  test('of many at once with one id, one is stored', async () => {
    const order = someOrder();
    const others = Array.from({ length: 5 }, () => someOrder());
    const outcomes = await Promise.all(
      [...Array.from({ length: 20 }, () => order), ...others].map((order) => begin(order)),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(1 + others.length);
    expect(outcomes.slice(20)).toEqual(others.map(() => true));
  });

  test('when the intent can not be stored, neither is the order', async () => {
    const order = someOrder({ siteId: 2_000_000_000 });
    const intent = someIntent(2_000_000_000, { id: order.id, origin: 'desk' });
    await expect(
      shared().tables.intents.begin({ intent, order: { ...order, allowance: null } }),
    ).rejects.toThrow();
    expect(await find(order)).toBeUndefined();
  });

  test('all vouchers of an order are recorded together, in their order, and the order is made', async () => {
    const order = await begun();
    const vouchers = someVouchers(3);
    const record = recordOf(order, vouchers);
    expect(await shared().tables.vouchers.record(record)).toBe(true);
    expect(await codesOf(order)).toEqual(vouchers.map(({ code }) => code));
    expect(await find(order)).toEqual({ ...order, state: 'made', made: 3 });
    expect(await isOpen(order)).toBe(false);
    expect(await notificationsOf([record])).toEqual([3]);
  });

  test('an order may be made in part, with a reason', async () => {
    const order = await begun();
    const reason = { code: 'only-some', values: { made: 2, count: order.count } } as const;
    await shared().tables.vouchers.record(recordOf(order, someVouchers(2), reason));
    expect(await find(order)).toEqual({ ...order, state: 'made', made: 2, reason });
  });

  test('500 vouchers are one record', async () => {
    const order = await begun({ count: 500 });
    const vouchers = someVouchers(500);
    expect(await shared().tables.vouchers.record(recordOf(order, vouchers))).toBe(true);
    expect(await codesOf(order)).toEqual(vouchers.map(({ code }) => code));
  });

  test('when one voucher is recorded for another order, none is, and the order stays open', async () => {
    const [first, second] = [await begun(), await begun()];
    const taken = someVouchers(3);
    await shared().tables.vouchers.record(recordOf(first, taken));
    const record = recordOf(second, [...someVouchers(1), ...taken.slice(1, 2), ...someVouchers(1)]);
    expect(await shared().tables.vouchers.record(record)).toBe(false);
    expect(await codesOf(second)).toEqual([]);
    expect(await codesOf(first)).toEqual(taken.map(({ code }) => code));
    expect(await find(second)).toEqual(second);
    expect(await isOpen(second)).toBe(true);
    expect(await notificationsOf([record])).toEqual([]);
  });

  test('two who record different vouchers of one order at the same moment: one of them does', async () => {
    const { vouchers: table } = shared().tables;
    for (let round = 0; round < raceRounds; round++) {
      const order = await begun({ count: 20 });
      const vouchers = someVouchers(20);
      const records = [
        recordOf(order, vouchers),
        recordOf(order, vouchers.slice(8)),
        recordOf(order, vouchers),
      ];
      const outcomes = await Promise.all(records.map((record) => table.record(record)));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      const recorded = records[outcomes.indexOf(true)];
      expect(await codesOf(order)).toEqual(recorded?.vouchers.map(({ code }) => code));
      expect(await notificationsOf(records)).toEqual([recorded?.vouchers.length]);
    }
  });

  test('an order that failed says why, and stays as it is', async () => {
    const { tables } = shared();
    const order = await begun();
    const before = await tables.revisions.current('orders');
    const reason = { code: 'controller-failed', values: { kind: 'disconnected' } } as const;
    await tables.intents.failOrder(order, reason);
    expect(await find(order)).toEqual({ ...order, state: 'failed', reason });
    expect(await isOpen(order)).toBe(false);
    expect(await tables.revisions.current('orders')).toBe(before + 1);
    await tables.intents.failOrder(order, null);
    expect(await find(order)).toMatchObject({ state: 'failed', reason });
  });

  test('an order that was made does not fail afterwards', async () => {
    const { tables } = shared();
    const order = await begun();
    await tables.vouchers.record(recordOf(order, someVouchers(3)));
    await tables.intents.failOrder(order, { code: 'unexpected', values: {} });
    expect(await find(order)).toEqual({ ...order, state: 'made', made: 3 });
  });

  test('an attempt that was given up does not fail one that came after it', async () => {
    const { tables } = shared();
    const order = await begun();
    await tables.intents.failOrder(
      { id: order.id, createdAt: order.createdAt - 1 },
      { code: 'unexpected', values: {} },
    );
    expect(await find(order)).toEqual(order);
    expect(await isOpen(order)).toBe(true);
  });

  test('an order whose outcome is open says what is known', async () => {
    const { tables } = shared();
    const order = await begun();
    const end = { at: someTime + 5, clock: { atLeast: 1, atMost: 2 }, isVoid: false };
    const reason = { code: 'none', values: {} } as const;
    await tables.intents.leaveOrderOpen(order.id, end, reason);
    expect(await find(order)).toEqual({ ...order, reason });
    const intents = await tables.intents.all();
    expect(intents.find(({ id }) => id === order.id)).toMatchObject({ ended: end, count: 3, origin: 'desk' });
  });

  test('the latest orders of a user come first, and no others', async () => {
    const userId = 1_000_000 + nodeSystem.randomBytes(3).readUIntBE(0, 3);
    const orders: PlacedOrder[] = [];
    for (let at = 0; at < 4; at++) orders.unshift(await begun({ userId, createdAt: someTime + at }));
    await begun({ userId: userId + 1 });
    expect(await shared().tables.orders.newest(userId, 3)).toEqual(orders.slice(0, 3));
  });

  test('orders that ended long ago are removed, open ones stay', async () => {
    const { tables } = shared();
    const old = { createdAt: 1000 };
    const [ended, open, recent] = [await begun(old), await begun(old), await begun()];
    await tables.intents.failOrder(ended, null);
    expect(await tables.orders.removeBefore(2000)).toBe(1);
    expect(await find(ended)).toBeUndefined();
    expect(await find(open)).toEqual(open);
    expect(await find(recent)).toEqual(recent);
  });

  test('a voucher is revoked once, and the sync does not change it any more', async () => {
    const { tables, database } = shared();
    const order = await begun();
    await tables.vouchers.record(recordOf(order, someVouchers(1)));
    const [voucher] = await tables.vouchers.ofIntent(order.id);
    const { id, siteId } = voucher!;
    const audit: NewAuditEntry = {
      at: someTime,
      actorKind: 'user',
      actorName: 'Anna',
      address: null,
      action: 'voucher.revoke',
      subjectKind: 'voucher',
      subjectId: String(id),
      subjectName: 'x',
      detail: {},
    };
    await tables.vouchers.revoke({ id, siteId }, someTime + 1, audit);
    await tables.vouchers.revoke({ id, siteId }, someTime + 2, audit);
    await tables.vouchers.correct([{ id, siteId, usedCount: 1, status: 'used', expiresAt: null }]);
    expect(await tables.vouchers.byIds([id, id + 1_000_000])).toEqual([
      { ...voucher, status: 'expired', revokedAt: someTime + 1 },
    ]);
    expect(await database.read('audit_log').where('subject_id', String(id))).toHaveLength(1);
  });
};
