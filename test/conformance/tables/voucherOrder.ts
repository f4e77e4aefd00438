import { beforeEach, describe, expect, test } from '@jest/globals';
import { insertRows } from '../../../src/database/transactions.js';
import { searchWindow } from '../../../src/vouchers/search/searchPlan.js';
import type {
  NamePosition,
  VoucherCriteria,
  VoucherPosition,
} from '../../../src/vouchers/search/voucherCriteria.js';
import { splitIntoWords } from '../../../src/vouchers/searchWords.js';
import { addSite, someRecord, someTime as now, someVoucher } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

/** How found vouchers are sorted and put together. */
export const voucherOrderConformance = (shared: () => Shared): void => {
  let place: { siteId: number; controllerId: number };
  beforeEach(async () => {
    place = await addSite(shared().tables);
  });
  const record = async (...names: string[]): Promise<void> => {
    const vouchers = names.map((name, index) => ({
      ...someVoucher({ name }),
      createdAt: now + index,
      controllerVoucherId: crypto.randomUUID(),
    }));
    for (const voucher of vouchers)
      await shared().tables.vouchers.record({ ...someRecord(place, {}), vouchers: [voucher] });
  };
  /** One of many vouchers, as it is stored: each a millisecond older than the one before. */
  const rowOf = (name: string, age: number, words: readonly string[]) => {
    const id = `${String(place.siteId)}:${String(age)}`;
    return {
      ...{ site_id: place.siteId, controller_id: place.controllerId, controller_voucher_id: id },
      ...{ intent_id: id, code: id, name, max_uses: 1, expire_minutes: 480, status: 'valid' },
      ...{ used_count: 0, created_at: now - age, words: JSON.stringify(words) },
    };
  };
  const recordOrder = async (name: string, count: number, createdAt: number): Promise<string> => {
    const made = someRecord(place, {});
    const vouchers = Array.from({ length: count }, () => ({
      ...someVoucher({ name, createdAt }),
      controllerVoucherId: crypto.randomUUID(),
    }));
    expect(await shared().tables.vouchers.record({ ...made, vouchers })).toBe(true);
    return made.intentId;
  };

  const byTime = async (criteria: VoucherCriteria, isOldestFirst: boolean, limit = 2): Promise<string[]> => {
    const found: string[] = [];
    let before: VoucherPosition | undefined;
    do {
      const { vouchers, next } = await shared().tables.voucherFinder.find(
        { siteIds: [place.siteId], ...criteria },
        { before, isOldestFirst, limit, now },
      );
      found.push(...vouchers.map(({ name }) => name));
      before = next;
    } while (before);
    return found;
  };
  const byName = async (criteria: VoucherCriteria, isDescending = false, limit = 2): Promise<string[]> => {
    const found: string[] = [];
    let after: NamePosition | undefined;
    do {
      const { vouchers, next } = await shared().tables.voucherFinder.findByName(
        { siteIds: [place.siteId], ...criteria },
        { after, isDescending, limit, now },
      );
      found.push(...vouchers.map(({ name }) => name));
      after = next;
    } while (after);
    return found;
  };

  test('the oldest come first where a page asks for it, with every criterion', async () => {
    await record('a one', 'b one', 'c two', 'd one', 'e one');
    expect(await byTime({}, true)).toEqual(['a one', 'b one', 'c two', 'd one', 'e one']);
    expect(await byTime({ words: ['one'] }, true)).toEqual(['a one', 'b one', 'd one', 'e one']);
    expect(await byTime({ words: ['one'], state: 'valid' }, true)).toEqual([
      'a one',
      'b one',
      'd one',
      'e one',
    ]);
    expect(await byTime({ from: now + 1, to: now + 4 }, true)).toEqual(['b one', 'c two', 'd one']);
    expect(await byTime({ from: now + 1, to: now + 4 }, false)).toEqual(['d one', 'c two', 'b one']);
  });

  test('names are sorted without their dates, in either direction, each once however pages are cut', async () => {
    const names = [
      '2026-11-14_zoe',
      '2026-11-15_Anna',
      '2026-11-13_Ängel',
      '2026-11-14_anna',
      'Müller',
      '2026-11-14',
    ];
    await record(...names);
    const sorted = [
      '2026-11-14',
      '2026-11-13_Ängel',
      '2026-11-15_Anna',
      '2026-11-14_anna',
      'Müller',
      '2026-11-14_zoe',
    ];
    expect(await byName({})).toEqual(sorted);
    expect(await byName({}, true)).toEqual(sorted.toReversed());
    expect(await byName({ state: 'valid', words: ['anna'] })).toEqual(['2026-11-15_Anna', '2026-11-14_anna']);
    expect(await byName({ from: now, to: now + 2 })).toEqual(['2026-11-15_Anna', '2026-11-14_zoe']);
    expect(await byName({ words: ['nobody'] })).toEqual([]);
  });

  test('many vouchers of one name are gone through in windows', async () => {
    const count = 2 * searchWindow + 50;
    const rows = Array.from({ length: count }, (_, age) => {
      const name = age % 500 === 0 ? `x${String(age).padStart(5, '0')}` : 'Gast';
      return rowOf(name, age, age % 2 === 0 ? ['gerade'] : ['ungerade']);
    });
    await insertRows(shared().database.write, 'vouchers', rows);
    const found = await byName({ words: ['gerade'] }, false, 100);
    expect(found).toHaveLength(count / 2);
    expect(found.slice(-5)).toEqual(['x00000', 'x00500', 'x01000', 'x01500', 'x02000']);
    expect(await byName({ siteIds: undefined, words: ['gerade'] }, true, 100)).toEqual(found.toReversed());
  });

  describe('an order of many', () => {
    test('is one row where that is asked for, with how many are in which state', async () => {
      const id = await recordOrder('Tagung', 5, now);
      await recordOrder('Zimmer 1', 1, now + 1);
      expect(await byTime({ onlyFirstOfOrder: true }, false)).toEqual(['Zimmer 1', 'Tagung']);
      expect(await byName({ onlyFirstOfOrder: true })).toEqual(['Tagung', 'Zimmer 1']);
      const { database, tables } = shared();
      const own = await tables.vouchers.ofIntent(id);
      const set = (index: number, values: object) =>
        database.write('vouchers').where({ id: own[index]!.id }).update(values);
      await set(1, { revoked_at: now, status: 'expired' });
      await set(2, { used_count: 1 });
      await set(3, { status: 'used', used_count: 1, expires_at: now });
      await set(4, { status: 'expired' });
      const { vouchers } = await tables.voucherFinder.find(
        { siteIds: [place.siteId], onlyFirstOfOrder: true },
        { limit: 10, now },
      );
      const orders = await tables.orderStates.ofFirst(
        vouchers.map((voucher) => voucher.id),
        now,
      );
      expect(orders).toEqual([
        {
          ...{ id, voucherId: own[0]!.id, name: 'Tagung', count: 5 },
          states: ['expired', 'gone', 'in-use', 'revoked', 'valid'].map((state) => ({ state, count: 1 })),
        },
      ]);
    });
  });

  test('a name is found by every way to spell it', async () => {
    const names = [
      'Müller',
      'Mueller',
      'Łódź',
      'Søren',
      'Soeren',
      'Weiß',
      'Ærø',
      'Đuro',
      'Işık',
      'Þór',
      'Åberg',
    ];
    await record(...names);
    const find = async (text: string): Promise<string[]> =>
      (await byTime({ words: splitIntoWords(text) }, true, 50)).sort();
    for (const text of ['mueller', 'Müller', 'MUELL', 'müll', 'muller'])
      expect([text, await find(text)]).toEqual([text, ['Mueller', 'Müller']]);
    for (const text of ['Søren', 'soeren', 'soren'])
      expect([text, await find(text)]).toEqual([text, ['Soeren', 'Søren']]);
    for (const [text, name] of [
      ['lodz', 'Łódź'],
      ['ŁÓDŹ', 'Łódź'],
      ['weiss', 'Weiß'],
      ['weiß', 'Weiß'],
      ['aero', 'Ærø'],
      ['duro', 'Đuro'],
      ['isik', 'Işık'],
      ['thor', 'Þór'],
      ['aaberg', 'Åberg'],
      ['aberg', 'Åberg'],
    ] as const)
      expect([text, await find(text)]).toEqual([text, [name]]);
  });
};
