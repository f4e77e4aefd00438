import { seesSite } from '../../../src/sites/siteScope.js';
import type { WebHandler } from '../handler.js';
import { toOrderReply } from '../replies.js';

export const createOrder: WebHandler<'createOrder'> = async (
  { input, principal, reply, client },
  { orders },
) => {
  const { user } = principal;
  const order = await orders.place(input.path.orderId, input.body, {
    userId: user.id,
    kioskId: null,
    origin: 'desk',
    role: user.role,
    actorName: user.name,
    address: client.address,
    mayOrderFor: (siteId) => seesSite(user, siteId),
  });
  return reply(200, toOrderReply(await orders.view(order)));
};
