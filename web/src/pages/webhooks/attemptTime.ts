interface TimedDelivery {
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** When the next attempt is due, or when it was settled. */
  readonly at: string;
}

/**
 * What the time of a delivery is: of the last attempt, or of the next one. One that is due already has no time: it is
 * sent once those before it are, or, where its webhook is off, once that is on again.
 */
export const attemptTimeOf = (
  { state, at }: TimedDelivery,
  { isActive, now }: { readonly isActive: boolean; readonly now: number },
): 'last' | 'next' | 'due' | 'off' => {
  if (state !== 'waiting') return 'last';
  if (!isActive) return 'off';
  return Date.parse(at) > now ? 'next' : 'due';
};
