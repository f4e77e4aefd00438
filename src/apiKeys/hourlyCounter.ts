import type { Clock } from '../lib/system.js';

/** How often each event happened to one id within one hour. */
export interface HourlyCount<Event extends string> {
  readonly id: number;
  /** When the hour began. */
  readonly hour: number;
  readonly events: ReadonlyMap<Event, number>;
}

/** Counts events by id and hour, in memory. */
export interface HourlyCounter<Event extends string> {
  count(id: number, event: Event): void;
  /** Returns what was counted since the last call, and starts again from zero. */
  take(): HourlyCount<Event>[];
}

export const hourMs = 3_600_000;

/** The hour of a time. */
export const hourOf = (at: number): number => at - (at % hourMs);

/**
 * More ids and hours than that wait only if nobody takes them for long; further ones are not counted then.
 */
const maxWaiting = 10_000;

export const makeHourlyCounter = <Event extends string>(clock: Clock): HourlyCounter<Event> => {
  type Counting = HourlyCount<Event> & { readonly events: Map<Event, number> };
  let current = new Map<number, Counting>();
  let ended: Counting[] = [];

  const begin = (id: number, hour: number): Counting => {
    const before = current.get(id);
    if (before && ended.length < maxWaiting) ended.push(before);
    const begun = { id, hour, events: new Map<Event, number>() };
    current.set(id, begun);
    return begun;
  };

  return {
    count: (id, event) => {
      const hour = hourOf(clock.now());
      let counting = current.get(id);
      if (counting?.hour !== hour) counting = begin(id, hour);
      counting.events.set(event, (counting.events.get(event) ?? 0) + 1);
    },
    take: () => {
      const taken = [...ended, ...current.values()];
      ended = [];
      current = new Map();
      return taken;
    },
  };
};
