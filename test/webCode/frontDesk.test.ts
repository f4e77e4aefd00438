import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { emptyDraft, toOrder, type OrderDraft } from '../../web/src/pages/desk/orderDraft.ts';
import { isAllowed } from '../../web/src/vouchers/limits.ts';
import { dataUnits, durationUnits, toAmount, toEntry } from '../../web/src/vouchers/units.ts';
import { mayBeHandedOut, stateAt, type DeskSite, type VoucherState } from '../../web/src/vouchers/voucher.ts';

/** What the front desk decides without a browser. */
describe('the state that is shown', () => {
  const now = Date.parse('2026-11-16T10:00:00.000Z');
  const later = '2026-11-16T12:00:00.000Z';
  const earlier = '2026-11-16T09:59:59.000Z';
  const cases: readonly (readonly [string, VoucherState, string | null, ReturnType<typeof stateAt>])[] = [
    ['a voucher whose time has just ended', 'in-use', earlier, 'expired'],
    ['one that expired', 'expired', earlier, 'expired'],
    ['one that expired by a clock that is a little ahead', 'expired', '2026-11-16T10:02:00.000Z', 'expired'],
    ['one that was never used and is gone from its controller', 'expired', null, 'gone'],
    ['one in use that is gone before its time is over', 'expired', later, 'gone'],
    ['one that was revoked', 'revoked', null, 'revoked'],
    ['one that is used up', 'used', later, 'used'],
  ];
  test.each(cases)('of %s', (_name, state, expiresAt, shown) => {
    expect(stateAt({ state, expiresAt }, now)).toBe(shown);
    expect(mayBeHandedOut(shown)).toBe(shown === 'used');
  });
});

test('the next guest begins with the default of the site, whatever the last one had', () => {
  const site = {
    ...{ id: 7, defaultProfileId: 2 },
    profiles: [{ id: 1 }, { id: 2 }],
  } as unknown as DeskSite;
  const limits = { maxUses: 9, expireMinutes: 5, down: 1, up: 1, quotaMb: 1 };
  const draft: OrderDraft = { siteId: 7, name: 'Berger', choice: 'own', limits, count: '3', orderId: null };
  expect(toOrder(draft, site)).toEqual({ siteId: 7, name: 'Berger', count: 3, profileId: null, limits });
  const next = { ...draft, ...emptyDraft };
  expect(toOrder(next, site)).toEqual({ siteId: 7, name: '', count: 1, profileId: 2, limits: null });
  expect(next.limits).not.toEqual(limits);
});

test('a number that is not allowed orders nothing', () => {
  const site = { id: 7, defaultProfileId: null, profiles: [] } as unknown as DeskSite;
  const draft: OrderDraft = { ...emptyDraft, siteId: 7 };
  expect(toOrder(draft, site)).toBeDefined();
  for (const count of ['', 0, 1.5, 501, 'x']) expect(toOrder({ ...draft, count }, site)).toBeUndefined();
  for (const wrong of [{ maxUses: 0 }, { expireMinutes: 0 }, { down: 3_000_000_000 }])
    expect(toOrder({ ...draft, limits: { ...draft.limits, ...wrong } }, site)).toBeUndefined();
  expect([isAllowed('maxUses', 1.5), isAllowed('quotaMb', 0), isAllowed('quotaMb', -1)]).toEqual([
    ...[false, true, false],
  ]);
});

test('a field keeps the unit that was chosen, and an amount from elsewhere has the unit that suits it', () => {
  const [minutes] = durationUnits;
  expect(toAmount({ typed: 90, unit: minutes })).toBe(90);
  expect(toEntry(90, durationUnits)).toEqual({ typed: 1.5, unit: { name: 'hours', factor: 60 } });
  expect(toEntry(0, dataUnits).typed).toBe('');
  expect(toAmount({ typed: '', unit: minutes })).toBe(0);
  // A field gives as text what is no number yet, or not in its shortest form.
  const gigabytes = dataUnits[1]!;
  expect(toAmount({ typed: '2.50', unit: gigabytes })).toBe(2500);
  expect(toAmount({ typed: '05', unit: minutes })).toBe(5);
  expect(isAllowed('quotaMb', toAmount({ typed: '99999999999999', unit: gigabytes }))).toBe(false);
});

test('there is one word for what a guest does with a voucher', () => {
  for (const page of ['audit', 'desk', 'profiles', 'vouchers'])
    expect(readFileSync(`web/src/texts/de/${page}.json`, 'utf8')).not.toMatch(/nutzungen|genutzt/i);
});
