import { orLate } from './waiting.js';

/** Work that several wait for. */
export interface Shared<T> {
  /** Whoever is told to stop leaves alone; when the last one has left, the work is told to stop, too. */
  join(signal: AbortSignal | undefined): Promise<T>;
}

export interface SharedOptions<T> {
  readonly name: string;
  work(signal: AbortSignal): Promise<T>;
  /** Called when it failed, or everybody has left it: nobody else must join. */
  over(): void;
}

export const share = <T>({ name, work, over }: SharedOptions<T>): Shared<T> => {
  const abort = new AbortController();
  const working = work(abort.signal);
  working.catch(over);
  let isDone = false;
  let waiting = 0;
  return {
    join: async (signal) => {
      waiting += 1;
      try {
        const result = await orLate(working, name, signal);
        isDone = true;
        return result;
      } finally {
        waiting -= 1;
        if (waiting === 0 && !isDone) {
          over();
          abort.abort();
        }
      }
    },
  };
};
