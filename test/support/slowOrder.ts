/** How long the controller of each trial takes: the first is enough unless the machine stalls. */
const latenciesMs = [3000, 30_000, 120_000];

/** To be called just before an order is sent. Returns a function that tells whether it is certainly still in flight. */
type FollowOrder = () => () => boolean;

/**
 * Tries what happens while an order is in flight. A trial returns whether it still was at the moment that matters; if a
 * stalled machine got there too late, the next trial has a controller that takes longer.
 */
export const whileInFlight = async (
  trial: (latencyMs: number, followOrder: FollowOrder) => Promise<boolean>,
): Promise<void> => {
  for (const latencyMs of latenciesMs) {
    const followOrder: FollowOrder = () => {
      const sent = performance.now();
      return () => performance.now() - sent < latencyMs;
    };
    if (await trial(latencyMs, followOrder)) return;
  }
  throw new Error('each order had ended before the moment that matters');
};
