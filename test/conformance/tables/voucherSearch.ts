import { beforeEach, expect, test } from '@jest/globals';
import type { VoucherFilter } from '../../../src/vouchers/search/codeSearch.js';
import type { Voucher } from '../../../src/vouchers/voucherTable.js';
import { addSite, someRecord, someTime as now, someVoucher } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

export const voucherSearchConformance = (shared: () => Shared): void => {
  let place: { siteId: number; controllerId: number };
  beforeEach(async () => {
    place = await addSite(shared().tables);
  });
  const record = async (values: Partial<Voucher>, controllerVoucherId?: string | null, at = place) => {
    const id = controllerVoucherId === undefined ? {} : { controllerVoucherId };
    await shared().tables.vouchers.record(someRecord(at, { voucher: someVoucher(values), ...id }));
  };
  const search = () => shared().tables.voucherSearch;
  const names = async (filter: VoucherFilter, limit = 100) =>
    (await search().newest(place.siteId, filter, now, limit)).map(({ name }) => name);

  test('the newest of a site come first, of equal times the later recorded', async () => {
    await record({ name: 'b', createdAt: now });
    await record({ name: 'c', createdAt: now });
    await record({ name: 'a', createdAt: now - 1 });
    await record({ name: 'elsewhere' }, undefined, await addSite(shared().tables));
    expect(await names({})).toEqual(['c', 'b', 'a']);
    expect(await names({}, 2)).toEqual(['c', 'b']);
  });

  test('a status is the one of now', async () => {
    await record({ name: 'never used' });
    await record({ name: 'running', expiresAt: now + 1 });
    await record({ name: 'just over', expiresAt: now });
    await record({ name: 'used', status: 'used', expiresAt: now + 1 });
    await record({ name: 'used and over', status: 'used', expiresAt: now - 1 });
    await record({ name: 'gone', status: 'expired' });
    expect((await names({ status: 'valid' })).sort()).toEqual(['never used', 'running']);
    expect(await names({ status: 'used' })).toEqual(['used']);
    expect((await names({ status: 'expired' })).sort()).toEqual(['gone', 'just over', 'used and over']);
  });

  test('a part of a name is taken literally, and case does not count', async () => {
    for (const name of ['Familie Ärger', '100% sicher', '100 sicher', 'a_b', 'axb', 'hey!', 'back\\slash'])
      await record({ name });
    expect(await names({ nameContains: 'FAMILIE' })).toEqual(['Familie Ärger']);
    expect(await names({ nameContains: 'Ärger' })).toEqual(['Familie Ärger']);
    expect(await names({ nameContains: '0%' })).toEqual(['100% sicher']);
    expect(await names({ nameContains: 'a_b' })).toEqual(['a_b']);
    expect(await names({ nameContains: 'y!' })).toEqual(['hey!']);
    expect(await names({ nameContains: 'k\\s' })).toEqual(['back\\slash']);
    expect(await names({ nameContains: "' or 1=1 --" })).toEqual([]);
  });

  test('a code finds every voucher that has it, with where it is', async () => {
    const elsewhere = await addSite(shared().tables);
    await record({ code: '7777700000', createdAt: now }, 'id of the first');
    await record({ code: '7777700000', name: 'another', createdAt: now + 1 }, null, elsewhere);
    const found = await search().byCode('7777700000');
    expect(found).toStrictEqual([
      {
        ...someVoucher({ code: '7777700000', name: 'another', createdAt: now + 1 }),
        ...elsewhere,
        id: expect.any(Number),
        controllerVoucherId: null,
        codeBlock: null,
      },
      {
        ...someVoucher({ code: '7777700000', createdAt: now }),
        ...place,
        id: expect.any(Number),
        controllerVoucherId: 'id of the first',
        codeBlock: null,
      },
    ]);
    expect(await search().byCode('7777700001')).toEqual([]);
  });
};
