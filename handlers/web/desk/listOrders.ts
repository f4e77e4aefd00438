import type { WebHandler } from '../handler.js';
import { toOrderReply } from '../replies.js';

export const listOrders: WebHandler<'listOrders'> = async ({ principal, reply }, { orders }) =>
  reply(200, { orders: (await orders.list(principal.user)).map(toOrderReply) });
