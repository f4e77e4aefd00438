import { setTimeout as sleep } from 'node:timers/promises';

/** Something that waits to be sent. */
interface Waiting {
  readonly id: string;
  readonly tries: number;
}

interface OutboxPassOptions<T extends Waiting> {
  /** The next that is due, if there is one. */
  findDue(options: {
    readonly except: readonly string[];
    readonly withRetries: boolean;
  }): Promise<T | undefined>;
  /** Sends it, and stores what became of it. */
  send(item: T): Promise<void>;
  /** May it go on? */
  mayContinue(): Promise<boolean>;
}

/** A server may need minutes for one, which must not delay the others. */
const maxInFlight = 4;
/** So there is always room for those that were never tried. */
const maxRetriesInFlight = 2;
/** How often it looks for new ones while others are in flight. */
const lookMs = 500;

/** Sends what is due, a few at a time. New ones come before those that were tried already. */
export const runOutboxPass = async <T extends Waiting>(options: OutboxPassOptions<T>): Promise<void> => {
  const inFlight = new Map<string, { readonly isRetry: boolean; readonly done: Promise<void> }>();
  const findNext = async (): Promise<T | undefined> => {
    if (inFlight.size >= maxInFlight) return undefined;
    const retries = [...inFlight.values()].filter(({ isRetry }) => isRetry).length;
    return options.findDue({ except: [...inFlight.keys()], withRetries: retries < maxRetriesInFlight });
  };
  const start = (item: T): void => {
    const done = options.send(item).finally(() => inFlight.delete(item.id));
    // A failure is reported to the caller that waits for all of them; until then it must not end the process.
    done.catch(() => undefined);
    inFlight.set(item.id, { isRetry: item.tries > 0, done });
  };
  const inFlightDone = () => [...inFlight.values()].map(({ done }) => done);
  try {
    while (await options.mayContinue()) {
      const item = await findNext();
      if (item) start(item);
      else if (inFlight.size === 0) return;
      else await Promise.race([...inFlightDone(), sleep(lookMs, undefined, { ref: false })]);
    }
  } finally {
    await Promise.all(inFlightDone());
  }
};
