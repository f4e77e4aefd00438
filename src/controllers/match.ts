import type { ControllerVoucher, TimeRange } from './controller.js';

/** The code of an open order's voucher was never given out, so a used voucher belongs to somebody else. */
export const isUntouched = ({ usedCount, expired }: ControllerVoucher): boolean =>
  usedCount === 0 && !expired;

/** No known controller truncates names to less. */
const minTruncatedLength = 20;

/** May a controller have altered the ordered name to this one: trimmed, normalised or truncated? */
export const isAlteredName = (listed: string, ordered: string): boolean => {
  const [short, long] = [canonical(listed), canonical(ordered)];
  return short === long || (short.length >= minTruncatedLength && long.startsWith(short));
};

const canonical = (name: string): string => name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ');

const secondMs = 1000;

/**
 * The first and the last whole second of a range, since 1970: controllers return creation times in seconds.
 */
const secondsOf = ({ from, to }: TimeRange): readonly [first: number, last: number] => [
  Math.floor(from / secondMs),
  Math.floor(to / secondMs),
];

/** A voucher of unknown age may be from any time, so it belongs to nobody. */
export const isInTimeRange = (createdAt: number | null, range: TimeRange): boolean => {
  if (createdAt === null) return false;
  const [first, last] = secondsOf(range);
  const second = Math.floor(createdAt / secondMs);
  return second >= first && second <= last;
};

/**
 * The same ranges in whole seconds, in order, those joined that touch each other or are `gap` seconds apart.
 */
export const mergeToSeconds = (
  ranges: readonly TimeRange[],
  gap: number,
): (readonly [first: number, last: number])[] => {
  const merged: [number, number][] = [];
  for (const [first, last] of ranges.map(secondsOf).sort(([one], [other]) => one - other)) {
    const open = merged.at(-1);
    if (open && first <= open[1] + 1 + gap) open[1] = Math.max(open[1], last);
    else merged.push([first, last]);
  }
  return merged;
};
