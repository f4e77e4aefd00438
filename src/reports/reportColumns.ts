import type { CsvColumns } from '../lib/csv.js';
import type { VoucherState } from '../vouchers/state.js';

/** A line of a report's file. */
export interface ReportLine {
  readonly date: string;
  readonly site: string;
  readonly creator: string;
  readonly profile: string;
  readonly state: VoucherState;
  readonly created: number;
  readonly used: number;
}

/** The columns of a report's file. */
export const reportColumns = (showsCreators: boolean): CsvColumns<ReportLine> => [
  [{ de: 'Tag', en: 'day' }, ({ date }) => date],
  [{ de: 'Standort', en: 'site' }, ({ site }) => site],
  ...(showsCreators
    ? ([
        [{ de: 'Erstellt von', en: 'created by' }, ({ creator }) => creator],
      ] satisfies CsvColumns<ReportLine>)
    : []),
  [{ de: 'Profil', en: 'profile' }, ({ profile }) => profile],
  [{ de: 'Zustand', en: 'state' }, ({ state }) => state],
  [{ de: 'Erstellt', en: 'created' }, ({ created }) => String(created)],
  [{ de: 'Benutzt', en: 'used' }, ({ used }) => String(used)],
];
