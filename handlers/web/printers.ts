import type { WebHandlers } from './handler.js';
import { toPrinterReply, languageOf } from './replies.js';
import { actorOf } from '../../src/auth/account.js';

export const printerHandlers = {
  listPrinters: async ({ reply }, { printers }) =>
    reply(200, { printers: (await printers.list()).map(toPrinterReply) }),

  createPrinter: async ({ input: { body }, principal, reply, client }, { printers }) =>
    reply(201, toPrinterReply(await printers.add(body, actorOf(principal, client)))),

  updatePrinter: async ({ input: { path, body }, principal, reply, client }, { printers }) =>
    reply(200, toPrinterReply(await printers.change(path.printerId, body, actorOf(principal, client)))),

  deletePrinter: async ({ input: { path }, principal, reply, client }, { printers }) => {
    await printers.remove(path.printerId, actorOf(principal, client));
    return reply(204);
  },

  testPrinter: async ({ input: { path }, principal, reply }, { printers }) => {
    const outcome = await printers.test(path.printerId, languageOf({}, principal));
    return reply(200, { outcome });
  },
} satisfies Partial<WebHandlers>;
