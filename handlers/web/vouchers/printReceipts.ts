import type { WebHandler } from '../handler.js';
import { languageOf } from '../replies.js';

export const printReceipts: WebHandler<'printReceipts'> = async (
  { input: { path, body }, key, reply },
  { printers },
) => {
  const outcome = await printers.print(
    path.printerId,
    { ...body, language: languageOf(body, key) },
    key.user,
  );
  return reply(200, { outcome });
};
