import { toAuditFilter } from '../../../src/audit/audit.js';
import type { WebHandler } from '../handler.js';
import { languageOf } from '../replies.js';

export const exportAudit: WebHandler<'exportAudit'> = async (
  { input: { query }, principal, reply, signal },
  { auth },
) => {
  const language = languageOf(query, principal);
  const file = await auth.audit.exportCsv(toAuditFilter(query), language, signal);
  return reply(200, file, { 'Content-Disposition': 'attachment; filename="audit.csv"' });
};
