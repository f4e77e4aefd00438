import { readChoice, readDay, readId, readText, type RawSearch } from '../../lib/search.ts';
import { voucherStates } from '../../vouchers/voucher.ts';

/** What a report is about. */
export interface ReportFilterValue {
  /** Days as a date field writes them; undefined for the last thirty days. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly siteId: number | undefined;
  readonly profileId: number | undefined;
  readonly state: (typeof voucherStates)[number] | undefined;
  readonly createdBy: string | undefined;
}

export const readReportSearch = (search: RawSearch): ReportFilterValue => ({
  from: readDay(search['from']),
  to: readDay(search['to']),
  siteId: readId(search['siteId']),
  profileId: readId(search['profileId']),
  state: readChoice(search['state'], voucherStates),
  createdBy: readText(search['createdBy']),
});

const pad = (number: number): string => String(number).padStart(2, '0');

/** A day where this browser is, as a date field writes it. */
export const toDate = (time: Date): string =>
  `${String(time.getFullYear())}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;

interface Period {
  readonly from: string;
  readonly to: string;
}

export const periodNames = [
  'today',
  'yesterday',
  'last30',
  'thisMonth',
  'lastMonth',
  'thisYear',
  'lastYear',
] as const;

/** The days of a named period, as seen on a day. */
export const periodOf = (name: (typeof periodNames)[number], today: Date): Period => {
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
  const span = (from: Date, to: Date): Period => ({ from: toDate(from), to: toDate(to) });
  switch (name) {
    case 'today':
      return span(today, today);
    case 'yesterday': {
      const yesterday = new Date(year, month, day - 1);
      return span(yesterday, yesterday);
    }
    case 'last30':
      return span(new Date(year, month, day - 29), today);
    case 'thisMonth':
      return span(new Date(year, month, 1), today);
    case 'lastMonth':
      return span(new Date(year, month - 1, 1), new Date(year, month, 0));
    case 'thisYear':
      return span(new Date(year, 0, 1), today);
    case 'lastYear':
      return span(new Date(year - 1, 0, 1), new Date(year - 1, 11, 31));
  }
};

/** The parameters of the API. */
export const toReportQuery = (filter: ReportFilterValue, timeZone: string, today: Date) => {
  const usual = periodOf('last30', today);
  const { from = usual.from, to = usual.to, siteId, profileId, state, createdBy = '' } = filter;
  return {
    from,
    to,
    timeZone,
    ...(siteId !== undefined && { siteId }),
    ...(profileId !== undefined && { profileId }),
    ...(state !== undefined && { state }),
    ...(createdBy.trim() !== '' && { createdBy: createdBy.trim() }),
  };
};
