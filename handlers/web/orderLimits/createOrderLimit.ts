import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const createOrderLimit: WebHandler<'createOrderLimit'> = async (
  { input, principal, reply, client },
  { orderLimits },
) => {
  const { id } = await orderLimits.add(input.body, actorOf(principal, client));
  return reply(201, { id, ...input.body });
};
