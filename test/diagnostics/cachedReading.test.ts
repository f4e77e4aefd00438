import { expect, test } from '@jest/globals';
import { makeCachedReading } from '../../src/diagnostics/cachedReading.js';

const never = new Promise<never>(() => undefined);

test('callers share a pending read, and each waits for the timeout at most', async () => {
  let reads = 0;
  const read = makeCachedReading(() => ((reads += 1), never), { timeoutMs: 1 });
  const answers = await Promise.all([read(), read(), read()]);
  expect(answers).toEqual(answers.map(() => ({ value: undefined, isCurrent: false })));
  expect(await read()).toEqual({ value: undefined, isCurrent: false });
  expect(reads).toBe(1);
});

test('a value is used again for a multiple of what it has cost', async () => {
  let reads = 0;
  const read = async (): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return (reads += 1);
  };
  const cached = makeCachedReading(read, { timeoutMs: 600_000, validShare: 1e9 });
  expect(await cached()).toEqual({ value: 1, isCurrent: true });
  expect(await cached()).toEqual({ value: 1, isCurrent: true });
  const fresh = makeCachedReading(read, { timeoutMs: 600_000, validShare: 0 });
  expect(await fresh()).toEqual({ value: 2, isCurrent: true });
  expect(await fresh()).toEqual({ value: 3, isCurrent: true });
});

/** Reads that take as long, and end, as a test says. */
const makeSlowReading = () => {
  const state = { now: 0, costMs: 0, fails: false, reads: 0 };
  const read = makeCachedReading(
    () => {
      state.now += state.costMs;
      state.reads += 1;
      return state.fails ? Promise.reject(new Error('no')) : Promise.resolve('yes');
    },
    { timeoutMs: 600_000, now: () => state.now },
  );
  return { state, read };
};

test.each([
  { costMs: 100, fails: false, validMs: 5000 },
  { costMs: 6000, fails: false, validMs: 30_000 },
  { costMs: 100, fails: true, validMs: 100 },
  { costMs: 6000, fails: true, validMs: 5000 },
])('a read that took $costMs ms counts for $validMs ms (failed: $fails)', async ({ validMs, ...how }) => {
  const { state, read } = makeSlowReading();
  Object.assign(state, how);
  expect((await read()).isCurrent).toBe(!how.fails);
  state.now += validMs - 1;
  expect((await read()).isCurrent).toBe(!how.fails);
  expect(state.reads).toBe(1);
  state.now += 1;
  state.fails = false;
  expect(await read()).toEqual({ value: 'yes', isCurrent: true });
  expect(state.reads).toBe(2);
});

test('after a failure the last value stays, and is not current', async () => {
  let fails = false;
  const read = makeCachedReading(() => (fails ? Promise.reject(new Error('no')) : Promise.resolve('yes')), {
    timeoutMs: 600_000,
    validShare: 0,
  });
  expect(await read()).toEqual({ value: 'yes', isCurrent: true });
  fails = true;
  expect(await read()).toEqual({ value: 'yes', isCurrent: false });
  fails = false;
  expect(await read()).toEqual({ value: 'yes', isCurrent: true });
});
