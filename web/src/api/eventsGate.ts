/** The first requests wait at most this long for the event stream to open: a proxy may hold it back. */
export const maxHoldMs = 2000;

let heldUntil: Promise<void> | undefined;

/** Delays requests for data until the event stream is open, so that no change between the two is missed. */
export const holdRequests = (until: Promise<void>): void => {
  heldUntil = until;
};

/** Resolves at once unless requests are held. */
export const untilReleased = async (): Promise<void> => heldUntil;
