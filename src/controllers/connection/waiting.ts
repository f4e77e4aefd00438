import { setTimeout as sleep } from 'node:timers/promises';
import { ControllerError, OutcomeUnknown } from '../controller.js';
import { numberOf } from './reading.js';
import { late } from './errors.js';

/**
 * Waits for an answer that others wait for, too: whoever is told to stop leaves alone, and has nothing to fear of
 * the answer.
 */
export const orLate = <T>(work: Promise<T>, name: string, signal: AbortSignal | undefined): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = (): void => reject(new ControllerError(name, { trouble: 'timeout' }));
    if (signal?.aborted) reject(late(name));
    signal?.addEventListener('abort', leave, { once: true });
    void work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
  });

/** False when the signal came before the time was up. */
export const paused = (ms: number, signal: AbortSignal | undefined): Promise<boolean> =>
  sleep(ms, true, { ...(signal && { signal }) }).catch(() => false);

/** For calls that make nothing, so that their failure leaves nothing unknown. */
export const certainly = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw error instanceof OutcomeUnknown ? new ControllerError(error.controller, error.failure) : error;
  }
};

/** How long a controller wants to be left alone; a second when it does not say. */
export const retryAfterMs = (header: string | undefined): number => {
  const seconds = numberOf(header);
  return seconds === undefined || seconds < 0 ? 1000 : seconds * 1000;
};
