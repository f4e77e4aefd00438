import type { WebHandlers } from './handler.js';
import { toWebhookReply, toTime, toReasonReply } from './replies.js';
import { actorOf } from '../../src/auth/account.js';

export const webhookHandlers = {
  listWebhooks: async ({ reply }, { webhooks }) =>
    reply(200, { webhooks: (await webhooks.list()).map(toWebhookReply) }),

  createWebhook: async ({ input: { body }, principal, reply, client }, { webhooks }) => {
    const { address, ...input } = body;
    const { id, secret = null } = await webhooks.add(
      { ...input, readAddress: async () => address },
      actorOf(principal, client),
    );
    return reply(201, { webhook: toWebhookReply(await webhooks.show(id)), secret });
  },

  updateWebhook: async ({ input: { path, body }, principal, reply, client }, { webhooks }) => {
    await webhooks.change(path.webhookId, body, actorOf(principal, client));
    return reply(200, toWebhookReply(await webhooks.show(path.webhookId)));
  },

  deleteWebhook: async ({ input, principal, reply, client }, { webhooks }) => {
    await webhooks.remove(input.path.webhookId, actorOf(principal, client));
    return reply(204);
  },

  testWebhook: async ({ input, principal, reply }, { webhooks }) => {
    const { response, outcome, reason } = await webhooks.test(input.path.webhookId, principal.user.name);
    return reply(200, {
      isDelivered: outcome === 'delivered',
      status: response?.status ?? null,
      reason: reason ? { ...reason } : null,
    });
  },

  rotateWebhookSecret: async ({ input: { path, body }, principal, reply, client }, { webhooks }) => {
    const { secret, oldUntil } = await webhooks.rotateSecret(
      path.webhookId,
      body.overlapHours * hourMs,
      actorOf(principal, client),
    );
    return reply(200, { secret, oldUntil: toTime(oldUntil) });
  },

  listDeliveries: async ({ input, reply }, { webhooks }) => {
    const deliveries = await webhooks.deliveries(input.path.webhookId, maxDeliveries);
    return reply(200, {
      deliveries: deliveries.map(({ id, state, tries, at, reason, notification }) => ({
        id,
        state,
        tries,
        at: toTime(at),
        reason: toReasonReply(reason),
        createdAt: toTime(notification.createdAt),
        type: notification.type,
        ...(notification.type === 'voucher.created'
          ? { site: notification.site, source: notification.source, count: notification.count }
          : {
              site: notification.sites.join(', '),
              source: notification.controller,
              count: notification.sites.length,
            }),
      })),
    });
  },

  resendDelivery: async ({ input, principal, reply, client }, { webhooks }) => {
    await webhooks.resend(input.path.deliveryId, actorOf(principal, client));
    return reply(204);
  },
} satisfies Partial<WebHandlers>;

const hourMs = 3_600_000;

const maxDeliveries = 100;
