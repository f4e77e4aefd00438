import type { WebHandler } from '../handler.js';
import { toReasonReply, toTime } from '../replies.js';

const maxDeliveries = 100;

export const listDeliveries: WebHandler<'listDeliveries'> = async ({ input, reply }, { webhooks }) => {
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
};
