import { expect, test } from '@jest/globals';
import { nextRetryDelayMs, retrySchedule, totalRetryMs } from '../../src/lib/retrySchedule.js';
import { maxRetryDelayMs } from '../../src/outbox/outboxTable.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const asPublished = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
/** The numbers of the tries that may fail and have another one after them. */
const failing = asPublished.map((_, index) => index).slice(1);

const delay = (
  tries: number,
  values: Partial<Parameters<typeof nextRetryDelayMs>[0]> = {},
): number | undefined => nextRetryDelayMs({ tries, ageMs: 0, random: 0.5, ...values });

test('tries come 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h after the one before', () => {
  expect(retrySchedule).toEqual(asPublished);
  expect(failing.map((tries) => delay(tries))).toEqual(asPublished.slice(1));
});

test('the last try comes 75 h 35 min 5 s after the first', () => {
  expect(totalRetryMs).toBe(75 * hour + 35 * minute + 5 * second);
});

test('each delay is up to 20 % shorter or longer, by chance', () => {
  for (const tries of failing) {
    const planned = asPublished[tries]!;
    expect(delay(tries, { random: 0 })).toBe(planned * 0.8);
    expect(delay(tries, { random: 1 })).toBe(planned * 1.2);
    const drawn = delay(tries, { random: 0.123_456_789 })!;
    expect(drawn).toBeGreaterThan(planned * 0.8);
    expect(drawn).toBeLessThan(planned);
    expect(Number.isInteger(drawn)).toBe(true);
  }
});

test('there is no try after the tenth', () => {
  expect(delay(9)).toBe(24 * hour);
  expect(delay(10)).toBeUndefined();
  expect(delay(10, { afterSeconds: 60 })).toBeUndefined();
});

test('no try comes earlier than the target asked for', () => {
  expect(delay(1, { afterSeconds: 30 })).toBe(30 * second);
  expect(delay(1, { afterSeconds: 30, random: 0 })).toBe(30 * second);
  expect(delay(1, { afterSeconds: 64.57 })).toBe(64_570);
});

test('a target that asks for less than the schedule does not make it shorter', () => {
  expect(delay(2, { afterSeconds: 1, random: 0 })).toBe(4 * minute);
  expect(delay(1, { afterSeconds: 0 })).toBe(5 * second);
});

test('a target puts a try off for 24 hours at most', () => {
  expect(delay(1, { afterSeconds: 24 * 60 * 60 })).toBe(24 * hour);
  expect(delay(1, { afterSeconds: 1e12 })).toBe(24 * hour);
  expect(delay(1, { afterSeconds: Infinity })).toBe(24 * hour);
});

test('what waited behind others for longer than all tries take is not tried again', () => {
  expect(delay(1, { ageMs: totalRetryMs * 1.2 })).toBe(5 * second);
  expect(delay(1, { ageMs: totalRetryMs * 1.2 + 1 })).toBeUndefined();
});

test('no try is put off for longer than what is taken for a time of a wrong clock', () => {
  for (const tries of failing)
    for (const afterSeconds of [0, 10 ** 9])
      expect(delay(tries, { random: 1, afterSeconds })).toBeLessThan(maxRetryDelayMs);
});
