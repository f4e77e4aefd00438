import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const deletePrinter: WebHandler<'deletePrinter'> = async (
  { input: { path }, principal, reply, client },
  { printers },
) => {
  await printers.remove(path.printerId, actorOf(principal, client));
  return reply(204);
};
