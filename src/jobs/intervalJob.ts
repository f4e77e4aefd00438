import type { Log } from '../log/log.js';
import { publicText } from '../lib/publicText.js';

/** Work that is done at start and then again and again, never twice at a time. */
export interface IntervalJob {
  start(): void;
  /** There is something to do: do it soon rather than at the next regular time. */
  wake(): void;
  /** Resolves when nothing of it is under way any more. */
  stop(): Promise<void>;
  status(): JobStatus;
}

/** How a job is doing. */
export interface JobStatus {
  readonly name: string;
  readonly intervalMs: number;
  readonly successes: number;
  readonly failures: number;
  /** How long ago it last succeeded; undefined when it never did. */
  readonly sinceSuccessMs: number | undefined;
  /** How long ago it should have succeeded again; 0 when it is in time, or was not started. */
  readonly lagMs: number;
}

/** Many calls of `wake` in a row are one. */
const wakeDelayMs = 100;

export const makeIntervalJob = (
  name: string,
  work: () => Promise<unknown>,
  everyMs: number,
  log: Log,
): IntervalJob => {
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<unknown> | undefined;
  let woken = false;
  let stopped = false;
  // Work that is tried every second would fill the log with one and the same line.
  let failure: string | undefined;
  let startedAt: number | undefined;
  let succeededAt: number | undefined;
  const counts = { successes: 0, failures: 0 };
  const failed = (error: unknown): void => {
    counts.failures += 1;
    const text = publicText(error);
    if (text !== failure) log.warn({ err: error }, `${name} failed; tried again later`);
    failure = text;
  };
  const succeeded = (): void => {
    counts.successes += 1;
    succeededAt = performance.now();
    if (failure !== undefined) log.info(`${name} works again`);
    failure = undefined;
  };
  const plan = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(run, ms).unref();
  };
  const run = (): void => {
    woken = false;
    current = work()
      .then(succeeded, failed)
      .finally(() => {
        current = undefined;
        if (!stopped) plan(woken ? Math.min(wakeDelayMs, everyMs) : everyMs);
      });
  };
  return {
    start: () => {
      startedAt = performance.now();
      run();
    },
    wake: () => {
      if (woken || stopped) return;
      woken = true;
      if (!current) plan(Math.min(wakeDelayMs, everyMs));
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
    status: () => {
      const now = performance.now();
      const since = succeededAt ?? startedAt ?? now;
      return {
        name,
        intervalMs: everyMs,
        ...counts,
        sinceSuccessMs: succeededAt === undefined ? undefined : now - succeededAt,
        lagMs: Math.max(0, now - since - everyMs),
      };
    },
  };
};
