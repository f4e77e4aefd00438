import { toAuditFilter } from '../../src/audit/audit.js';
import type { WebHandlers } from './handler.js';
import { toTime, languageOf } from './replies.js';

export const auditHandlers = {
  listAudit: async ({ input, reply, signal }, { auth }) => {
    const { cursor } = input.query;
    const { entries, next } = await auth.audit.search(toAuditFilter(input.query), { cursor, signal });
    return reply(200, { entries: entries.map((entry) => ({ ...entry, at: toTime(entry.at) })), next });
  },

  exportAudit: async ({ input: { query }, principal, reply, signal }, { auth }) => {
    const language = languageOf(query, principal);
    const file = await auth.audit.exportCsv(toAuditFilter(query), language, signal);
    return reply(200, file, { 'Content-Disposition': 'attachment; filename="audit.csv"' });
  },
} satisfies Partial<WebHandlers>;
