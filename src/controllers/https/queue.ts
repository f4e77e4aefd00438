import { bulkhead } from 'cockatiel';

/** Lets a few works run at a time; others wait in their order. */
interface CallQueue {
  /**
   * Runs the work when it is its turn. Its place is free again when the work has ended and everything that it
   * `keep`s has, too. `late` is thrown when the signal is aborted before the work began.
   */
  add<T>(
    work: (keep: (until: Promise<void>) => void) => Promise<T>,
    signal: AbortSignal,
    late: () => Error,
  ): Promise<T>;
  /** Resolves when everybody who was there has had his turn. */
  onIdle(): Promise<void>;
}

interface QueuedCall {
  begin(): Promise<void>;
  leave(error: Error): void;
}

export const makeCallQueue = (max: number): CallQueue => {
  const places = bulkhead(max, Infinity);
  // The bulkhead lets a newcomer overtake in the moment in which a place is handed on, and loses a place to one that
  // was aborted while it waited. So whoever gets a place lets the first of these begin, not himself.
  const waiting = new Set<QueuedCall>();
  const taken = new Set<Promise<void>>();
  const beginFirst = async (): Promise<void> => {
    const [first] = waiting;
    if (!first) return;
    waiting.delete(first);
    await first.begin();
  };

  return {
    add: (work, signal, late) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) throw late();
        const aborted = (): void => turn.leave(late());
        const turn: QueuedCall = {
          begin: async () => {
            signal.removeEventListener('abort', aborted);
            const kept: Promise<void>[] = [];
            await work((until) => kept.push(until)).then(resolve, reject);
            await Promise.all(kept);
          },
          leave: (error) => {
            signal.removeEventListener('abort', aborted);
            waiting.delete(turn);
            reject(error);
          },
        };
        waiting.add(turn);
        signal.addEventListener('abort', aborted, { once: true });
        const place = places.execute(beginFirst).finally(() => taken.delete(place));
        taken.add(place);
      }),
    onIdle: async () => {
      await Promise.all(taken);
    },
  };
};

/** Knows what is under way. */
interface InFlightCalls {
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when all of it has ended, well or not. */
  onIdle(): Promise<void>;
}

export const trackInFlightCalls = (): InFlightCalls => {
  const works = new Set<Promise<unknown>>();
  return {
    track: (work) => {
      const ended: Promise<unknown> = work.then(
        () => works.delete(ended),
        () => works.delete(ended),
      );
      works.add(ended);
      return work;
    },
    onIdle: async () => {
      await Promise.all(works);
    },
  };
};
