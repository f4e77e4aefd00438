import { expect, test } from '@jest/globals';
import { readInBatches } from '../../src/lib/collections.js';

/** A list of numbers that tells how far it was read and whether it was let go. */
const numbers = (length: number) => {
  const list = { given: 0, released: false };
  const items = (async function* () {
    try {
      while (list.given < length) yield list.given++;
    } finally {
      list.released = true;
    }
  })();
  return { list, items };
};
const never = new AbortController().signal;
const all = async <T>(batches: AsyncIterable<T>): Promise<T[]> => {
  const taken: T[] = [];
  for await (const batch of batches) taken.push(batch);
  return taken;
};

test.each([
  [0, []],
  [1, [[0]]],
  [3, [[0, 1, 2]]],
  [4, [[0, 1, 2], [3]]],
  [
    6,
    [
      [0, 1, 2],
      [3, 4, 5],
    ],
  ],
])('%i items are taken in batches of 3, and none is missing', async (length, batches) => {
  expect(await all(readInBatches(numbers(length).items, 3, never))).toEqual(batches);
});

test('no more of the list is read than the batch that is worked on', async () => {
  const { list, items } = numbers(50_000);
  const read: number[] = [];
  for await (const batch of readInBatches(items, 500, never)) read.push(list.given - (batch[0] ?? NaN));
  expect(new Set(read)).toEqual(new Set([500]));
});

test('everybody else has a turn between two batches', async () => {
  let turns = 0;
  let over = false;
  const turn = (): void => {
    turns++;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  const seen: number[] = [];
  for await (const batch of readInBatches(numbers(30).items, 10, never))
    if (batch.length > 0) seen.push(turns);
  over = true;
  expect(seen).toHaveLength(3);
  expect(seen[1]!).toBeGreaterThan(seen[0]!);
  expect(seen[2]!).toBeGreaterThan(seen[1]!);
});

test('a list that fails fails the work, after what came before', async () => {
  const items = (async function* () {
    yield 1;
    yield 2;
    throw new Error('abgebrochen');
  })();
  const taken: number[][] = [];
  const work = async () => {
    for await (const batch of readInBatches(items, 1, never)) taken.push(batch);
  };
  await expect(work()).rejects.toThrow('abgebrochen');
  expect(taken).toEqual([[1], [2]]);
});

test('a list that hangs ends when the signal is aborted, with its reason', async () => {
  const abort = new AbortController();
  const hanging = (async function* () {
    yield 1;
    await new Promise(() => undefined);
  })();
  const taking = all(readInBatches(hanging, 10, abort.signal));
  abort.abort(new Error('lange genug'));
  await expect(taking).rejects.toThrow('lange genug');
});

test('nothing is read once the signal is aborted', async () => {
  const { list, items } = numbers(10);
  const signal = AbortSignal.abort(new Error('zu spät'));
  await expect(all(readInBatches(items, 3, signal))).rejects.toThrow('zu spät');
  expect(list.given).toBe(0);
});

test('a list that nobody reads to its end is let go', async () => {
  const { list, items } = numbers(10);
  for await (const batch of readInBatches(items, 3, never)) if (batch.length > 0) break;
  expect(list).toEqual({ given: 3, released: true });
});
