import { beforeEach, expect, test } from '@jest/globals';
import type { Voucher } from '../../../src/vouchers/voucherTable.js';
import { addSite, someRecord, someTime, someVoucher } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

export const voucherListConformance = (shared: () => Shared): void => {
  let place: { siteId: number; controllerId: number };
  beforeEach(async () => {
    place = await addSite(shared().tables);
  });
  const record = (values: Partial<Voucher>, at = place): Promise<boolean> =>
    shared().tables.vouchers.record(someRecord(at, { voucher: someVoucher(values) }));
  const codes = async (limit = 200) =>
    (await shared().tables.vouchers.newest(place.siteId, limit)).map(({ code }) => code);

  test('a voucher comes back as it was recorded, with numbers for what is 64 bits wide', async () => {
    const voucher: Voucher = {
      code: '0000000001',
      name: "2026-11-14_O'Neill; drop table vouchers 🎉",
      maxUses: 2_147_483_647,
      expireMinutes: 2_147_483_647,
      status: 'used',
      usedCount: 7,
      createdAt: 8_640_000_000_000_000,
      expiresAt: 8_640_000_000_000_000,
    };
    await record(voucher);
    expect(await shared().tables.vouchers.newest(place.siteId, 200)).toStrictEqual([voucher]);
  });

  test('vouchers are ordered newest first by created_at', async () => {
    for (const [code, age] of Object.entries({ first: 2, second: 0, third: 1 }))
      await record({ code, createdAt: someTime - age });
    expect(await codes()).toEqual(['second', 'third', 'first']);
  });

  test('of equal created_at the later recorded comes first', async () => {
    for (const code of ['a', 'b', 'c']) await record({ code });
    expect(await codes()).toEqual(['c', 'b', 'a']);
  });

  test('at most 200 elements are returned, and they are the newest', async () => {
    const all = Array.from({ length: 203 }, (_, index) => index);
    await Promise.all(all.map((index) => record({ code: String(index), createdAt: someTime + index })));
    expect(await codes()).toEqual(
      all
        .slice(3)
        .reverse()
        .map((index) => String(index)),
    );
  });

  test('only vouchers of the site are listed', async () => {
    const other = await addSite(shared().tables);
    await record({ code: 'here' });
    await record({ code: 'there' }, other);
    expect(await codes()).toEqual(['here']);
  });

  test('a site without vouchers has an empty list, whether it exists or not', async () => {
    expect(await codes()).toEqual([]);
    expect(await shared().tables.vouchers.newest(2_147_483_647, 200)).toEqual([]);
  });
};
