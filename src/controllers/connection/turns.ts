import { bulkhead } from 'cockatiel';

/** Lets a few works run at a time; others wait in their order. */
export interface Turns {
  /**
   * Runs the work when it is its turn. Its place is free again when the work has ended and everything that it
   * `keep`s has, too. `late` is thrown when the signal is aborted before the work began.
   */
  take<T>(
    work: (keep: (until: Promise<void>) => void) => Promise<T>,
    signal: AbortSignal,
    late: () => Error,
  ): Promise<T>;
  /** Resolves when everybody who was there has had his turn. */
  over(): Promise<void>;
}

interface Turn {
  begin(): Promise<void>;
  leave(error: Error): void;
}

export const makeTurns = (max: number): Turns => {
  const places = bulkhead(max, Infinity);
  // The bulkhead lets a newcomer overtake in the moment in which a place is handed on, and loses a place to one that
  // was aborted while it waited. So whoever gets a place lets the first of these begin, not himself.
  const waiting = new Set<Turn>();
  const taken = new Set<Promise<void>>();
  const beginFirst = async (): Promise<void> => {
    const [first] = waiting;
    if (!first) return;
    waiting.delete(first);
    await first.begin();
  };

  return {
    take: (work, signal, late) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) throw late();
        const aborted = (): void => turn.leave(late());
        const turn: Turn = {
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
    over: async () => {
      await Promise.all(taken);
    },
  };
};
