import { limitExceeded, type WindowCounter } from './windowCounter.js';

/** A place within a limit. */
export interface CountedPlace {
  readonly counter: WindowCounter;
  /** Of the counter. */
  readonly windowMs: number;
  readonly key: string;
  readonly max: number;
}

/**
 * Counts something in all places, and returns what takes that back. Throws beyond a limit, and then nothing
 * is counted.
 */
export const takePlaces = async (places: readonly CountedPlace[]): Promise<() => Promise<void>> => {
  const taken: CountedPlace[] = [];
  const giveBack = async (): Promise<void> => {
    for (const { counter, key } of taken.toReversed()) await counter.takeBack(key);
  };
  for (const place of places) {
    taken.push(place);
    const counted = await place.counter.count(place.key);
    if (counted.points <= place.max) continue;
    await giveBack();
    throw limitExceeded(counted, place.windowMs);
  }
  return giveBack;
};
