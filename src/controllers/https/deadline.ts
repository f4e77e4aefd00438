import { setTimeout as sleep } from 'node:timers/promises';

import { ControllerError, deadlineError } from '../errors.js';

/** Time that is up at some moment, or when somebody else says so. */
interface Deadline {
  readonly signal: AbortSignal;
  /** From now on only the other's word counts. */
  lift(): void;
  /** Neither counts any more. */
  end(): void;
}

export const makeDeadline = (ms: number, outer: AbortSignal | undefined): Deadline => {
  const abort = new AbortController();
  const up = (): void => abort.abort();
  const timer = setTimeout(up, ms).unref();
  const lift = (): void => clearTimeout(timer);
  if (outer?.aborted === true) up();
  outer?.addEventListener('abort', up, { once: true });
  return {
    signal: abort.signal,
    lift,
    end: () => {
      lift();
      outer?.removeEventListener('abort', up);
    },
  };
};

/**
 * Waits for an answer that others wait for, too: whoever is told to stop leaves alone, and has nothing to fear of
 * the answer.
 */
export const waitOrAbort = <T>(work: Promise<T>, name: string, signal: AbortSignal | undefined): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = (): void => reject(new ControllerError(name, { trouble: 'timeout' }));
    if (signal?.aborted) reject(deadlineError(name));
    signal?.addEventListener('abort', leave, { once: true });
    void work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
  });

/** False when the signal came before the time was up. */
export const sleepUnlessAborted = (ms: number, signal: AbortSignal | undefined): Promise<boolean> =>
  sleep(ms, true, { ...(signal && { signal }) }).catch(() => false);
