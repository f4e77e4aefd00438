import type { Bar } from '../../components/BarPlot.tsx';

interface DayCount {
  readonly date: string;
  readonly created: number;
  readonly used: number;
}

/** What one bar of the plot stands for. */
export type BarUnit = 'day' | 'week' | 'month';

/** More bars than this could not be told apart on a phone. */
const [maxDays, maxWeeks] = [62, 62 * 7];

export const unitOf = (days: number): BarUnit =>
  days <= maxDays ? 'day' : days <= maxWeeks ? 'week' : 'month';

/** Weeks begin on Monday. */
const startOf = (date: string, unit: BarUnit): string => {
  if (unit === 'day') return date;
  if (unit === 'month') return `${date.slice(0, 7)}-01`;
  const time = new Date(`${date}T00:00:00Z`);
  time.setUTCDate(time.getUTCDate() - ((time.getUTCDay() + 6) % 7));
  return time.toISOString().slice(0, 10);
};

/** The days of a report as bars: each a day, a week or a month, labelled by its first day. */
export const toBars = (days: readonly DayCount[], label: (date: string, unit: BarUnit) => string): Bar[] => {
  const unit = unitOf(days.length);
  const bars = new Map<string, { whole: number; part: number }>();
  for (const { date, created, used } of days) {
    const start = startOf(date, unit);
    const bar = bars.get(start) ?? { whole: 0, part: 0 };
    bars.set(start, bar);
    bar.whole += created;
    bar.part += used;
  }
  return [...bars].map(([id, bar]) => ({ id, label: label(id, unit), ...bar }));
};
