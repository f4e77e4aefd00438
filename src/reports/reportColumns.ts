import { headingOf } from '../i18n/messages.js';
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
  [headingOf('day'), ({ date }) => date],
  [headingOf('site'), ({ site }) => site],
  ...(showsCreators
    ? ([[headingOf('created-by'), ({ creator }) => creator]] satisfies CsvColumns<ReportLine>)
    : []),
  [headingOf('profile'), ({ profile }) => profile],
  [headingOf('state'), ({ state }) => state],
  [headingOf('created'), ({ created }) => String(created)],
  [headingOf('used'), ({ used }) => String(used)],
];
