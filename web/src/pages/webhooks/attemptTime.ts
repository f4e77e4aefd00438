interface TimedDelivery {
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** When the next attempt is due, or when it was settled. */
  readonly at: string;
}

interface WebhookTiming {
  /** Is the webhook on? */
  readonly isActive: boolean;
  /** Does its target take nothing, so that all wait for the first one? */
  readonly isHeld: boolean;
  readonly now: number;
}

/**
 * What the time of a delivery is: of the last attempt, or of the next one. One that is due already has no time: it is
 * sent once those before it are, and where its webhook is off, once that is on again.
 */
export const attemptTimeOf = (
  { state, at }: TimedDelivery,
  { isActive, isHeld, now }: WebhookTiming,
): 'last' | 'next' | 'due' | 'held' | 'off' => {
  if (state !== 'waiting') return 'last';
  if (!isActive) return 'off';
  if (Date.parse(at) > now) return 'next';
  return isHeld ? 'held' : 'due';
};
