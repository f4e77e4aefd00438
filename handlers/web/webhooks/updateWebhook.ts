import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toWebhookReply } from '../replies.js';

export const updateWebhook: WebHandler<'updateWebhook'> = async (
  { input: { path, body }, principal, reply, client },
  { webhooks },
) => {
  await webhooks.change(path.webhookId, body, actorOf(principal, client));
  return reply(200, toWebhookReply(await webhooks.show(path.webhookId)));
};
