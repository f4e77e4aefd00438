import type { WebHandler } from '../handler.js';
import { csvFile, languageOf } from '../replies.js';

export const exportVouchers: WebHandler<'exportVouchers'> = async (
  { input: { query }, principal, reply, signal },
  { vouchers, limitFiles },
) => {
  const { user } = principal;
  const language = languageOf(query, principal);
  const file = await limitFiles(user.id, () => vouchers.exportFound(query, user, language, signal));
  return reply(200, file, csvFile);
};
