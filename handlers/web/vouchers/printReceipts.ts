import type { WebHandler } from '../handler.js';
import { languageOf } from '../replies.js';

export const printReceipts: WebHandler<'printReceipts'> = async (
  { input: { path, body }, principal, reply },
  { printers },
) => {
  const outcome = await printers.print(
    path.printerId,
    { ...body, language: languageOf(body, principal) },
    principal.user,
  );
  return reply(200, { outcome });
};
