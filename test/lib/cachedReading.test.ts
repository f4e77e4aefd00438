import { expect, test } from '@jest/globals';
import { makeCachedReading } from '../../src/lib/cachedReading.js';

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
