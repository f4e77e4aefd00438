import type { WebHandler } from '../handler.js';
import { languageOf } from '../replies.js';

export const printVouchers: WebHandler<'printVouchers'> = async (
  { input: { body }, principal, reply },
  { printing },
) => {
  const file = await printing.toPdf({ ...body, language: languageOf(body, principal) }, principal.user);
  return reply(200, file, { 'Content-Disposition': 'attachment; filename="vouchers.pdf"' });
};
