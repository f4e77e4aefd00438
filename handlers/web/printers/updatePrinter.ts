import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toPrinterReply } from '../replies.js';

export const updatePrinter: WebHandler<'updatePrinter'> = async (
  { input: { path, body }, principal, reply, client },
  { printers },
) => reply(200, toPrinterReply(await printers.change(path.printerId, body, actorOf(principal, client))));
