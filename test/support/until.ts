import { setTimeout as pause } from 'node:timers/promises';

/** The longer something takes, and the more expensive a look is, the less often it is looked at. */
const pauseAfter = (waitedMs: number, lookMs: number): number =>
  Math.max(10, Math.min(waitedMs / 20, 50), Math.min(4 * lookMs, 200));

/**
 * Waits for something that is asynchronous by nature, and returns what the condition gave. Fails with `what` when
 * it never comes true; the deadline is generous, so no test depends on speed.
 */
export const until = async <T>(
  what: string,
  condition: () => T | false | undefined | Promise<T | false | undefined>,
  deadlineMs = 600_000,
): Promise<T> => {
  const start = performance.now();
  for (;;) {
    const looked = performance.now();
    const result = await condition();
    if (result !== false && result !== undefined) return result;
    const waitedMs = performance.now() - start;
    if (waitedMs > deadlineMs) throw new Error(`it did not happen: ${what}`);
    await pause(pauseAfter(waitedMs, performance.now() - looked));
  }
};
