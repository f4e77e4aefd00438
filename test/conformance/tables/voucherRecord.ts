import { beforeEach, describe, expect, test } from '@jest/globals';
import { newId, nodeSystem } from '../../../src/lib/system.js';
import type { NewVoucher, Voucher, VoucherRecord } from '../../../src/vouchers/voucherTable.js';
import { addSite, someIntent, someRecord, someVoucher } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

export const voucherRecordConformance = (shared: () => Shared): void => {
  let place: { siteId: number; controllerId: number };
  beforeEach(async () => {
    place = await addSite(shared().tables);
  });
  const list = () => shared().tables.vouchers.newest(place.siteId, 1000);
  const revision = () => shared().tables.revisions.current(`site:${place.siteId}`);
  const notifications = (records: readonly VoucherRecord[]): Promise<unknown[]> =>
    shared()
      .database.read('notifications')
      .whereIn(
        'id',
        records.map(({ notification }) => notification.id),
      );
  const again = (
    record: VoucherRecord,
    { voucher = {}, ...values }: Partial<VoucherRecord> & { voucher?: Partial<NewVoucher> } = {},
  ): VoucherRecord => ({
    ...record,
    notification: { ...record.notification, id: newId(nodeSystem) },
    vouchers: record.vouchers.map((one) => ({ ...one, ...voucher })),
    ...values,
  });
  /** The vouchers of a record as the list shows them. */
  const shown = ({ vouchers }: VoucherRecord): Voucher[] =>
    vouchers.map(({ controllerVoucherId: _, ...voucher }) => voucher);

  test('voucher, notification, end of the intent and revision are written together', async () => {
    const { tables, database } = shared();
    const intent = someIntent(place.siteId);
    await tables.intents.begin({ intent });
    const before = await revision();
    const record = someRecord(place, { intentId: intent.id });
    expect(await tables.vouchers.record(record)).toBe(true);
    expect(await list()).toStrictEqual(shown(record));
    const { id, count, site, source, createdAt } = record.notification;
    expect(await database.read('notifications').where({ id })).toEqual([
      expect.objectContaining({ id, count, site, source, created_at: createdAt }),
    ]);
    expect((await tables.intents.all()).map((one) => one.id)).not.toContain(intent.id);
    expect(await revision()).toBe(before + 1);
  });

  test('any text and any number is stored as it was given', async () => {
    const { tables } = shared();
    const names = [
      'Zoë "die" \\ 😀',
      '\\ud800',
      '[{"a": null}]',
      "'; drop table vouchers; --",
      '0012',
      'null',
      '',
      '\t\n',
    ];
    const records = names.map((name, index) =>
      someRecord(place, {
        voucher: {
          ...someVoucher(),
          name,
          code: String(index).padStart(10, '0'),
          createdAt: Number.MAX_SAFE_INTEGER - index,
          expiresAt: index % 2 === 0 ? null : 0,
        },
      }),
    );
    await Promise.all(records.map((record) => tables.vouchers.record(record)));
    expect(await list()).toStrictEqual(records.flatMap(shown));
  });

  test('a lone surrogate is stored as U+FFFD', async () => {
    const broken = someRecord(place, { voucher: { ...someVoucher(), name: 'Zo\ud83d, \\ud83d' } });
    expect(await shared().tables.vouchers.record(broken)).toBe(true);
    expect((await list()).map(({ name }) => name)).toEqual(['Zo\ufffd, \\ud83d']);
  });

  test('a voucher created through the API is recorded without an owning user', async () => {
    await shared().tables.vouchers.record(someRecord(place));
    expect(await shared().database.read('vouchers').where('site_id', place.siteId).pluck('user_id')).toEqual([
      null,
    ]);
  });

  test('when a part can not be written, nothing is', async () => {
    const { tables } = shared();
    const first = someRecord(place);
    await tables.vouchers.record(first);
    const intent = someIntent(place.siteId);
    await tables.intents.begin({ intent });
    const before = await revision();
    const broken = someRecord(place, { intentId: intent.id, notification: first.notification });
    await expect(tables.vouchers.record(broken)).rejects.toThrow();
    expect(await list()).toEqual(shown(first));
    expect((await tables.intents.all()).map((one) => one.id)).toContain(intent.id);
    expect(await revision()).toBe(before);
  });

  test('an intent is recorded and notified once [notification-with-record]', async () => {
    const { vouchers } = shared().tables;
    const first = someRecord(place);
    const second = again(first, { voucher: { controllerVoucherId: newId(nodeSystem) } });
    expect(await vouchers.record(first)).toBe(true);
    const before = await revision();
    expect(await vouchers.record(second)).toBe(false);
    expect(await list()).toHaveLength(1);
    expect(await notifications([second])).toEqual([]);
    expect(await revision()).toBe(before);
  });

  test('a voucher of a controller is recorded once', async () => {
    const { vouchers } = shared().tables;
    const first = someRecord(place);
    const second = again(first, { intentId: newId(nodeSystem) });
    expect(await vouchers.record(first)).toBe(true);
    expect(await vouchers.record(second)).toBe(false);
    expect(await list()).toHaveLength(1);
    expect(await notifications([second])).toEqual([]);
  });

  test('two who record the same intent at the same moment record and announce it once', async () => {
    const { vouchers } = shared().tables;
    const first = someRecord(place);
    const records = [first, again(first), again(first)];
    const recorded = await Promise.all(records.map((record) => vouchers.record(record)));
    expect(await list()).toHaveLength(1);
    expect(await notifications(records)).toHaveLength(1);
    expect(recorded.filter(Boolean)).toHaveLength(1);
  });

  test("the controller's voucher id may be null, for any number of vouchers", async () => {
    const { vouchers } = shared().tables;
    const records = [1, 2].map(() => someRecord(place, { controllerVoucherId: null }));
    expect(await Promise.all(records.map((record) => vouchers.record(record)))).toEqual([true, true]);
    expect(await list()).toHaveLength(2);
  });

  test('two controllers may use the same voucher id, and the same code for another name', async () => {
    const { tables } = shared();
    const record = someRecord(place);
    const elsewhere = await addSite(tables);
    const voucher = { name: '2026-11-14_Familie Huber' };
    const other = again(record, { ...elsewhere, intentId: newId(nodeSystem), voucher });
    expect(await tables.vouchers.record(record)).toBe(true);
    expect(await tables.vouchers.record(other)).toBe(true);
  });

  test('the same code under the same name is the same voucher, whatever its controller and its id', async () => {
    const { tables } = shared();
    const record = someRecord(place);
    const others = [
      again(record, { intentId: newId(nodeSystem), voucher: { controllerVoucherId: null } }),
      again(record, {
        ...(await addSite(tables)),
        intentId: newId(nodeSystem),
        voucher: { controllerVoucherId: newId(nodeSystem) },
      }),
    ];
    expect(await tables.vouchers.record(record)).toBe(true);
    for (const other of others) expect(await tables.vouchers.record(other)).toBe(false);
    expect(await notifications(others)).toEqual([]);
  });

  test('of many records at once each is recorded, announced and answered on its own', async () => {
    const { vouchers } = shared().tables;
    const records = Array.from({ length: 250 }, (_, index) =>
      someRecord(place, { voucher: someVoucher({ code: String(index).padStart(10, '0') }) }),
    );
    const known = records.slice(0, 10);
    for (const record of known) await vouchers.record(record);
    const repeated = known.map((record) => again(record));
    const fresh = records.slice(10);
    const outcomes = await Promise.all([...repeated, ...fresh].map((record) => vouchers.record(record)));
    expect(outcomes).toEqual([...repeated.map(() => false), ...fresh.map(() => true)]);
    expect(new Set((await list()).map(({ code }) => code)).size).toBe(250);
    expect(await notifications(records)).toHaveLength(250);
    expect(await notifications(repeated)).toHaveLength(0);
  });

  test('a record that can not be written does not fail its neighbours', async () => {
    const { vouchers } = shared().tables;
    const nowhere = { siteId: 2_000_000_000, controllerId: 2_000_000_000 };
    const outcomes = await Promise.allSettled(
      [someRecord(place), someRecord(nowhere), someRecord(place)].map((record) => vouchers.record(record)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await list()).toHaveLength(2);
  });

  describe('of a controller’s vouchers is not recorded', () => {
    const { name } = someVoucher();
    const codesOf = (vouchers: readonly { code: string | undefined }[]) => vouchers.map(({ code }) => code);

    test('what has another id and another code', async () => {
      const { vouchers } = shared().tables;
      await vouchers.record(someRecord(place, { controllerVoucherId: 'known' }));
      const [known, unknown, nameless] = [
        { id: 'known', code: 'a', name },
        { id: 'unknown', code: 'b', name },
        { id: null, code: undefined, name },
      ];
      const unrecorded = await vouchers.unrecorded(place.controllerId, [known, unknown, nameless]);
      expect(unrecorded).toEqual([unknown, nameless]);
      expect(codesOf(await vouchers.unrecorded(place.controllerId + 1, [known]))).toEqual(['a']);
      expect(await vouchers.unrecorded(place.controllerId, [])).toEqual([]);
    });

    test('what has another name for the code, unless any name counts', async () => {
      const { vouchers } = shared().tables;
      const voucher = someVoucher();
      await vouchers.record(someRecord(place, { voucher }));
      const same = { id: 'its other id', code: voucher.code, name };
      const other = { ...same, name: `${name} ` };
      expect(await vouchers.unrecorded(place.controllerId + 1, [same, other])).toEqual([other]);
      expect(await vouchers.unrecorded(place.controllerId + 1, [same, other], true)).toEqual([]);
    });
  });
};
