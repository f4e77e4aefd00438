import { describe, expect, test } from '@jest/globals';
import {
  formatVoucherLabel,
  parseVoucherLabel,
  type VoucherLabel,
} from '../../../src/controllers/mikrotik/label.js';
import { parseDurationMs, parseLocalTime } from '../../../src/controllers/mikrotik/values.js';
import { testCases } from '../../support/cases.js';

const label: VoucherLabel = {
  reference: 'a/2',
  name: '2026-11-14_100 % Größe 𝒳 name=x',
  site: 'haus süd',
  createdAt: 1_763_500_000_000,
  maxUses: 1,
  expireMinutes: 480,
  down: 0,
  up: 2000,
  quotaMb: 0,
};

describe('the comment of a voucher', () => {
  testCases([label, { ...label, site: null, firstUse: { at: 1_763_500_060_000, devices: 2 } }])(
    'is ASCII, and holds all of it',
    (given) => {
      const comment = formatVoucherLabel(given);
      expect(comment).toMatch(/^voucherd [ -~]+$/);
      expect(parseVoucherLabel(comment)).toEqual(given);
    },
  );

  // Routers keep it for as long as a voucher lasts.
  testCases([
    [
      label,
      'voucherd ref=a/2 made=1763500000 limits=480,1,0,2000,0 site=haus%20s%C3%BCd name=2026-11-14_100 %25 Gr%C3%B6%C3%9Fe %F0%9D%92%B3 name=x',
    ],
    [
      { ...label, site: null, name: '', firstUse: { at: 1_763_500_060_000, devices: 2 } },
      'voucherd ref=a/2 made=1763500000 limits=480,1,0,2000,0 used=1763500060x2 name=',
    ],
  ])('is written in the same way in every version', (given, comment) => {
    expect(formatVoucherLabel(given)).toBe(comment);
    expect(parseVoucherLabel(comment)).toEqual(given);
  });

  test('whose end was cut loses a part of the name alone', () => {
    const comment = formatVoucherLabel(label);
    expect(parseVoucherLabel(comment.slice(0, -13))).toMatchObject({
      reference: 'a/2',
      up: 2000,
      site: 'haus süd',
    });
  });

  testCases([
    undefined,
    '',
    'vc-123',
    'voucherd',
    'voucherd ref=a made=x limits=1,1,1,1,1 name=a',
    'x'.repeat(65_536),
  ])('of another user is none', (comment) => expect(parseVoucherLabel(comment)).toBeUndefined());
});

testCases([
  ['0s', 0],
  ['90m', 5_400_000],
  ['1w2d3h4m5s', 788_645_000],
  ['08:00:00', 28_800_000],
  ['1d02:03:04', 93_784_000],
  ['1d 02:03:04', 93_784_000],
  ['never', 0],
  ['1'.repeat(65_536), 0],
  [undefined, 0],
])('spans of time are read in every notation of RouterOS', (text, ms) =>
  expect(parseDurationMs(text)).toBe(ms),
);

testCases([
  ['2026-11-14 09:30:00', Date.UTC(2026, 10, 14, 9, 30)],
  ['nov/14/2026 09:30:00', Date.UTC(2026, 10, 14, 9, 30)],
  ['xyz/14/2026 09:30:00', undefined],
  ['unlimited', undefined],
  ['', undefined],
  [7, undefined],
])('moments are read in every notation of RouterOS', (text, ms) => expect(parseLocalTime(text)).toBe(ms));
