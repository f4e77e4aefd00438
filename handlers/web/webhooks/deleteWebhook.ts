import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const deleteWebhook: WebHandler<'deleteWebhook'> = async (
  { input, key, reply, client },
  { webhooks },
) => {
  await webhooks.remove(input.path.webhookId, actorOf(key, client));
  return reply(204);
};
