import type { WebHandler } from '../handler.js';
import { languageOf } from '../replies.js';

export const printVouchers: WebHandler<'printVouchers'> = async (
  { input: { body }, principal, reply },
  { printing, limitFiles },
) => {
  const { user } = principal;
  const language = languageOf(body, principal);
  const file = await limitFiles(user.id, () => printing.toPdf({ ...body, language }, user));
  return reply(200, file, { 'Content-Disposition': 'attachment; filename="vouchers.pdf"' });
};
