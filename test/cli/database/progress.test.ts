import { expect, test } from '@jest/globals';
import { makeCopyProgress } from '../../../src/cli/database/progress.js';
import type { Io } from '../../../src/cli/io.js';

const setUp = (isTTY: boolean) => {
  let [now, printed] = [0, ''];
  const input = { isTTY } as NonNullable<Io['input']>;
  const io: Io = { env: {}, input, out: () => undefined, err: (text) => void (printed += text) };
  const listener = makeCopyProgress(io, () => now);
  return {
    after: (ms: number, done: number, phase: 'copying' | 'comparing' = 'copying') => {
      now += ms;
      listener.onProgress({ phase, table: 'vouchers', done, total: 10_000 });
    },
    printed: () => printed,
  };
};

test('a terminal shows progress once a second, with the rate and what is left', () => {
  const { after, printed } = setUp(true);
  after(0, 1000);
  after(500, 1500);
  after(500, 2000);
  after(999, 2500);
  expect(printed()).toBe('copying vouchers: 2000 of 10000 rows, 1000 per second, 8 s left\n');
});

test('a log gets a line every ten seconds; minutes are shown from 90 seconds on', () => {
  const { after, printed } = setUp(false);
  after(0, 0);
  after(9999, 200);
  expect(printed()).toBe('');
  after(1, 500);
  expect(printed()).toBe('copying vouchers: 500 of 10000 rows, 50 per second, 4 min left\n');
});

test('comparing has a rate of its own, and rows that were copied before do not count', () => {
  const { after, printed } = setUp(true);
  after(0, 9000);
  after(900, 10_000);
  after(0, 0, 'comparing');
  after(2000, 4000, 'comparing');
  expect(printed()).toBe('comparing vouchers: 4000 of 10000 rows, 2000 per second, 3 s left\n');
});
