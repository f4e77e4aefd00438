/** What was read, and whether that is how it is now. */
export interface Reading<T> {
  /** What was read last; undefined before the first time. */
  readonly value: T | undefined;
  /** False when the last attempt failed, or has not ended in time. */
  readonly isCurrent: boolean;
}

interface CachedReadingOptions {
  /** How long a caller waits for a new value, at most. */
  readonly timeoutMs: number;
  /** How long a value counts, as a multiple of the time that it took to read it. */
  readonly validShare?: number;
  /** The time in milliseconds, for tests. */
  readonly now?: () => number;
}

/** Reading takes at most a fiftieth of the time, however often somebody asks, unless it is very slow. */
const defaultValidShare = 50;
/** However slow it was, an older value says little of how it is now. */
const maxValidMs = 30_000;
/** What has failed may be well again soon, and somebody waits for that. */
const maxFailedMs = 5000;

/**
 * Reads something that may be slow, or may hang, on behalf of callers that ask at any rate. A pending read is
 * shared; a value is used again for a multiple of what it has cost, a failure for as long as it took; and no
 * caller waits for longer than the timeout. Never rejects.
 */
export const makeCachedReading = <T>(
  read: () => Promise<T>,
  { timeoutMs, validShare = defaultValidShare, now = () => performance.now() }: CachedReadingOptions,
): (() => Promise<Reading<T>>) => {
  let last: Reading<T> = { value: undefined, isCurrent: false };
  let validUntil = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;

  const refresh = async (): Promise<void> => {
    const started = now();
    try {
      last = { value: await read(), isCurrent: true };
    } catch {
      last = { value: last.value, isCurrent: false };
    } finally {
      const ended = now();
      const costMs = ended - started;
      validUntil =
        ended + (last.isCurrent ? Math.min(costMs * validShare, maxValidMs) : Math.min(costMs, maxFailedMs));
      pending = undefined;
    }
  };

  return async () => {
    if (!pending && now() < validUntil) return last;
    pending ??= refresh();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), timeoutMs);
    });
    const isLate = (await Promise.race([pending, timeout])) === 'late';
    clearTimeout(timer);
    return isLate ? { value: last.value, isCurrent: false } : last;
  };
};
