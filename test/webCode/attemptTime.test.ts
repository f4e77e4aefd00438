import { expect, test } from '@jest/globals';
import { attemptTimeOf } from '../../web/src/pages/webhooks/attemptTime.js';

const now = Date.parse('2026-11-14T09:30:00.000Z');
const before = '2026-11-14T09:23:00.000Z';
const after = '2026-11-14T09:37:00.000Z';

test.each([
  ['an attempt to come', 'waiting', after, true, 'next'],
  ['an attempt whose time has come', 'waiting', before, true, 'due'],
  ['an attempt of a webhook that is off', 'waiting', after, false, 'off'],
  ['a delivery that arrived', 'delivered', before, true, 'last'],
  ['a delivery that failed for good', 'failed', before, false, 'last'],
] as const)('the time of %s', (_, state, at, isActive, expected) => {
  expect(attemptTimeOf({ state, at }, { isActive, isHeld: false, now })).toBe(expected);
});

test('what waits behind one that fails again and again is not sent shortly', () => {
  const held = { isActive: true, isHeld: true, now };
  expect(attemptTimeOf({ state: 'waiting', at: before }, held)).toBe('held');
  expect(attemptTimeOf({ state: 'waiting', at: after }, held)).toBe('next');
});
