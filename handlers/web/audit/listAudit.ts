import { toAuditFilter } from '../../../src/audit/audit.js';
import type { WebHandler } from '../handler.js';
import { toTime } from '../replies.js';

export const listAudit: WebHandler<'listAudit'> = async ({ input, reply, signal }, { auth }) => {
  const { cursor } = input.query;
  const { entries, next } = await auth.audit.search(toAuditFilter(input.query), { cursor, signal });
  return reply(200, { entries: entries.map((entry) => ({ ...entry, at: toTime(entry.at) })), next });
};
