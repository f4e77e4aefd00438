import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const deleteOrderLimit: WebHandler<'deleteOrderLimit'> = async (
  { input, principal, reply, client },
  { orderLimits },
) => {
  await orderLimits.remove(input.path.limitId, actorOf(principal, client));
  return reply(204);
};
