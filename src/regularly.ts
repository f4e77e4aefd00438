import type { Log } from './log.js';

/** Work that is done at start and then again and again, never twice at a time. */
export interface Regular {
  start(): void;
  /** Resolves when nothing of it is under way any more. */
  stop(): Promise<void>;
}

export const makeRegularly = (
  name: string,
  work: () => Promise<unknown>,
  everyMs: number,
  log: Log,
): Regular => {
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<unknown> = Promise.resolve();
  let stopped = false;
  const run = (): void => {
    current = work()
      .catch((error: unknown) => {
        log.warn({ err: error }, `${name} failed; tried again later`);
      })
      .finally(() => {
        if (!stopped) timer = setTimeout(run, everyMs).unref();
      });
  };
  return {
    start: run,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
};
