import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { startRunningTimer } from '../../src/lib/runningTimer.js';
import { until } from '../support/until.js';

/** Nothing else of this process runs meanwhile. */
const block = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

test('a process that was blocked for the whole time still gets most of it', async () => {
  let isUp = false;
  startRunningTimer(400, () => (isUp = true));
  block(500);
  // In this turn all timers run that are due.
  await turn();
  expect(isUp).toBe(false);
  await until('its time is up', () => isUp);
});

test('a timer that was cancelled does not call back, in whichever part of its time', async () => {
  let calls = 0;
  const cancels = [0, 1].map(() => startRunningTimer(40, () => (calls += 1)));
  cancels[0]?.();
  block(20);
  await turn();
  cancels[1]?.();
  let isUp = false;
  startRunningTimer(80, () => (isUp = true));
  await until('the time of both is over', () => isUp);
  expect(calls).toBe(0);
});
