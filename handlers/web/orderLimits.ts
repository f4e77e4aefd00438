import type { WebHandlers } from './handler.js';
import { toOrderLimitReply } from './replies.js';
import { actorOf } from '../../src/auth/account.js';

export const orderLimitHandlers = {
  listOrderLimits: async ({ reply }, { orderLimits }) =>
    reply(200, { limits: (await orderLimits.list()).flatMap(toOrderLimitReply) }),

  createOrderLimit: async ({ input, principal, reply, client }, { orderLimits }) => {
    const { id } = await orderLimits.add(input.body, actorOf(principal, client));
    return reply(201, { id, ...input.body });
  },

  updateOrderLimit: async ({ input, principal, reply, client }, { orderLimits }) => {
    const { id } = await orderLimits.change(input.path.limitId, input.body, actorOf(principal, client));
    return reply(200, { id, ...input.body });
  },

  deleteOrderLimit: async ({ input, principal, reply, client }, { orderLimits }) => {
    await orderLimits.remove(input.path.limitId, actorOf(principal, client));
    return reply(204);
  },
} satisfies Partial<WebHandlers>;
