import type { Knex } from 'knex';
import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import type { Database } from '../database/database.js';
import { countChosenRows, deleteBatch, inTransaction, maxDeletedRows } from '../database/transactions.js';
import {
  outboxColumns,
  outboxKey,
  toItems,
  type OutboxItem,
  type OutboxState,
} from '../outbox/outboxTable.js';
import { failingTries } from '../outbox/outboxWorker.js';
import { notificationColumns, toNotifications, whereWanted, type Notification } from './notificationTable.js';

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** One notification on its way to one webhook. */
export interface Delivery extends Pick<
  OutboxItem<'webhook'>,
  'id' | 'tries' | 'at' | 'reason' | 'holds' | 'createdAt' | 'triedAt'
> {
  readonly webhookId: number;
  readonly state: DeliveryState;
  readonly notification: Notification;
}

/** Until when deliveries and their notifications are removed. */
export interface DeliveryBounds {
  readonly deliveredBefore: number;
  readonly failedBefore: number;
  /** For those that wait for a webhook that was switched off and never came back. */
  readonly abandonedBefore: number;
}

export interface DeliveryTable {
  /**
   * Makes deliveries to the active webhooks that want them from the outbox.
   * Returns the number of notifications.
   */
  dispatch(now: number): Promise<number>;
  find(id: number): Promise<Delivery | undefined>;
  /** The newest deliveries, newest first. */
  newest(filter: { webhookId?: number; state?: DeliveryState }, limit: number): Promise<Delivery[]>;
  /** Restarts a failed or delivered delivery with zero attempts. False when it does not exist. */
  resend(id: number, now: number, audit?: AuditDraft): Promise<boolean>;
  /**
   * For each failing active webhook, the oldest delivery
   * that still waits after `failingTries` attempts or more.
   */
  failing(): Promise<Delivery[]>;
  /** The number of notifications that are not dispatched yet. */
  countUndispatched(): Promise<number>;
  /** Removes a batch of what is older, and returns how many deliveries and notifications that were. */
  removeBefore(bounds: DeliveryBounds, limit?: number): Promise<number>;
  /** How many there are of them, at most `limit`. */
  countBefore(bounds: DeliveryBounds, limit: number): Promise<number>;
}

/** The maximum number of notifications per dispatch. */
export const dispatchBatchSize = 500;

/** Notifications, and their deliveries in the outbox. */
export const makeDeliveryTable = ({ read, write }: Database): DeliveryTable => ({
  dispatch: async (now) => {
    // Usually the outbox is empty, and reading does not need the writer.
    if (!(await read('notifications').whereNull('dispatched_at').first('id'))) return 0;
    return inTransaction(write, async (transaction) => {
      // The write comes first: SQLite takes its lock at once, and on PostgreSQL a second process waits here
      // until the first has dispatched the same notifications, so each is dispatched once and in order.
      const waiting = transaction('notifications')
        .select('id')
        .whereNull('dispatched_at')
        .orderBy('created_at');
      const claimed = await transaction('notifications')
        .whereIn('id', waiting.limit(dispatchBatchSize))
        .whereNull('dispatched_at')
        .update({ dispatched_at: now })
        .returning<{ id: string }[]>('id');
      // A single statement, because recording vouchers waits for the writer meanwhile.
      const rows = whereWanted(
        transaction('notifications')
          .joinRaw('cross join webhooks')
          .whereIn(
            'notifications.id',
            claimed.map(({ id }) => id),
          ),
      )
        .orderBy('notifications.created_at')
        .select(
          'webhooks.id',
          'notifications.id',
          transaction.raw("'webhook', 'waiting', 0, ?, ?, ?", [now, false, now]),
        );
      await transaction(
        transaction.raw('outbox (webhook_id, notification_id, kind, state, tries, at, holds, created_at)'),
      ).insert(rows);
      return claimed.length;
    });
  },
  find: async (id) => toDeliveries(await selectDeliveries(read).where('outbox.id', id))[0],
  newest: async ({ webhookId, state }, limit) =>
    toDeliveries(
      await selectDeliveries(read)
        .where({
          ...(webhookId !== undefined && { webhook_id: webhookId }),
          ...(state !== undefined && { state: state === 'delivered' ? 'sent' : state }),
        })
        .orderBy('outbox.id', 'desc')
        .limit(limit),
    ),
  resend: (id, now, audit) =>
    inTransaction(write, async (transaction) => {
      const [row] = await transaction('outbox')
        .where({ id, kind: 'webhook' })
        .update({
          state: 'waiting',
          tries: 0,
          at: now,
          created_at: now,
          holds: false,
          reason: null,
          tried_at: null,
        })
        .returning<{ webhook_id: number }[]>('webhook_id');
      if (!row) return false;
      await recordWebhookAudit(transaction, row.webhook_id, audit);
      return true;
    }),
  removeBefore: async (bounds, limit = maxDeletedRows) => {
    let removed = 0;
    for (const { key, choose } of toOldRows(write, bounds))
      if (removed < limit) removed += await deleteBatch(write, key, choose, limit - removed);
    return removed;
  },
  countBefore: async (bounds, limit) => {
    let count = 0;
    for (const { key, choose } of toOldRows(read, bounds))
      if (count < limit) count += await countChosenRows(read, key.table, choose, limit - count);
    return count;
  },
  failing: async () => {
    const oldest = read('outbox')
      .join('webhooks', 'webhooks.id', 'outbox.webhook_id')
      .where({ 'outbox.state': 'waiting', 'webhooks.active': true })
      .where('outbox.tries', '>=', failingTries)
      .groupBy('outbox.webhook_id')
      .min('outbox.id');
    return toDeliveries(await selectDeliveries(read).whereIn('outbox.id', oldest).orderBy('outbox.id'));
  },
  countUndispatched: async () => {
    const row = await read('notifications')
      .whereNull('dispatched_at')
      .first<{ count: number } | undefined>(read.raw('count(*) as count'));
    return row?.count ?? 0;
  },
});

/** Settled deliveries, those that nobody will send, and then the notifications without any delivery. */
const toOldRows = (db: Knex, { deliveredBefore, failedBefore, abandonedBefore }: DeliveryBounds) => {
  const inactive = db('webhooks').select('id').where('active', false);
  const needed = db('outbox').whereRaw('outbox.notification_id = notifications.id');
  const chooseDeliveries = (state: OutboxState, narrow: (rows: Knex.QueryBuilder) => Knex.QueryBuilder) => ({
    key: outboxKey,
    choose: (rows: Knex.QueryBuilder) => narrow(rows.where({ kind: 'webhook', state })),
  });
  return [
    chooseDeliveries('sent', (rows) => rows.where('at', '<', deliveredBefore)),
    chooseDeliveries('failed', (rows) => rows.where('at', '<', failedBefore)),
    chooseDeliveries('waiting', (rows) =>
      rows.whereIn('webhook_id', inactive).where('created_at', '<', abandonedBefore),
    ),
    {
      key: { table: 'notifications', key: 'id' },
      choose: (rows: Knex.QueryBuilder) =>
        rows.where('dispatched_at', '<', deliveredBefore).whereNotExists(needed),
    },
  ];
};

/** Both with `id` and `created_at`: those of the notification have names of their own. */
const selectDeliveries = (db: Knex) =>
  db('outbox')
    .join('notifications', 'notifications.id', 'outbox.notification_id')
    .select<object[]>(notificationColumns, {
      ...outboxColumns,
      id: 'outbox.id',
      createdAt: 'outbox.created_at',
    });

const toDeliveries = (rows: readonly object[]): Delivery[] => {
  const notifications = toNotifications(rows);
  return toItems<'webhook'>(rows).flatMap((item, index) => {
    const { id, webhookId, tries, at, reason, holds, createdAt, triedAt } = item;
    const notification = notifications[index];
    if (webhookId === null || !notification) return [];
    const state = toDeliveryState(item.state);
    return [{ id, webhookId, state, tries, at, reason, holds, createdAt, triedAt, notification }];
  });
};

/** The state of a delivery by that of its row. */
export const toDeliveryState = (state: OutboxState): DeliveryState =>
  state === 'sent' ? 'delivered' : state;

/** Records what is done to a webhook, if it exists. */
export const recordWebhookAudit = async (
  transaction: Knex,
  id: number,
  audit: AuditDraft | undefined,
): Promise<void> => {
  if (!audit) return;
  const webhook = await transaction('webhooks').where({ id }).first<{ name: string } | undefined>('name');
  if (!webhook) return;
  await recordAudit(transaction, {
    ...audit,
    subjectKind: 'webhook',
    subjectId: String(id),
    subjectName: webhook.name,
  });
};
