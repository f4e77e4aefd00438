import type { WebHandler } from '../handler.js';
import { languageOf } from '../replies.js';

export const testPrinter: WebHandler<'testPrinter'> = async (
  { input: { path }, key, reply },
  { printers },
) => {
  const outcome = await printers.test(path.printerId, languageOf({}, key));
  return reply(200, { outcome });
};
