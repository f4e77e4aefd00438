import type { WebHandler } from './handler.js';
import { languageOf } from './replies.js';

export const printReceipts: WebHandler<'printReceipts'> = async (
  { input: { path, body }, key, reply },
  { printers },
) => {
  await printers.print(path.printerId, { ...body, language: languageOf(body, key) }, key.user);
  return reply(204);
};
