/** Does the database answer? Told by those who use it; once it does not, it is asked again and again until it does. */
export interface Availability {
  /** Has the database just not answered, and not since? */
  isAway(): boolean;
  /** Tells that it did not answer. */
  noteFailure(): void;
  stop(): void;
}

const againMs = 500;

export const makeAvailability = (ask: () => Promise<unknown>): Availability => {
  let away = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const probe = async (): Promise<void> => {
    try {
      await ask();
      away = false;
    } catch {
      if (!stopped) timer = setTimeout(() => void probe(), againMs).unref();
    }
  };
  return {
    isAway: () => away,
    noteFailure: () => {
      if (away || stopped) return;
      away = true;
      void probe();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
