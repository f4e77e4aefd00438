import type { Schemas } from '../../api/schemas.ts';

type Overview = Schemas['Overview'];

export interface DayCount {
  readonly date: string;
  readonly created: number;
  readonly used: number;
}

/** The vouchers of each day, of one site or of all; days without any are zero. */
export const countByDay = ({ days, vouchers }: Overview, siteId?: number): DayCount[] => {
  const counts = new Map(days.map((date) => [date, { created: 0, used: 0 }]));
  for (const { date, siteId: site, created, used } of vouchers) {
    const count = counts.get(date);
    if (!count || (siteId !== undefined && site !== siteId)) continue;
    count.created += created;
    count.used += used;
  }
  return [...counts].map(([date, count]) => ({ date, ...count }));
};

export const sumOf = (days: readonly DayCount[]): Omit<DayCount, 'date'> => ({
  created: days.reduce((sum, { created }) => sum + created, 0),
  used: days.reduce((sum, { used }) => sum + used, 0),
});
