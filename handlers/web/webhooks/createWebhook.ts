import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toWebhookReply } from '../replies.js';

export const createWebhook: WebHandler<'createWebhook'> = async (
  { input: { body }, principal, reply, client },
  { webhooks },
) => {
  const { address, ...input } = body;
  const { id, secret = null } = await webhooks.add(
    { ...input, readAddress: async () => address },
    actorOf(principal, client),
  );
  return reply(201, { webhook: toWebhookReply(await webhooks.show(id)), secret });
};
