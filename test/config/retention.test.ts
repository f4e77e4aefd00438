import { expect, test } from '@jest/globals';
import { readConfig } from '../../src/config/config.js';
import { findUnknownSettings } from '../../src/config/unknownSettings.js';

const settings = [
  'RETAIN_VOUCHERS_DAYS',
  'RETAIN_ORDERS_DAYS',
  'RETAIN_DELIVERIES_DAYS',
  'RETAIN_EMAILS_DAYS',
  'RETAIN_USAGE_DAYS',
];

test.each(settings)('%s takes whole days within its bounds, and nothing else', (name) => {
  const least = name === 'RETAIN_USAGE_DAYS' ? 2 : 1;
  for (const value of [String(least), '30', '36500'])
    expect(Object.values(readConfig({ [name]: value }).retention)).toContain(Number(value));
  const wrong = [
    String(least - 1),
    '-1',
    '1e9',
    '30d',
    '30.5',
    '36501',
    ' 30',
    '0x10',
    '٣٠',
    '9'.repeat(65_536),
  ];
  for (const value of wrong)
    expect(() => readConfig({ [name]: value })).toThrow(
      `${name}: "${value}" is not allowed: a whole number from ${String(least)} to 36500, or nothing`,
    );
});

test('an empty setting counts as not set', () => {
  const empty = Object.fromEntries(settings.map((name) => [name, '']));
  expect(readConfig(empty).retention).toEqual(readConfig({}).retention);
});

test('the days of deliveries hold for those that failed, too', () => {
  const { deliveredDays, failedDays } = readConfig({ RETAIN_DELIVERIES_DAYS: '3' }).retention;
  expect([deliveredDays, failedDays]).toEqual([3, 3]);
});

test('a misspelt setting is reported', () => {
  expect(findUnknownSettings({ RETAIN_VOUCHER_DAYS: '30' })).toEqual([
    { name: 'RETAIN_VOUCHER_DAYS', meant: 'RETAIN_VOUCHERS_DAYS' },
  ]);
});
