import type { CalendarDay } from '../diagnostics/calendar.js';
import type { VoucherState } from '../vouchers/state.js';
import { quarterMs } from '../vouchers/removedCountTable.js';
import type { VoucherGroup } from './reportTable.js';

interface Count {
  readonly created: number;
  /** Of these, those that were used at least once. */
  readonly used: number;
}

/** Vouchers by the days of their creation, and by what they have in common. The most frequent come first. */
export interface Report extends Count {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  /** Every day of the period, oldest first. */
  readonly days: readonly (Count & { readonly date: string })[];
  readonly sites: readonly (Count & { readonly id: number; readonly name: string })[];
  /** Null stands for vouchers without a profile, or whose profile was removed. */
  readonly profiles: readonly (Count & { readonly id: number | null; readonly name: string | null })[];
  readonly states: readonly (Count & { readonly state: VoucherState })[];
  /** Those who created most; null where the reader may not see them. */
  readonly creators: readonly (Count & { readonly name: string; readonly kind: string | null })[] | null;
}

interface TallyOptions {
  readonly days: readonly CalendarDay[];
  readonly siteNames: ReadonlyMap<number, string>;
  readonly profileNames: ReadonlyMap<number, string>;
  readonly showsCreators: boolean;
}

/** More are not listed; the total has them. */
const maxCreators = 200;
/** Names of removed users may have been anything. */
const maxTalliedCreators = 20_000;

/** Counts by a key. */
const makeCounts = <Key extends string | number>() => {
  const counts = new Map<Key, { created: number; used: number }>();
  return {
    add: (key: Key, { created, used }: Count): void => {
      const count = counts.get(key) ?? { created: 0, used: 0 };
      counts.set(key, count);
      count.created += created;
      count.used += used;
    },
    /** Whether another key would be one too many. */
    isFull: (key: Key, max: number): boolean => counts.size >= max && !counts.has(key),
    /** The most frequent first. */
    sorted: (): (Count & { readonly key: Key })[] =>
      [...counts]
        .map(([key, count]) => ({ key, ...count }))
        .sort((a, b) => b.created - a.created || (a.key < b.key ? -1 : 1)),
  };
};

/** Adds groups of vouchers up to a report. */
export const makeTally = (
  { from, to, timeZone }: Pick<Report, 'from' | 'to' | 'timeZone'>,
  { days, siteNames, profileNames, showsCreators }: TallyOptions,
): { add(group: VoucherGroup): void; report(): Report } => {
  const perDay = days.map(({ date }) => ({ date, created: 0, used: 0 }));
  const sites = makeCounts<number>();
  const profiles = makeCounts<number>();
  const states = makeCounts<VoucherState>();
  const creators = makeCounts<string>();
  let [created, used] = [0, 0];

  return {
    add: (group) => {
      const day = perDay[findDay(days, group.quarter * quarterMs)];
      if (!day) return;
      day.created += group.created;
      day.used += group.used;
      created += group.created;
      used += group.used;
      sites.add(group.siteId, group);
      profiles.add(profileNames.has(group.profileId) ? group.profileId : 0, group);
      states.add(group.state, group);
      const creator = JSON.stringify([group.creator, group.creatorKind]);
      if (showsCreators && !creators.isFull(creator, maxTalliedCreators)) creators.add(creator, group);
    },
    report: () => ({
      from,
      to,
      timeZone,
      created,
      used,
      days: perDay,
      sites: sites
        .sorted()
        .map(({ key: id, ...count }) => ({ id, name: siteNames.get(id) ?? String(id), ...count })),
      profiles: profiles
        .sorted()
        .map(({ key: id, ...count }) => ({ id: id || null, name: profileNames.get(id) ?? null, ...count })),
      states: states.sorted().map(({ key: state, ...count }) => ({ state, ...count })),
      creators: showsCreators
        ? creators
            .sorted()
            .slice(0, maxCreators)
            .map(({ key, ...count }) => {
              const [name, kind] = JSON.parse(key) as [string, string];
              return { name, kind: kind === '' ? null : kind, ...count };
            })
        : null,
    }),
  };
};

/** The index of the day that holds a time: the last one that has begun. */
const findDay = (days: readonly CalendarDay[], at: number): number => {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle]?.from ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};
