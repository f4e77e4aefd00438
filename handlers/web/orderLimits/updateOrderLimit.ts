import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const updateOrderLimit: WebHandler<'updateOrderLimit'> = async (
  { input, principal, reply, client },
  { orderLimits },
) => {
  const { id } = await orderLimits.change(input.path.limitId, input.body, actorOf(principal, client));
  return reply(200, { id, ...input.body });
};
