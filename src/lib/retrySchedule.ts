const minute = 60_000;
const hour = 60 * minute;

/** How long to wait before each attempt. */
export const retrySchedule: readonly number[] = [
  0,
  5_000,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The time from the first attempt to the last, as scheduled. */
export const totalRetryMs = retrySchedule.reduce((sum, delay) => sum + delay, 0);

/** The longest delay that a target may ask for. */
const maxRetryAfterMs = 24 * hour;

const jitter = 0.2;

export interface RetryInput {
  /** The number of attempts, including the one that has just failed. */
  readonly tries: number;
  /** The time since the notification was dispatched. */
  readonly ageMs: number;
  /** The delay that the target asked for. */
  readonly afterSeconds?: number | undefined;
  /** From 0 to 1. */
  readonly random: number;
}

/**
 * The delay before the next attempt, ±20 % and never shorter than the target asked for; undefined when there
 * is none.
 */
export const nextRetryDelayMs = ({
  tries,
  ageMs,
  afterSeconds = 0,
  random,
}: RetryInput): number | undefined => {
  const delay = retrySchedule[tries];
  // A delivery that waited behind another one for days may be too old without many attempts.
  if (delay === undefined || ageMs > totalRetryMs * (1 + jitter)) return undefined;
  const spread = delay * (1 - jitter + 2 * jitter * random);
  return Math.round(Math.max(spread, Math.min(afterSeconds * 1000, maxRetryAfterMs)));
};
