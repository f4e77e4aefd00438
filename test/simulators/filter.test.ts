import { describe, expect } from '@jest/globals';
import { FilterError, parseFilter } from '../../simulators/unifi/filter.js';
import { voucherProperties } from '../../simulators/unifi/integrationFormat.js';
import type { SimulatedVoucher } from '../../simulators/unifi/voucherStore.js';
import { testCases } from '../support/cases.js';

const now = Date.UTC(2026, 0, 2, 12);
const voucher: SimulatedVoucher = {
  id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  objectId: '61facea3873fdb075ce28d71',
  site: 'default',
  code: '0470344703',
  name: "2026-01-02_Anna's (2.OG) *neu*",
  limit: 0,
  minutes: 480,
  down: 5000,
  up: 0,
  quotaMb: 0,
  used: 2,
  createdAt: Date.UTC(2026, 0, 2, 10),
  activatedAt: Date.UTC(2026, 0, 2, 11),
  expiresAt: Date.UTC(2026, 0, 2, 19),
};
const holds = (text: string): boolean =>
  parseFilter(
    text,
    voucherProperties(() => now),
  )(voucher);

testCases([
  "name.eq('2026-01-02_Anna''s (2.OG) *neu*')",
  "name.ne('x')",
  "name.in('x', '2026-01-02_Anna''s (2.OG) *neu*')",
  "name.notIn('x','y')",
  "name.like('2026-01-02_*')",
  "name.like('....-..-.._Anna*')",
  "name.like('*(2\\.OG) \\*neu\\*')",
  "code.eq('0470344703')",
  'id.eq(3fa85f64-5717-4562-b3fc-2c963f66afa6)',
  'id.in(3FA85F64-5717-4562-B3FC-2C963F66AFA6)',
  'createdAt.eq(2026-01-02T10:00:00Z)',
  'createdAt.ge(2026-01-02T11:00:00+01:00)',
  'createdAt.gt(2026-01-02)',
  'createdAt.lt(2026-01-02T10:00:01)',
  'authorizedGuestCount.gt(1)',
  'authorizedGuestCount.le(2)',
  'authorizedGuestLimit.isNull()',
  'txRateLimitKbps.isNull()',
  'rxRateLimitKbps.isNotNull()',
  'rxRateLimitKbps.ge(5000)',
  'expired.eq(false)',
  "and(code.eq('0470344703'), or(expired.eq(true), not(authorizedGuestCount.eq(0))))",
])('a filter that holds', (text) => {
  expect(holds(text)).toBe(true);
});

testCases([
  "name.eq('2026-01-02')",
  "name.like('2026-01-02')",
  "name.like('*(2\\.\\.G)*')",
  "name.like('*neu')",
  "code.eq('470344703')",
  'createdAt.lt(2026-01-02T10:00:00Z)',
  'authorizedGuestLimit.gt(0)',
  'rxRateLimitKbps.isNull()',
  'expired.eq(true)',
  'not(expired.eq(false))',
  "and(expired.eq(false),code.eq('1'))",
])('a filter that does not hold', (text) => {
  expect(holds(text)).toBe(false);
});

describe('what is no filter', () => {
  testCases([
    ['', 'expected'],
    ['name', "'.' expected"],
    ['name.eq(x)', 'single quotes'],
    ["name.eq('x'", "')' expected"],
    ["name.eq('x') and", 'nothing more'],
    ["name.eq('x','y')", 'takes one value'],
    ["name.gt('x')", "no function 'gt'"],
    ["id.eq('3fa85f64-5717-4562-b3fc-2c963f66afa6')", 'uuid expected'],
    ['id.eq(default)', 'no uuid'],
    ['createdAt.gt(yesterday)', 'no timestamp'],
    ['authorizedGuestCount.eq(two)', 'no integer'],
    ['site.eq(1)', 'can not be filtered'],
    ['toString.eq(1)', 'can not be filtered'],
    ['and()', 'expected'],
  ])('is refused with a reason', (text, reason) => {
    expect(() => holds(text)).toThrow(FilterError);
    expect(() => holds(text)).toThrow(reason);
  });
});
