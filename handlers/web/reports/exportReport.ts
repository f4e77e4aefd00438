import type { WebHandler } from '../handler.js';
import { languageOf } from '../replies.js';

export const exportReport: WebHandler<'exportReport'> = async (
  { input: { query }, principal, reply, signal },
  { reports },
) => {
  const language = languageOf(query, principal);
  const file = await reports.exportCsv(query, principal.user, language, signal);
  const name = `vouchers-${query.from}-${query.to}.csv`;
  return reply(200, file, { 'Content-Disposition': `attachment; filename="${name}"` });
};
