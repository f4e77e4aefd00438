/** Shares a pending call among callers. Each waits at most `timeoutMs`; the call itself goes on. */
export const singleFlight = <T>(load: () => Promise<T>, timeoutMs: number): (() => Promise<T>) => {
  let pending: Promise<T> | undefined;
  return async () => {
    pending ??= load().finally(() => {
      pending = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${String(timeoutMs)} ms`)), timeoutMs);
    });
    return Promise.race([pending, timeout]).finally(() => clearTimeout(timer));
  };
};
