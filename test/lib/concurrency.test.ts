import { expect, test } from '@jest/globals';
import { limitConcurrencyByKey, QueueFull } from '../../src/lib/concurrency.js';

/** Tasks that end when the test ends them. */
const makeTasks = () => {
  const ends: (() => void)[] = [];
  const task = () => new Promise<void>((resolve) => ends.push(resolve));
  return { ends, task };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('at most so many tasks with one key run at a time, and all the others run later', async () => {
  const limit = limitConcurrencyByKey(2);
  const { ends, task } = makeTasks();
  const all = Array.from({ length: 5 }, () => limit('host', task));
  for (let ended = 0; ended < 5; ended += 1) {
    await turn();
    expect(ends).toHaveLength(Math.min(5, ended + 2));
    ends[ended]?.();
  }
  await Promise.all(all);
});

test('tasks with other keys do not wait', async () => {
  const limit = limitConcurrencyByKey(1);
  const { ends, task } = makeTasks();
  const all = ['one', 'two', 'three'].map((key) => limit(key, task));
  await turn();
  expect(ends).toHaveLength(3);
  for (const end of ends) end();
  await Promise.all(all);
});

test('a task that fails lets the next one run', async () => {
  const limit = limitConcurrencyByKey(1);
  await expect(limit('host', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await expect(limit('host', () => Promise.resolve('next'))).resolves.toBe('next');
});

test('a task beyond those that may wait is refused, and later ones are taken again', async () => {
  const limit = limitConcurrencyByKey(1, 1);
  const { ends, task } = makeTasks();
  const taken = [limit('host', task), limit('host', task)];
  await expect(limit('host', task)).rejects.toBeInstanceOf(QueueFull);
  for (let ended = 0; ended < 2; ended += 1) {
    await turn();
    ends[ended]?.();
  }
  await Promise.all(taken);
  await expect(limit('host', () => Promise.resolve('next'))).resolves.toBe('next');
});
