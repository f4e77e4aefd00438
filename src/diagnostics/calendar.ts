import { Refusal } from '../errors/problem.js';
import type { TimeSpan } from '../vouchers/voucherStatisticsTable.js';

/** A day of the calendar in some time zone. */
export interface CalendarDay extends TimeSpan {
  /** Such as 2026-11-14. */
  readonly date: string;
}

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
/** No time zone is further from UTC. */
const maxOffsetMs = 15 * hourMs;

/**
 * The last days in a time zone, the current one included, oldest first. Throws `Refusal` for an unknown zone.
 */
export const listDays = (now: number, count: number, timeZone: string): CalendarDay[] => {
  const today = Date.parse(makeDateAt(timeZone)(now));
  return listDaysFrom(new Date(today - (count - 1) * dayMs).toISOString().slice(0, 10), count, timeZone);
};

/** The days from a first one on, such as 2026-11-14, likewise. */
export const listDaysFrom = (first: string, count: number, timeZone: string): CalendarDay[] => {
  const dateAt = makeDateAt(timeZone);
  const begin = Date.parse(first);
  const dates = Array.from({ length: count + 1 }, (_, index) =>
    new Date(begin + index * dayMs).toISOString().slice(0, 10),
  );
  const starts: number[] = [];
  for (const date of dates) starts.push(findStart(date, dateAt, (starts.at(-1) ?? Date.parse(date)) + dayMs));
  return dates
    .slice(0, count)
    .map((date, index) => ({ date, from: starts[index] ?? 0, to: starts[index + 1] ?? 0 }));
};

const makeDateAt = (timeZone: string): ((at: number) => string) => {
  try {
    // Names only: what is no name may be an offset, or whatever else a platform understands.
    if (!/^[A-Za-z][\w+/-]*$/.test(timeZone)) throw new RangeError(timeZone);
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      calendar: 'gregory',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    return (at) => format.format(at);
  } catch {
    throw new Refusal('time-zone-unknown', 'a time zone is named like Europe/Berlin', 'invalid');
  }
};

/** The first minute of a day, usually the likely one. Where clocks change at midnight, it is not at 00:00. */
const findStart = (date: string, dateAt: (at: number) => string, likely: number): number => {
  if (dateAt(likely) === date && dateAt(likely - minuteMs) < date) return likely;
  const guess = Date.parse(date);
  let [before, after] = [guess - maxOffsetMs, guess + maxOffsetMs];
  while (after - before > minuteMs) {
    const middle = before + Math.floor((after - before) / 2 / minuteMs) * minuteMs;
    if (dateAt(middle) < date) before = middle;
    else after = middle;
  }
  return after;
};
