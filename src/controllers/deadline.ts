import { setTimeout as sleep } from 'node:timers/promises';
import { ControllerError, deadlineError, OutcomeUnknown } from './errors.js';

// Gives up what a controller is asked for: usually after `CONTROLLER_DEADLINE_S`,
// ten seconds unless it is set. A controller that hangs is then given up as a whole by its circuit breaker
// (`https/circuitBreaker.ts`): a ping of two seconds decides,
// and if it fails no call is sent until a later ping is answered.

interface Deadline {
  /** Aborts at the deadline, or together with the outer signal. */
  readonly signal: AbortSignal;
  /** Cancels the deadline; the outer signal still counts. */
  cancel(): void;
  /** Has to be called when the work is done: a deadline keeps the process running. */
  end(): void;
}

/** When the deadline behind a signal passes, by `performance.now()`. */
const endTimes = new WeakMap<AbortSignal, number>();

/**
 * A signal that aborts after some time. It is made once per operation and passed down.
 * `AbortSignal.timeout` would let the process exit before the outcome is reported,
 * and on Node 20 `AbortSignal.any` leaves an entry in a long-lived outer signal for each call.
 */
export const makeDeadline = (ms: number, outer?: AbortSignal): Deadline => {
  const controller = new AbortController();
  const { signal } = controller;
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, ms);
  const cancel = (): void => {
    clearTimeout(timer);
    endTimes.delete(signal);
  };
  endTimes.set(signal, performance.now() + Math.min(ms, remainingMs(outer)));
  if (outer?.aborted === true) abort();
  outer?.addEventListener('abort', abort, { once: true });
  return {
    signal,
    cancel,
    end: () => {
      cancel();
      outer?.removeEventListener('abort', abort);
    },
  };
};

/** Infinity for a signal without a deadline. */
export const remainingMs = (signal: AbortSignal | undefined): number =>
  ((signal && endTimes.get(signal)) ?? Infinity) - performance.now();

/**
 * Keeps to the caller's deadline. A caller without one, such as a job that only can be stopped, gets `ms`.
 */
export const ensureDeadline = (ms: number, signal: AbortSignal | undefined): Omit<Deadline, 'cancel'> =>
  signal && endTimes.has(signal) ? { signal, end: () => undefined } : makeDeadline(ms, signal);

/** How soon after an abort a call has to report whether anything was created. */
const abortGraceMs = 250;

/** Waits for a call that was given the signal. If it ignores an abort, its outcome is unknown. */
export const awaitOutcome = async <T>(
  call: Promise<T>,
  signal: AbortSignal,
  values: { readonly seconds?: number } = {},
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  const ignored = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new OutcomeUnknown(undefined, { kind: 'timeout', ...values }));
    onAbort = () => {
      timer = setTimeout(giveUp, abortGraceMs);
    };
  });
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([call, ignored]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
};

/** Waits for a call that others wait for, too, or that can't be aborted: an abort ends only this wait. */
export const waitOrAbort = <T>(
  work: Promise<T>,
  name: string,
  signal: AbortSignal | undefined,
): Promise<T> => {
  if (!signal) return work;
  const wasAborted = signal.aborted;
  return orWhenAborted(work, signal, () =>
    wasAborted ? deadlineError(name) : new ControllerError(name, { kind: 'timeout' }),
  );
};

/** Waits for work that can't be aborted; an abort ends only this wait, with this error. */
export const orWhenAborted = <T>(work: Promise<T>, signal: AbortSignal, toError: () => Error): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = (): void => reject(toError());
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });

/** False when it was aborted. */
export const sleepUnlessAborted = (ms: number, signal: AbortSignal | undefined): Promise<boolean> =>
  sleep(ms, true, { ...(signal && { signal }) }).catch(() => false);
