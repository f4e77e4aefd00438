import type { WebHandler } from '../handler.js';
import { toWebhookReply } from '../replies.js';

export const listWebhooks: WebHandler<'listWebhooks'> = async ({ reply }, { webhooks }) =>
  reply(200, { webhooks: (await webhooks.list()).map(toWebhookReply) });
