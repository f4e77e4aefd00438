import type { WebHandler } from '../handler.js';
import { languageOf } from '../replies.js';

export const testPrinter: WebHandler<'testPrinter'> = async (
  { input: { path }, principal, reply },
  { printers },
) => {
  const outcome = await printers.test(path.printerId, languageOf({}, principal));
  return reply(200, { outcome });
};
