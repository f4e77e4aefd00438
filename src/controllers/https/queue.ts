import PQueue from 'p-queue';

/** Limits how many calls are in flight; the others wait, first come, first served. */
interface CallQueue {
  /**
   * Starts the call when there is room for it. It counts as in flight until it has ended and so has
   * everything that it passed to `hold`. If the signal aborts while the call waits,
   * `expired` is thrown and the call never starts.
   */
  add<T>(
    call: (hold: (until: Promise<void>) => void) => Promise<T>,
    signal: AbortSignal,
    expired: () => Error,
  ): Promise<T>;
  /** How many calls wait, and how many are in flight. */
  load(): { readonly waiting: number; readonly inFlight: number };
  /** Resolves when no call waits or is in flight. */
  onIdle(): Promise<void>;
}

export const makeCallQueue = (concurrency: number): CallQueue => {
  const queue = new PQueue({ concurrency });
  return {
    add: (call, signal, expired) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) throw expired();
        // p-queue also gives up calls in flight when their signal aborts. What such a call may have made has
        // to be found out first, so p-queue gets a signal that counts only while the call waits.
        const waiting = new AbortController();
        const leave = (): void => waiting.abort(expired());
        signal.addEventListener('abort', leave, { once: true });
        const start = async (): Promise<void> => {
          signal.removeEventListener('abort', leave);
          const held: Promise<void>[] = [];
          await call((until) => held.push(until)).then(resolve, reject);
          await Promise.all(held);
        };
        queue.add(start, { signal: waiting.signal }).catch(reject);
      }),
    load: () => ({ waiting: queue.size, inFlight: queue.pending }),
    onIdle: () => queue.onIdle(),
  };
};

/** The calls that have not ended yet. */
interface InFlightCalls {
  track<T>(call: Promise<T>): Promise<T>;
  /** Resolves when the calls known by now have ended, whether they failed or not. */
  onIdle(): Promise<void>;
}

export const trackInFlightCalls = (): InFlightCalls => {
  const calls = new Set<Promise<unknown>>();
  return {
    track: (call) => {
      const ended: Promise<unknown> = call.then(
        () => calls.delete(ended),
        () => calls.delete(ended),
      );
      calls.add(ended);
      return call;
    },
    onIdle: async () => {
      await Promise.all(calls);
    },
  };
};
