import type { Report } from '../../../src/reports/reports.js';
import type { WebSchema } from '../handler.js';

export const toReportReply = (report: Report): WebSchema<'Report'> => ({
  ...report,
  days: [...report.days],
  sites: [...report.sites],
  profiles: [...report.profiles],
  states: [...report.states],
  creators:
    report.creators &&
    report.creators.map(({ kind, ...creator }) => ({ ...creator, kind: toCreatorKind(kind) })),
});

/** A newer version that shares the database may know others. */
const toCreatorKind = (kind: string | null): NonNullable<WebSchema<'Report'>['creators']>[number]['kind'] =>
  kind === 'key' || kind === 'user' || kind === 'kiosk' || kind === 'guest' || kind === 'adopted'
    ? kind
    : null;
