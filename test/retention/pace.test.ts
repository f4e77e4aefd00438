import { expect, test } from '@jest/globals';
import { makePace, nextBatch } from '../../src/retention/pace.js';

test('batches grow while they are quick, shrink when they take long, and stay within bounds', () => {
  expect(nextBatch(100, 5).size).toBe(125);
  expect(nextBatch(100, 20).size).toBe(100);
  expect(nextBatch(200, 41).size).toBe(100);
  expect(nextBatch(500, 1).size).toBe(500);
  expect(nextBatch(20, 5000).size).toBe(20);
});

test('pauses are four times as long as the batch before them, and neither very short nor very long', () => {
  expect(nextBatch(100, 1).pauseMs).toBe(20);
  expect(nextBatch(100, 30).pauseMs).toBe(120);
  expect(nextBatch(100, 60_000).pauseMs).toBe(2000);
});

interface Trial {
  readonly limits: number[];
  readonly pauses: number[];
}

/** Runs over so many rows; a row takes so long. */
const runOver = async (rows: number, msPerRow: number, abort = new AbortController()): Promise<Trial> => {
  const trial: Trial = { limits: [], pauses: [] };
  let [left, now] = [rows, 0];
  const pace = makePace({
    signal: abort.signal,
    beforeBatch: () => Promise.resolve(),
    elapsed: () => now,
    pause: (ms) => {
      trial.pauses.push(ms);
      return Promise.resolve();
    },
  });
  await pace.run((limit) => {
    trial.limits.push(limit);
    const removed = Math.min(left, limit);
    left -= removed;
    now += removed * msPerRow;
    return Promise.resolve(removed);
  });
  return trial;
};

test('it ends with the first batch that is not full', async () => {
  expect((await runOver(230, 0.01)).limits).toEqual([50, 63, 79, 99]);
  expect((await runOver(0, 0.01)).limits).toEqual([50]);
});

test('under load it takes its time: small batches, long pauses', async () => {
  const { limits, pauses } = await runOver(100, 2);
  expect(limits).toEqual([50, 25, 20, 20]);
  expect(pauses).toEqual([400, 200, 160, 40]);
});

test('an abort ends it between two batches', async () => {
  const abort = new AbortController();
  let batches = 0;
  const pace = makePace({ signal: abort.signal, beforeBatch: () => Promise.resolve() });
  const running = pace.run((limit) => {
    batches += 1;
    abort.abort(new Error('stopped'));
    return Promise.resolve(limit);
  });
  await expect(running).rejects.toThrow('stopped');
  expect(batches).toBe(1);
});

test('a lost lease ends it before the next batch', async () => {
  let [renewals, batches] = [0, 0];
  const pace = makePace({
    signal: new AbortController().signal,
    pause: () => Promise.resolve(),
    beforeBatch: () => (++renewals > 2 ? Promise.reject(new Error('lost')) : Promise.resolve()),
  });
  const running = pace.run((limit) => {
    batches += 1;
    return Promise.resolve(limit);
  });
  await expect(running).rejects.toThrow('lost');
  expect(batches).toBe(2);
});
