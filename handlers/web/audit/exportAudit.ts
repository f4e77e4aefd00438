import { toAuditFilter } from '../../../src/audit/audit.js';
import type { WebHandler } from '../handler.js';
import { languageOf } from '../replies.js';

export const exportAudit: WebHandler<'exportAudit'> = async (
  { input: { query }, principal, reply, signal },
  { auth },
) =>
  reply(200, await auth.audit.exportCsv(toAuditFilter(query), languageOf(query, principal), signal), {
    'Content-Disposition': 'attachment; filename="audit.csv"',
  });
