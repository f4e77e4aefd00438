import type { WebSchema, WebHandlers } from './handler.js';
import { languageOf } from './replies.js';
import type { Report } from '../../src/reports/reports.js';

export const reportHandlers = {
  getReport: async ({ input: { query }, principal, reply, signal }, { reports }) =>
    reply(200, toReportReply(await reports.get(query, principal.user, signal))),

  exportReport: async ({ input: { query }, principal, reply, signal }, { reports }) => {
    const language = languageOf(query, principal);
    const file = await reports.exportCsv(query, principal.user, language, signal);
    const name = `vouchers-${query.from}-${query.to}.csv`;
    return reply(200, file, { 'Content-Disposition': `attachment; filename="${name}"` });
  },
} satisfies Partial<WebHandlers>;

const toReportReply = (report: Report): WebSchema<'Report'> => ({
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
