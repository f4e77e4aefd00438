import type { WebHandler } from '../handler.js';
import { csvFile, languageOf } from '../replies.js';

export const exportVouchers: WebHandler<'exportVouchers'> = async (
  { input: { query }, key, reply, signal },
  { vouchers },
) => reply(200, await vouchers.exportFound(query, key.user, languageOf(query, key), signal), csvFile);
