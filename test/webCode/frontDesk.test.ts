import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import {
  choiceOf,
  emptyDraft,
  siteOf,
  toOrder,
  type OrderDraft,
} from '../../web/src/pages/desk/orderDraft.ts';
import { isAllowed } from '../../web/src/vouchers/limits.ts';
import { dataUnits, durationUnits, toAmount, toEntry } from '../../web/src/vouchers/units.ts';
import { isRevocable, mayBeHandedOut, stateAt, type DeskSite } from '../../web/src/vouchers/voucher.ts';

const unlimited: DeskSite['allowance'] = {
  ...{ allowsCustom: true, maxExpireMinutes: null, maxUses: null, maxCount: null, maxPerDay: null },
  ...{ requiresName: false, leftToday: null },
};
const siteWith = (
  profiles: object[],
  defaultProfileId: number | null = null,
  allowance: Partial<DeskSite['allowance']> = {},
) =>
  ({
    id: 7,
    defaultProfileId,
    profiles,
    allowance: { ...unlimited, ...allowance },
    limitRanges: null,
  }) as unknown as DeskSite;

/** What the front desk decides without a browser. */
test('a code that nobody can use any more is not handed out', () => {
  const states = ['valid', 'in-use', 'used', 'expired', 'gone', 'revoked'] as const;
  expect(states.filter(mayBeHandedOut)).toEqual(['valid', 'in-use', 'used']);
  expect(states.filter(isRevocable)).toEqual(['valid', 'in-use']);
});

test('a voucher whose time passes while it is shown has expired, and any other is what the service says', () => {
  const states = ['valid', 'in-use', 'used', 'expired', 'gone', 'revoked'] as const;
  const end = Date.parse('2026-03-01T12:00:00Z');
  const statesAt = (now: number, expiresAt: string | null) =>
    states.map((state) => stateAt({ state, expiresAt }, now));
  expect(statesAt(end - 1, '2026-03-01T12:00:00Z')).toEqual(states);
  expect(statesAt(end, '2026-03-01T12:00:00Z')).toEqual([
    ...['expired', 'expired', 'used', 'expired', 'gone', 'revoked'],
  ]);
  expect(statesAt(end, null)).toEqual(states);
});

test('an only site is chosen beforehand; of several, the one that was chosen last', () => {
  const [first, second] = [siteWith([]), { ...siteWith([]), id: 8 }];
  const draft: OrderDraft = { ...emptyDraft, siteId: null };
  expect(siteOf(draft, [first])).toBe(first);
  expect(siteOf({ ...draft, siteId: 9 }, [first])).toBe(first);
  expect(siteOf(draft, [first, second])).toBeUndefined();
  expect(siteOf({ ...draft, siteId: 9 }, [first, second])).toBeUndefined();
  expect(siteOf({ ...draft, siteId: 8 }, [first, second])).toBe(second);
});

test('the next guest begins with the default of the site, whatever the last one had', () => {
  const site = siteWith([{ id: 1 }, { id: 2 }], 2);
  const limits = { maxUses: 9, expireMinutes: 5, down: 1, up: 1, quotaMb: 1 };
  const draft: OrderDraft = {
    ...{ siteId: 7, name: 'Berger', choice: 'own', limits, count: '3', orderId: null },
    ...{ names: null, heading: 'none', isNumbered: true },
  };
  expect(toOrder(draft, site)).toEqual({
    ...{ siteId: 7, name: 'Berger', count: 3, names: null, numbered: true },
    ...{ profileId: null, limits },
  });
  expect(toOrder({ ...draft, names: 'Anna\n\nBen' }, site)).toMatchObject({
    ...{ count: 2, names: ['Anna', 'Ben'], numbered: false },
  });
  for (const names of ['', ' \n', 'x'.repeat(256)])
    expect(toOrder({ ...draft, names }, site)).toBeUndefined();
  const next = { ...draft, ...emptyDraft };
  expect(toOrder(next, site)).toEqual({
    ...{ siteId: 7, name: '', count: 1, names: null, numbered: false },
    ...{ profileId: 2, limits: null },
  });
  expect(next.limits).not.toEqual(limits);
});

test('nothing is chosen without a default, unless there is only one profile, or none', () => {
  const draft: OrderDraft = { ...emptyDraft, siteId: 7 };
  const two = siteWith([{ id: 1 }, { id: 2 }]);
  expect(choiceOf(draft, two)).toBeNull();
  expect(toOrder(draft, two)).toBeUndefined();
  expect(toOrder({ ...draft, choice: 2 }, two)).toMatchObject({ profileId: 2, limits: null });
  expect(choiceOf(draft, siteWith([{ id: 1 }, { id: 2 }], 2))).toBe(2);
  expect(choiceOf(draft, siteWith([{ id: 1 }]))).toBe(1);
  expect(choiceOf(draft, siteWith([]))).toBe('own');
  // A choice of another site is none here.
  expect(choiceOf({ ...draft, choice: 9 }, two)).toBeNull();
});

test('a number that is not allowed orders nothing', () => {
  const site = siteWith([]);
  const draft: OrderDraft = { ...emptyDraft, siteId: 7 };
  expect(toOrder(draft, site)).toBeDefined();
  for (const count of ['', 0, 1.5, 501, 'x']) expect(toOrder({ ...draft, count }, site)).toBeUndefined();
  for (const wrong of [{ maxUses: 0 }, { expireMinutes: 0 }, { down: 3_000_000_000 }])
    expect(toOrder({ ...draft, limits: { ...draft.limits, ...wrong } }, site)).toBeUndefined();
  expect([isAllowed('maxUses', 1.5), isAllowed('quotaMb', 0), isAllowed('quotaMb', -1)]).toEqual([
    ...[false, true, false],
  ]);
});

test('what the rules of the user do not allow is not sent', () => {
  const draft: OrderDraft = { ...emptyDraft, siteId: 7 };
  const own = (allowance: Partial<DeskSite['allowance']>) => siteWith([], null, allowance);
  const two = siteWith([{ id: 1 }, { id: 2 }], null, { allowsCustom: false });
  expect(choiceOf({ ...draft, choice: 'own' }, two)).toBeNull();
  expect(toOrder(draft, own({ allowsCustom: false }))).toBeUndefined();
  // Values that nobody has typed go no further than allowed; what was typed is not changed.
  expect(toOrder(draft, own({ maxExpireMinutes: 60 }))?.limits).toMatchObject({ expireMinutes: 60 });
  const typed = { ...draft, limits: { ...draft.limits, expireMinutes: 90 } };
  expect(toOrder(typed, own({ maxExpireMinutes: 60 }))).toBeUndefined();
  expect(toOrder({ ...draft, count: 3 }, own({ maxCount: 3 }))).toBeDefined();
  expect(toOrder({ ...draft, count: 4 }, own({ maxCount: 3 }))).toBeUndefined();
  expect(toOrder({ ...draft, count: 3 }, own({ maxPerDay: 9, leftToday: 2 }))).toBeUndefined();
  expect(toOrder(draft, own({ maxPerDay: 9, leftToday: 0 }))).toBeUndefined();
  expect(toOrder({ ...draft, name: ' ' }, own({ requiresName: true }))).toBeUndefined();
  expect(toOrder({ ...draft, name: 'Zimmer 1' }, own({ requiresName: true }))).toBeDefined();
});

test('what the controller of a site can not keep is not sent', () => {
  const range = (from: number, to: number) => ({ from, to });
  const limitRanges: DeskSite['limitRanges'] = {
    ...{ expireMinutes: range(30, 90), maxUses: range(1, 9), down: null, up: null, quotaMb: range(1, 10) },
  };
  const profile = { id: 1, name: '', maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
  const siteOffering = (...profiles: object[]): DeskSite => ({ ...siteWith(profiles, 1), limitRanges });
  const draft: OrderDraft = { ...emptyDraft, siteId: 7 };
  expect(toOrder(draft, siteOffering(profile))?.profileId).toBe(1);
  for (const wrong of [{ down: 1 }, { up: 1 }, { quotaMb: 11 }, { maxUses: 10 }, { expireMinutes: 29 }]) {
    const site = siteOffering({ ...profile, ...wrong }, { ...profile, id: 2 });
    // Neither preselected nor taken from an earlier choice.
    expect(choiceOf(draft, site)).toBeNull();
    expect(choiceOf({ ...draft, choice: 1 }, site)).toBeNull();
    expect(choiceOf({ ...draft, choice: 2 }, site)).toBe(2);
    const limits = { ...draft.limits, expireMinutes: 60, ...wrong };
    expect(toOrder({ ...draft, choice: 'own', limits }, site)).toBeUndefined();
  }
  // Values that nobody has typed become possible ones.
  expect(toOrder({ ...draft, choice: 'own' }, siteOffering())?.limits).toMatchObject({ expireMinutes: 90 });
});

test('a field keeps the unit that was chosen, and an amount from elsewhere has the unit that suits it', () => {
  const [minutes] = durationUnits;
  expect(toAmount({ typed: 90, unit: minutes })).toBe(90);
  expect(toEntry(90, durationUnits)).toEqual({ typed: 1.5, unit: { name: 'hours', factor: 60 } });
  expect(toEntry(0, dataUnits).typed).toBe('');
  expect(toAmount({ typed: '', unit: minutes })).toBe(0);
  // Where only an empty field is no limit.
  const refusing = { refusesZero: true };
  expect(toAmount({ typed: '', unit: minutes }, refusing)).toBe(0);
  for (const typed of [0, '0', '0,0']) expect(toAmount({ typed, unit: minutes }, refusing)).toBeNaN();
  // A field gives as text what is no number yet, or not in its shortest form.
  const gigabytes = dataUnits[1]!;
  expect(toAmount({ typed: '2.50', unit: gigabytes })).toBe(2500);
  expect(toAmount({ typed: '05', unit: minutes })).toBe(5);
  expect(isAllowed('quotaMb', toAmount({ typed: '99999999999999', unit: gigabytes }))).toBe(false);
});

test('a number means what people mean by it, and what is not one is never turned into another', () => {
  const amount = (typed: string, group: '.' | ',' | ' '): number =>
    toAmount({ typed, unit: { name: 'hours', factor: 60 } }, { group }) / 60;
  for (const group of ['.', ',', ' '] as const) {
    for (const typed of ['1,5', '1.5', ' 1,50 ']) expect(amount(typed, group)).toBe(1.5);
    for (const typed of ['1 500', '1500', '1\u202F500', '1\u00A0500', '1500,0'])
      expect(amount(typed, group)).toBe(1500);
    for (const typed of ['-1', '1,5 h', '1.2.3', '1,2,3', '1e3', '0x10', 'NaN', '١', '.', '1-5', 'Infinity'])
      expect(amount(typed, group)).toBeNaN();
  }
  expect([amount('1,500', ','), amount('1.500', '.'), amount('1,234,567.5', ',')]).toEqual([
    1500, 1500, 1_234_567.5,
  ]);
  expect([amount('1.500', ','), amount('1,500', '.'), amount('1,500', ' ')]).toEqual([1.5, 1.5, 1.5]);
});

test('there is one word for what a guest does with a voucher', () => {
  for (const page of ['audit', 'desk', 'profiles', 'vouchers'])
    expect(readFileSync(`web/src/texts/de/${page}.json`, 'utf8')).not.toMatch(/nutzungen|genutzt/i);
});
