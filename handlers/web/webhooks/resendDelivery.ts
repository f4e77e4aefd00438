import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const resendDelivery: WebHandler<'resendDelivery'> = async (
  { input, principal, reply, client },
  { webhooks },
) => {
  await webhooks.resend(input.path.deliveryId, actorOf(principal, client));
  return reply(204);
};
