import { DatabaseUnavailable } from './unavailable.js';

/**
 * Gathers calls and runs them together: what is asked while a run is under way, or in the same turn of the
 * event loop, shares the next run. A run begins after every call it serves, so it sees all that was committed
 * before.
 *
 * When a run of several fails, each is run alone, so that one bad call does not fail its neighbours. When the
 * database did not answer, none of them is to blame, and one after the other would wait as long again: they
 * fail together. After two such runs in a row those that wait fail too.
 */
export const batchCalls = <I, O>(run: (items: readonly I[]) => Promise<readonly O[]>, max = 200) => {
  let waiting: { item: I; resolve: (result: O) => void; reject: (error: unknown) => void }[] = [];
  let running = false;
  let unanswered = 0;

  const runAlone = async ({ item, resolve, reject }: (typeof waiting)[number]): Promise<void> => {
    try {
      const [result] = await run([item]);
      resolve(result as O);
    } catch (error) {
      reject(error);
    }
  };

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
      try {
        const results = await run(batch.map(({ item }) => item));
        unanswered = 0;
        batch.forEach(({ resolve }, index) => {
          resolve(results[index] as O);
        });
      } catch (error) {
        unanswered = error instanceof DatabaseUnavailable ? unanswered + 1 : 0;
        if (unanswered > 0 || batch.length === 1) {
          if (unanswered > 1) batch.push(...waiting.splice(0));
          for (const { reject } of batch) reject(error);
        } else for (const call of batch) await runAlone(call);
      }
    }
    running = false;
  };

  return (item: I): Promise<O> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running) return;
      running = true;
      setImmediate(() => void drain());
    });
};
