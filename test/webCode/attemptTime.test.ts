import { expect, test } from '@jest/globals';
import { attemptTimeOf } from '../../web/src/pages/webhooks/attemptTime.js';

const now = Date.parse('2026-11-14T09:30:00.000Z');
const before = '2026-11-14T09:23:00.000Z';
const after = '2026-11-14T09:37:00.000Z';

test('the time of an attempt to come, of one that is due, of one of a webhook that is off, and of the last one', () => {
  const timeOf = (state: 'waiting' | 'delivered' | 'failed', at: string, isActive: boolean) =>
    attemptTimeOf({ state, at }, { isActive, isHeld: false, now });
  expect([
    timeOf('waiting', after, true),
    timeOf('waiting', before, true),
    timeOf('waiting', after, false),
    timeOf('delivered', before, true),
    timeOf('failed', before, false),
  ]).toEqual(['next', 'due', 'off', 'last', 'last']);
});

test('what waits behind one that fails again and again is not sent shortly', () => {
  const held = { isActive: true, isHeld: true, now };
  expect(attemptTimeOf({ state: 'waiting', at: before }, held)).toBe('held');
  expect(attemptTimeOf({ state: 'waiting', at: after }, held)).toBe('next');
});
