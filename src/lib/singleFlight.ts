/**
 * Asks once for all who ask meanwhile, and lets nobody wait longer than `patienceMs`: then it rejects, although the
 * question goes on.
 */
export const singleFlight = <T>(ask: () => Promise<T>, patienceMs: number): (() => Promise<T>) => {
  let asking: Promise<T> | undefined;
  return async () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${String(patienceMs)} ms`)), patienceMs);
    });
    return Promise.race([asking, late]).finally(() => clearTimeout(timer));
  };
};
