import { setTimeout as sleep } from 'node:timers/promises';

/** Runs batches one after the other, as small and as far apart as others need it. */
export interface Pace {
  /**
   * Runs batches until one is not full. Each is told how many rows it may remove, and returns how many it
   * has. Throws when the signal aborts; never within a batch.
   */
  run(batch: (limit: number) => Promise<number>): Promise<void>;
}

export interface PaceDeps {
  readonly signal: AbortSignal;
  /** Called before each batch; throws to end the run. */
  readonly beforeBatch: () => Promise<void>;
  /** Waits; it may end early when the signal aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A monotonic clock, in milliseconds. */
  readonly elapsed?: () => number;
}

const firstSize = 50;
const minSize = 20;
const maxSize = 500;
/** A batch should not keep an order waiting for longer. */
const longMs = 30;
const shortMs = 10;
/** So many times as long as a batch has taken, others have the database to themselves. */
const pauseFactor = 4;
const minPauseMs = 20;
const maxPauseMs = 2000;

/**
 * The size of the next batch and the pause before it. The time of a batch includes the wait for its turn, so
 * both follow the load: beside many orders batches shrink and pauses grow.
 */
export const nextBatch = (size: number, tookMs: number): { size: number; pauseMs: number } => {
  const next = tookMs > longMs ? size / 2 : tookMs < shortMs ? size * 1.25 : size;
  return {
    size: Math.round(Math.min(Math.max(next, minSize), maxSize)),
    pauseMs: Math.min(Math.max(tookMs * pauseFactor, minPauseMs), maxPauseMs),
  };
};

export const makePace = ({
  signal,
  beforeBatch,
  pause = sleepUntilAborted,
  elapsed = () => performance.now(),
}: PaceDeps): Pace => {
  let size = firstSize;
  return {
    run: async (batch) => {
      for (;;) {
        signal.throwIfAborted();
        await beforeBatch();
        const began = elapsed();
        const limit = size;
        const removed = await batch(limit);
        const next = nextBatch(size, elapsed() - began);
        size = next.size;
        // Even a batch that found nothing has asked the database.
        await pause(removed === 0 ? 0 : next.pauseMs, signal);
        if (removed < limit) return;
      }
    },
  };
};

const sleepUntilAborted = async (ms: number, signal: AbortSignal): Promise<void> => {
  // Aborted: the next batch finds out.
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
};
