import type { WebHandler } from '../handler.js';
import { toOrderReply } from '../replies.js';

export const listOrders: WebHandler<'listOrders'> = async ({ key, reply }, { orders }) =>
  reply(200, { orders: (await orders.list(key.user)).map(toOrderReply) });
