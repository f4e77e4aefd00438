import type { WebHandler } from '../handler.js';
import { toPrinterReply } from '../replies.js';

export const listPrinters: WebHandler<'listPrinters'> = async ({ reply }, { printers }) =>
  reply(200, { printers: (await printers.list()).map(toPrinterReply) });
