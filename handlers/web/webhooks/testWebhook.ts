import type { WebHandler } from '../handler.js';

export const testWebhook: WebHandler<'testWebhook'> = async ({ input, principal, reply }, { webhooks }) => {
  const { response, outcome, reason } = await webhooks.test(input.path.webhookId, principal.user.name);
  return reply(200, {
    isDelivered: outcome === 'delivered',
    status: response?.status ?? null,
    reason: reason ? { ...reason } : null,
  });
};
