/** So long, the first requests wait until changes are told. A proxy may hold back events for longer. */
export const maxHoldMs = 2000;

let heldUntil: Promise<void> | undefined;

/** Lets what reads data wait, so that it is not older than the events that tell of changes. */
export const holdRequests = (until: Promise<void>): void => {
  heldUntil = until;
};

/** Waits as long as requests are held. */
export const untilLetGo = async (): Promise<void> => heldUntil;
