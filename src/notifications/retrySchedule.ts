const minute = 60_000;
const hour = 60 * minute;

/** How long to wait before each try. */
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

/** After this a delivery that still fails has failed for good. */
export const totalRetryMs = retrySchedule.reduce((sum, delay) => sum + delay, 0);

/** No target may put a delivery off for longer. */
const maxRetryAfterMs = 24 * hour;

const jitter = 0.2;

export interface RetryInput {
  /** How often it was tried, this time included. */
  readonly tries: number;
  /** Since the notification was dispatched. */
  readonly ageMs: number;
  /** What the target asked for. */
  readonly afterSeconds?: number | undefined;
  /** From 0 to 1. */
  readonly random: number;
}

/** How long to wait before the next try, or undefined when there is none: ±20 %, and never earlier than asked for. */
export const nextRetryDelayMs = ({
  tries,
  ageMs,
  afterSeconds = 0,
  random,
}: RetryInput): number | undefined => {
  const delay = retrySchedule[tries];
  // Deliveries that waited behind another one for days have had their time too, although not their tries.
  if (delay === undefined || ageMs > totalRetryMs * (1 + jitter)) return undefined;
  const spread = delay * (1 - jitter + 2 * jitter * random);
  return Math.round(Math.max(spread, Math.min(afterSeconds * 1000, maxRetryAfterMs)));
};
