import { newId, nodeSystem } from '../../../src/lib/system.js';
import type { Delivery, DeliveryTable } from '../../../src/webhooks/deliveryTable.js';
import type { OutboxTable } from '../../../src/outbox/outboxTable.js';
import { enqueueNotifications } from '../../../src/webhooks/notificationTable.js';
import type { NewWebhook } from '../../../src/webhooks/webhookTable.js';
import { someTime as now } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

export const someWebhook = (values: Partial<NewWebhook> = {}): NewWebhook => ({
  name: newId(nodeSystem),
  format: 'slack',
  language: 'de',
  sealedAddress: 'sealed',
  sealedSecrets: null,
  createdAt: now,
  ...values,
});

/** The notifications of deliveries. */
export const notificationIds = (deliveries: readonly Delivery[]): string[] =>
  deliveries.map(({ notification }) => notification.id);

/** Webhooks, notifications and deliveries of the shared database. */
interface Outbox {
  table(): DeliveryTable;
  items(): OutboxTable;
  addWebhook(): Promise<number>;
  /** Puts notifications into the outbox, each a millisecond younger than the one before; returns their ids. */
  notify(howMany: number): Promise<string[]>;
  /** All deliveries of a webhook, in order. */
  of(webhookId: number): Promise<Delivery[]>;
  /** A webhook with so many deliveries that wait. */
  queue(howMany: number): Promise<{ webhookId: number; ids: number[] }>;
  /** Delivers what a webhook may be sent at a time, one by one, and returns the ids in that order. */
  drainSendable(webhookId: number, at: number): Promise<number[]>;
  empty(): Promise<void>;
}

export const makeOutbox = (shared: () => Shared): Outbox => {
  const table = (): DeliveryTable => shared().tables.deliveries;
  const items = (): OutboxTable => shared().tables.outbox;
  const addWebhook = (): Promise<number> => shared().tables.webhooks.add(someWebhook());
  const notify = async (howMany: number): Promise<string[]> => {
    const ids = Array.from({ length: howMany }, () => newId(nodeSystem));
    const notifications = ids.map((id, index) => ({
      type: 'voucher.created' as const,
      id,
      count: index + 1,
      site: 'Hauptgebäude',
      source: 'API: Buchungssystem',
      createdAt: now + index,
    }));
    // The order in which they are written is not the order in which they happened.
    await enqueueNotifications(shared().database.write, notifications.reverse());
    return ids;
  };
  const of = async (webhookId: number): Promise<Delivery[]> =>
    (await table().newest({ webhookId }, 10_000)).reverse();
  return {
    table,
    items,
    addWebhook,
    notify,
    of,
    queue: async (howMany) => {
      const webhookId = await addWebhook();
      await notify(howMany);
      await table().dispatch(now);
      return { webhookId, ids: (await of(webhookId)).map(({ id }) => id) };
    },
    drainSendable: async (webhookId, at) => {
      const ids: number[] = [];
      for (;;) {
        const next = await items().findNext({ kind: 'webhook', webhookId }, at);
        if (!next) return ids;
        ids.push(next.id);
        await items().settle(next.id, 'sent', null, at);
      }
    },
    empty: async () => {
      const { write } = shared().database;
      for (const name of ['outbox', 'webhooks', 'notifications']) await write(name).delete();
    },
  };
};
