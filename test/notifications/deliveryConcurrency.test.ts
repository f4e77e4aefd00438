import { expect, test } from '@jest/globals';
import { limitConcurrencyByKey } from '../../src/notifications/deliveryWorker.js';

/** Works that end when they are told to. */
const makeWorks = () => {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  return { ends, work };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('at most so many of one name run at a time, and every other gets its turn', async () => {
  const inSlot = limitConcurrencyByKey(2);
  const { ends, work } = makeWorks();
  const all = Array.from({ length: 5 }, () => inSlot('host', work));
  for (let ended = 0; ended < 5; ended += 1) {
    await turn();
    expect(ends).toHaveLength(Math.min(5, ended + 2));
    ends[ended]?.();
  }
  await Promise.all(all);
});

test('other names do not wait', async () => {
  const inSlot = limitConcurrencyByKey(1);
  const { ends, work } = makeWorks();
  const all = ['one', 'two', 'three'].map((name) => inSlot(name, work));
  await turn();
  expect(ends).toHaveLength(3);
  for (const end of ends) end();
  await Promise.all(all);
});

test('a work that fails gives its slot back', async () => {
  const inSlot = limitConcurrencyByKey(1);
  await expect(inSlot('host', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await expect(inSlot('host', () => Promise.resolve('next'))).resolves.toBe('next');
});
