import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toTime } from '../replies.js';

const hourMs = 3_600_000;

export const rotateWebhookSecret: WebHandler<'rotateWebhookSecret'> = async (
  { input: { path, body }, principal, reply, client },
  { webhooks },
) => {
  const { secret, oldUntil } = await webhooks.rotateSecret(
    path.webhookId,
    body.overlapHours * hourMs,
    actorOf(principal, client),
  );
  return reply(200, { secret, oldUntil: toTime(oldUntil) });
};
