import type { WebHandler } from '../handler.js';
import { csvFile, languageOf } from '../replies.js';

export const exportVouchers: WebHandler<'exportVouchers'> = async (
  { input: { query }, principal, reply, signal },
  { vouchers },
) => {
  const language = languageOf(query, principal);
  return reply(200, await vouchers.exportFound(query, principal.user, language, signal), csvFile);
};
