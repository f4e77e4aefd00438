import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for something that is asynchronous by nature, and returns what the condition gave. Fails with `what` when
 * it never comes true; the deadline is generous, so no test depends on speed.
 */
export const until = async <T>(
  what: string,
  condition: () => T | false | undefined | Promise<T | false | undefined>,
  deadlineMs = 120_000,
): Promise<T> => {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const result = await condition();
    if (result !== false && result !== undefined) return result;
    if (performance.now() > end) throw new Error(`it did not happen: ${what}`);
    await pause(10);
  }
};
