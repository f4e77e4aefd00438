import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const deleteWebhook: WebHandler<'deleteWebhook'> = async (
  { input, principal, reply, client },
  { webhooks },
) => {
  await webhooks.remove(input.path.webhookId, actorOf(principal, client));
  return reply(204);
};
