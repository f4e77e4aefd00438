import { expect, test } from '@jest/globals';
import { addSite } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

export const voucherStatisticsConformance = (shared: () => Shared): void => {
  let codes = 0;
  const record = async (
    site: { siteId: number; controllerId: number },
    createdAt: number,
    fields: Record<string, unknown> = {},
  ): Promise<void> => {
    const code = `statistics ${String((codes += 1))}`;
    await shared()
      .database.write('vouchers')
      .insert({
        site_id: site.siteId,
        controller_id: site.controllerId,
        code,
        name: code,
        max_uses: 1,
        expire_minutes: 1,
        status: 'valid',
        used_count: 0,
        created_at: createdAt,
        expires_at: null,
        ...fields,
      });
  };

  test('vouchers are counted by site and span; the end of a span is not part of it', async () => {
    const { tables } = shared();
    const [one, two, other] = [await addSite(tables), await addSite(tables), await addSite(tables)];
    for (const at of [99, 100, 199, 200, 299, 300]) await record(one, at, { used_count: at % 2 });
    await record(two, 250, { used_count: 7 });
    await record(other, 150);
    const spans = [
      { from: 100, to: 200 },
      { from: 200, to: 300 },
      { from: 300, to: 300 },
    ];
    expect(await tables.voucherStatistics.created([one.siteId, two.siteId], spans)).toEqual([
      { siteId: one.siteId, span: 0, created: 2, used: 1 },
      { siteId: one.siteId, span: 1, created: 2, used: 1 },
      { siteId: two.siteId, span: 1, created: 1, used: 1 },
    ]);
    expect(await tables.voucherStatistics.created([], spans)).toEqual([]);
    expect(await tables.voucherStatistics.created([one.siteId], [])).toEqual([]);
  });

  test('vouchers are valid while they have neither expired nor been used up', async () => {
    const { tables } = shared();
    const [one, empty] = [await addSite(tables), await addSite(tables)];
    await record(one, 1);
    await record(one, 1, { expires_at: 1001 });
    await record(one, 1, { expires_at: 1000 });
    await record(one, 1, { expires_at: 2000, used_count: 2 });
    await record(one, 1, { used_count: 1 });
    await record(one, 1, { expires_at: 1000, used_count: 1 });
    await record(one, 1, { status: 'used', used_count: 1 });
    await record(one, 1, { status: 'expired' });
    const span = { from: 1000, to: 2000 };
    expect(await tables.voucherStatistics.usable([one.siteId, empty.siteId], span)).toEqual([
      { siteId: one.siteId, valid: 4, inUse: 2, ending: 1 },
      { siteId: empty.siteId, valid: 0, inUse: 0, ending: 0 },
    ]);
  });
};
