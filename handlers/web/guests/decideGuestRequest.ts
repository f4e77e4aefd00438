import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const decideGuestRequest: WebHandler<'decideGuestRequest'> = async (
  { input, principal, reply, client },
  { guestRequests },
) => {
  const { orderId } = input.path;
  const actor = actorOf(principal, client);
  if (input.body.isApproved) await guestRequests.approve(orderId, principal.user, actor);
  else await guestRequests.refuse(orderId, principal.user, actor);
  return reply(204);
};
