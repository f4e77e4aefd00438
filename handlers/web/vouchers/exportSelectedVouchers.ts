import { Readable } from 'node:stream';
import type { WebHandler } from '../handler.js';
import { csvFile, languageOf } from '../replies.js';

export const exportSelectedVouchers: WebHandler<'exportSelectedVouchers'> = async (
  { input, principal, reply },
  { vouchers },
) => {
  const language = languageOf(input.query, principal);
  const lines = await vouchers.exportSelected(input.body, principal.user, language);
  return reply(200, Readable.from(lines, { objectMode: false }), csvFile);
};
