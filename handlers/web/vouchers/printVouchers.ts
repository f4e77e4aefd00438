import type { WebHandler } from '../handler.js';
import { languageOf } from '../replies.js';

export const printVouchers: WebHandler<'printVouchers'> = async (
  { input: { body }, principal, reply },
  { printing },
) =>
  reply(200, await printing.toPdf({ ...body, language: languageOf(body, principal) }, principal.user), {
    'Content-Disposition': 'attachment; filename="vouchers.pdf"',
  });
