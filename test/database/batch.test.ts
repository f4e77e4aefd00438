import { expect, test } from '@jest/globals';
import { batchCalls } from '../../src/database/batch.js';
import { DatabaseUnavailable } from '../../src/database/unavailable.js';

/** A run that notes what it was given, and goes on when it is told to. */
const controlled = () => {
  const runs: (readonly number[])[] = [];
  const waiting: (() => void)[] = [];
  const call = batchCalls(async (items: readonly number[]) => {
    runs.push(items);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return items.map((item) => item * 10);
  });
  /** Lets the event loop turn until as many runs have begun, then lets the last go on. */
  const finish = async (count: number): Promise<void> => {
    while (runs.length < count) await new Promise((resolve) => setImmediate(resolve));
    waiting.shift()?.();
  };
  return { call, runs, finish };
};

const failingOn =
  (bad: number, runs: (readonly number[])[] = []) =>
  async (items: readonly number[]) => {
    runs.push(items);
    if (items.includes(bad)) throw new Error(`bad ${bad}`);
    return items;
  };

test('calls of one turn share a run, and each gets its own result', async () => {
  const { call, runs, finish } = controlled();
  const results = Promise.all([call(1), call(2), call(3)]);
  await finish(1);
  expect(await results).toEqual([10, 20, 30]);
  expect(runs).toEqual([[1, 2, 3]]);
});

test('what is asked while a run is under way shares the next run', async () => {
  const { call, runs, finish } = controlled();
  const first = call(1);
  while (runs.length < 1) await new Promise((resolve) => setImmediate(resolve));
  const later = Promise.all([call(2), call(3)]);
  await finish(1);
  expect(await first).toBe(10);
  await finish(2);
  expect(await later).toEqual([20, 30]);
  expect(runs).toEqual([[1], [2, 3]]);
});

test('a run begins after every call it serves', async () => {
  const { call, runs, finish } = controlled();
  const result = call(1);
  expect(runs).toEqual([]);
  await finish(1);
  expect(await result).toBe(10);
});

test('a run serves at most as many calls as allowed', async () => {
  const sizes: number[] = [];
  const call = batchCalls(async (items: readonly number[]) => {
    sizes.push(items.length);
    return items;
  }, 3);
  expect(await Promise.all([1, 2, 3, 4, 5, 6, 7].map(call))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(sizes).toEqual([3, 3, 1]);
});

test('when a run of several fails, each is run alone, so that one bad call does not fail its neighbours', async () => {
  const runs: (readonly number[])[] = [];
  const call = batchCalls(failingOn(2, runs));
  const outcomes = await Promise.allSettled([call(1), call(2), call(3)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(runs).toEqual([[1, 2, 3], [1], [2], [3]]);
});

test('when a run of one fails, it is not run again', async () => {
  const runs: (readonly number[])[] = [];
  await expect(batchCalls(failingOn(1, runs))(1)).rejects.toThrow('bad 1');
  expect(runs).toEqual([[1]]);
});

test('after a failure the next call is served', async () => {
  const call = batchCalls(failingOn(1));
  await expect(call(1)).rejects.toThrow('bad 1');
  expect(await call(2)).toBe(2);
});

test('when the database does not answer, the calls of a run fail together, and those that wait are tried once', async () => {
  const runs: (readonly number[])[] = [];
  let fail: (error: Error) => void = () => undefined;
  const call = batchCalls((items: readonly number[]) => {
    runs.push(items);
    return new Promise<readonly number[]>((_resolve, reject) => {
      fail = reject;
    });
  }, 3);
  const failRun = async (count: number): Promise<void> => {
    while (runs.length < count) await new Promise((resolve) => setImmediate(resolve));
    fail(new DatabaseUnavailable('unreachable', 'silent'));
  };
  const calls = Promise.allSettled(Array.from({ length: 10 }, (_, index) => call(index)));
  await failRun(1);
  await failRun(2);
  expect((await calls).map(({ status }) => status)).toEqual(Array(10).fill('rejected'));
  expect(runs).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ]);
});
