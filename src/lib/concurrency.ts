import { CodedError } from '../errors/codedError.js';

/** More tasks wait than may. */
export class QueueFull extends CodedError<'queue-full'> {
  override readonly name = 'QueueFull';

  constructor() {
    super('queue-full', 'too many tasks wait', { kind: 'busy' });
  }
}

/**
 * Runs at most `max` tasks with the same key at a time; the others queue in order. Throws `QueueFull` beyond
 * `maxWaiting`.
 */
export const limitConcurrencyByKey = (max: number, maxWaiting = Infinity) => {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] };
    queues.set(key, queue);
    if (queue.running < max) queue.running += 1;
    else if (queue.waiting.length >= maxWaiting) throw new QueueFull();
    else await new Promise<void>((resolve) => queue.waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = queue.waiting.shift();
      // The next task takes over this one's share of `running`.
      if (next) next();
      else if ((queue.running -= 1) === 0) queues.delete(key);
    }
  };
};
