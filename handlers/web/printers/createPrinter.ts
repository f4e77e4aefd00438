import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toPrinterReply } from '../replies.js';

export const createPrinter: WebHandler<'createPrinter'> = async (
  { input: { body }, principal, reply, client },
  { printers },
) => reply(201, toPrinterReply(await printers.add(body, actorOf(principal, client))));
