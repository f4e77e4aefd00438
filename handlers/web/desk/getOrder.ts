import type { WebHandler } from '../handler.js';
import { toOrderReply } from '../replies.js';

export const getOrder: WebHandler<'getOrder'> = async ({ input, principal, reply }, { orders }) =>
  reply(200, toOrderReply(await orders.view(await orders.find(input.path.orderId, principal.user))));
