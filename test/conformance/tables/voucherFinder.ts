import { beforeEach, expect, test } from '@jest/globals';
import { searchWindow } from '../../../src/vouchers/search/searchPlan.js';
import { insertRows } from '../../../src/database/transactions.js';
import type { VoucherCriteria } from '../../../src/vouchers/search/voucherCriteria.js';
import { toSearchWords } from '../../../src/vouchers/searchWords.js';
import type { Voucher, VoucherRecord } from '../../../src/vouchers/voucherTable.js';
import { addSite, someRecord, someTime as now, someVoucher } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';
import { possibleCreators } from '../../../src/vouchers/origin.js';

export const voucherFinderConformance = (shared: () => Shared): void => {
  let place: { siteId: number; controllerId: number };
  beforeEach(async () => {
    place = await addSite(shared().tables);
  });
  const record = async (
    values: Partial<Voucher>,
    {
      revokedAt = null,
      ...more
    }: { revokedAt?: number | null } & Partial<
      Pick<VoucherRecord, 'source' | 'actorKind' | 'profileId'>
    > = {},
    at = place,
  ): Promise<void> => {
    const made = someRecord(at, { ...more, voucher: someVoucher(values) });
    await shared().tables.vouchers.record(made);
    await shared()
      .database.write('vouchers')
      .where({ intent_id: made.intentId })
      .update({ revoked_at: revokedAt });
  };
  const names = async (criteria: VoucherCriteria, limit = 100): Promise<string[]> =>
    (
      await shared().tables.voucherFinder.find({ siteIds: [place.siteId], ...criteria }, { limit, now })
    ).vouchers.map(({ name }) => name);

  test('pages go on where the last one ended, newest first, also among equal times', async () => {
    for (const name of ['a', 'b', 'c']) await record({ name, createdAt: now });
    await record({ name: 'older', createdAt: now - 1 });
    const { voucherFinder } = shared().tables;
    const all: string[] = [];
    let before: { createdAt: number; id: number } | undefined;
    do {
      const { vouchers, next } = await voucherFinder.find(
        { siteIds: [place.siteId] },
        { before, limit: 2, now },
      );
      all.push(...vouchers.map(({ name }) => name));
      before = next;
    } while (before);
    expect(all).toEqual(['c', 'b', 'a', 'older']);
  });

  test('several sites are merged by time', async () => {
    const other = await addSite(shared().tables);
    await record({ name: 'first', createdAt: now - 2 });
    await record({ name: 'second', createdAt: now - 1 }, {}, other);
    await record({ name: 'third', createdAt: now });
    const siteIds = [place.siteId, other.siteId];
    expect(await names({ siteIds })).toEqual(['third', 'second', 'first']);
    expect(await names({ siteIds }, 2)).toEqual(['third', 'second']);
    expect(await names({ siteIds: [] })).toEqual([]);
    expect(await names({ siteIds: Array.from({ length: 30 }, (_, index) => 1_000_000 + index) })).toEqual([]);
  });

  test('a state is the one of now', async () => {
    await record({ name: 'valid' });
    await record({ name: 'running', usedCount: 1, maxUses: 2, expiresAt: now + 1 });
    await record({ name: 'overdue', usedCount: 1, expiresAt: now });
    await record({ name: 'used', status: 'used', usedCount: 1, expiresAt: now + 1 });
    await record({ name: 'used and overdue', status: 'used', usedCount: 1, expiresAt: now - 1 });
    await record({ name: 'expired', status: 'expired' });
    await record({ name: 'revoked' }, { revokedAt: now });
    await record({ name: 'revoked and overdue', expiresAt: now - 1 }, { revokedAt: now });
    for (const words of [[], ['overdue'], ['used']]) {
      const found = async (state: NonNullable<VoucherCriteria['state']>) =>
        (await names({ words, state })).sort();
      const has = (list: string[]) => list.filter((name) => words.every((word) => name.includes(word)));
      expect(await found('valid')).toEqual(has(['valid']));
      expect(await found('in-use')).toEqual(has(['running']));
      expect(await found('used')).toEqual(has(['used']));
      expect(await found('expired')).toEqual(has(['expired', 'overdue', 'used and overdue']));
      expect(await found('revoked')).toEqual(has(['revoked', 'revoked and overdue']));
    }
  });

  test('who created it, the profile and the time restrict', async () => {
    await record(
      { name: 'Anna', createdAt: now - 5 },
      { source: 'Anna Berger', actorKind: 'user', profileId: 7 },
    );
    await record({ name: 'API', createdAt: now }, { source: 'API: x' });
    expect(await names({ creators: possibleCreators('Anna Berger') })).toEqual(['Anna']);
    expect(await names({ creators: possibleCreators('anna') })).toEqual([]);
    expect(await names({ profileId: 7 })).toEqual(['Anna']);
    expect(await names({ from: now - 5, to: now })).toEqual(['Anna']);
    expect(await names({ from: now })).toEqual(['API']);
    expect(await names({ profileId: 7, creators: possibleCreators('x') })).toEqual([]);
  });

  test('a user who is called like a kiosk is not the kiosk', async () => {
    const source = 'Kiosk: Foyer';
    await record({ name: 'of the kiosk', createdAt: now - 1 }, { source, actorKind: 'kiosk' });
    await record({ name: 'of the user', createdAt: now - 2 }, { source, actorKind: 'user' });
    expect(await names({ creators: possibleCreators('Foyer') })).toEqual(['of the kiosk']);
    expect(await names({ creators: possibleCreators(source) })).toEqual(['of the user']);
    const found = await names({ siteIds: undefined, words: ['of'], creators: possibleCreators(source) });
    expect(found).toEqual(['of the user']);
  });

  test('text is found by the beginnings of words and of blocks of the code', async () => {
    const code = '7412589630';
    await record({ name: '2026-11-14_Familie Müller-Weiß, Zimmer 12', code });
    await record({ name: '2026-11-14_Familie Mulde', code: '5555500000' });
    const count = async (...words: string[]): Promise<number> => (await names({ words })).length;
    for (const word of [
      'mull',
      'weiss',
      'zim',
      '12',
      code,
      code.slice(0, 3),
      code.slice(5),
      code.slice(5, 7),
    ])
      expect([word, await count(word)]).toEqual([word, 1]);
    expect(await count('mul')).toBe(2);
    expect(await count('mul', 'zimmer')).toBe(1);
    expect(await count('74125', '8963')).toBe(1);
    for (const word of ['uller', '2589', '2026', 'mullerx'])
      expect([word, await count(word)]).toEqual([word, 0]);
  });

  test('a beginning that many words have is found in all of them, whether they are few or many', async () => {
    for (let index = 0; index < 30; index += 1)
      await record({ name: `gruppe${String(index)}`, createdAt: now + index });
    const all = await names({ words: ['gruppe'] });
    expect(all).toEqual(Array.from({ length: 30 }, (_, index) => `gruppe${String(29 - index)}`));
    expect(await names({ words: ['gruppe', 'gruppe1'] })).toHaveLength(11);
    // More than are sorted.
    const { database } = shared();
    await insertRows(
      database.write,
      'voucher_words',
      Array.from({ length: 1001 }, (_, index) => ({
        word: `gruppeohne${String(index)}`,
        created_at: now,
        voucher_id: -index,
      })),
    );
    expect(await names({ words: ['gruppe'] })).toEqual(all);
  });

  /** More vouchers than a page looks through, each a millisecond older than the one before. */
  const recordMany = async (
    count: number,
    valuesOf: (age: number) => { words: readonly string[]; source?: string; expires_at?: number },
  ): Promise<void> => {
    const rows = Array.from({ length: count }, (_, age) => {
      const { words, ...values } = valuesOf(age);
      const id = `${String(place.siteId)}-${String(age)}`;
      return {
        ...{ site_id: place.siteId, controller_id: place.controllerId, controller_voucher_id: id },
        ...{ intent_id: id, code: id, name: String(age), max_uses: 1, expire_minutes: 480 },
        ...{ status: 'valid', used_count: 0, created_at: now - age, source: 'desk', expires_at: null },
        ...values,
        words: JSON.stringify(words),
      };
    });
    await insertRows(shared().database.write, 'vouchers', rows);
  };
  const pagesOf = async (criteria: VoucherCriteria): Promise<string[][]> => {
    const pages: string[][] = [];
    let before: { createdAt: number; id: number } | undefined;
    do {
      const { vouchers, next } = await shared().tables.voucherFinder.find(
        { siteIds: [place.siteId], ...criteria },
        { before, limit: 100, now },
      );
      pages.push(vouchers.map(({ name }) => name));
      before = next;
    } while (before);
    return pages;
  };

  test('a page that looked through many vouchers ends before it is full, and the next one goes on', async () => {
    const [word, source] = [`neu${String(place.siteId)}`, `Quelle ${String(place.siteId)}`];
    // Each is common, and only one voucher, the oldest, has both.
    const count = 2 * searchWindow + 200;
    await recordMany(count, (age) => ({
      words: age < count / 2 || age === count - 1 ? [word] : ['anderes'],
      ...(age >= count / 2 && { source, actor_kind: 'user' }),
    }));
    const pages = await pagesOf({ words: [word], creators: [{ source, kind: 'user' }] });
    expect(pages[0]).toEqual([]);
    expect(pages.flat()).toEqual([String(count - 1)]);
    // Alone, each of them fills its pages.
    const found = (await pagesOf({ words: [word] })).flat();
    expect(found).toHaveLength(count / 2 + 1);
    expect(new Set(found).size).toBe(found.length);
  });

  test('vouchers that have expired since the last sync are all found, however many', async () => {
    const count = searchWindow + 150;
    await recordMany(count, () => ({ words: [], expires_at: now - 1 }));
    expect((await pagesOf({ state: 'expired' })).flat()).toEqual(
      Array.from({ length: count }, (_, age) => String(age)),
    );
    expect((await pagesOf({ state: 'valid' })).flat()).toEqual([]);
  });

  test('a voucher that two words find is found once', async () => {
    await record({ name: 'Bergheim Berger' });
    expect(await names({ words: ['berg'] })).toEqual(['Bergheim Berger']);
  });

  test('words hold letters and digits only, and are not many', () => {
    const name = `2026-11-14_${'"a%_\\ \u0000'.repeat(40)} ${'x'.repeat(300)}`;
    const words = toSearchWords({ name, code: '12345-67890' });
    expect(words.length).toBeLessThan(20);
    expect(words.every((word) => /^[\p{L}\p{N}]{1,40}$/u.test(word))).toBe(true);
    expect(words).toEqual(expect.arrayContaining(['a', '1234567890', '67890']));
  });
};
