import { expect } from '@jest/globals';
import { mayBeHandedOut, stateAt } from '../../src/vouchers/state.js';
import { testCases } from '../support/cases.js';

const now = Date.parse('2026-11-16T10:00:00.000Z');
const [second, hour] = [1000, 3_600_000];
const voucher = { status: 'valid', usedCount: 0, expiresAt: null, revokedAt: null } as const;

testCases([
  ['one that nobody has used', {}, 'valid'],
  ['one that was used and may be used again', { usedCount: 1, expiresAt: now + hour }, 'in-use'],
  ['one that is used up', { status: 'used', usedCount: 1, expiresAt: now + hour }, 'used'],
  ['one whose time has just ended', { usedCount: 1, expiresAt: now - second }, 'expired'],
  ['one that is used up and whose time has ended', { status: 'used', expiresAt: now }, 'expired'],
  ['one that expired', { status: 'expired', expiresAt: now - second }, 'expired'],
  [
    'one that expired by a clock that is a little ahead',
    { status: 'expired', expiresAt: now + 120 * second },
    'expired',
  ],
  ['one that was never used and is no longer on its controller', { status: 'expired' }, 'gone'],
  [
    'one in use that disappeared before its time was over',
    { status: 'expired', expiresAt: now + hour },
    'gone',
  ],
  ['one that was revoked', { status: 'expired', revokedAt: now }, 'revoked'],
] as const)('the state of a voucher follows from its values and the time', (_name, values, state) => {
  expect(stateAt({ ...voucher, ...values }, now)).toBe(state);
  expect(mayBeHandedOut({ ...voucher, ...values }, now)).toBe(['valid', 'in-use', 'used'].includes(state));
});
