import type { Knex } from 'knex';
import { parseReason, serialiseReason, type AttemptReason } from '../i18n/storedReasons.js';
import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { countChosenRows, deleteBatch, inTransaction, maxDeletedRows } from '../database/transactions.js';
import { toNotification, whereWanted, type Notification, type NotificationRow } from './notificationTable.js';

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** One notification on its way to one webhook. */
export interface Delivery {
  readonly id: number;
  readonly webhookId: number;
  readonly state: DeliveryState;
  /** The number of attempts so far. */
  readonly tries: number;
  /** When the next attempt is due; for a settled delivery, when it was settled. */
  readonly at: number;
  /** Why the last attempt failed; null once it is delivered. */
  readonly reason: AttemptReason | null;
  /** Whether later deliveries to the same webhook wait for this one. */
  readonly holds: boolean;
  readonly createdAt: number;
  /** When the last attempt was made; null before the first one, and where an earlier version made it. */
  readonly triedAt: number | null;
  readonly notification: Notification;
}

/** A delivery joined with its notification. */
type JoinedDelivery = Omit<Delivery, 'notification' | 'reason'> &
  Omit<NotificationRow, 'id' | 'createdAt'> & {
    readonly reason: string | null;
    readonly notificationId: string;
    readonly notifiedAt: number;
  };

const columns = defineColumns<JoinedDelivery>(
  {
    id: 'plain',
    webhookId: 'plain',
    state: 'plain',
    tries: 'plain',
    at: 'plain',
    reason: 'plain',
    holds: 'boolean',
    createdAt: 'plain',
    triedAt: 'plain',
    notificationId: 'plain',
    type: 'plain',
    count: 'plain',
    site: 'plain',
    source: 'plain',
    detail: 'json',
    notifiedAt: 'plain',
  },
  { id: 'deliveries.id', createdAt: 'deliveries.created_at', notifiedAt: 'notifications.created_at' },
);

/** Until when deliveries and their notifications are removed. */
export interface DeliveryBounds {
  readonly deliveredBefore: number;
  readonly failedBefore: number;
  /** For those that wait for a webhook that was switched off and never came back. */
  readonly abandonedBefore: number;
}

export interface DeliveryTable {
  /** Makes deliveries to the active webhooks that want them from the outbox. Returns the number of notifications. */
  dispatch(now: number): Promise<number>;
  /** The first delivery of a webhook that is due, or that the later ones have to wait for. */
  findNextSendable(webhookId: number, now: number): Promise<Delivery | undefined>;
  /** The newest deliveries, newest first. */
  newest(filter: { webhookId?: number; state?: DeliveryState }, limit: number): Promise<Delivery[]>;
  /** Has no effect on a settled delivery: an outcome may arrive after the lease has ended. */
  settle(id: number, state: 'delivered' | 'failed', reason: AttemptReason | null, at: number): Promise<void>;
  /** With `holds`, no other delivery to the same webhook is due earlier. */
  postpone(
    id: number,
    how: Pick<Delivery, 'at' | 'holds'> & { readonly reason: AttemptReason; readonly triedAt?: number },
  ): Promise<void>;
  /** Restarts a failed or delivered delivery with zero attempts. False when it does not exist. */
  resend(id: number, now: number, audit?: AuditDraft): Promise<boolean>;
  /** For each failing active webhook, the oldest delivery that still waits after `failingTries` attempts or more. */
  failing(): Promise<Delivery[]>;
  /** The number of deliveries that failed for good since a time, and the last of them. */
  failedSince(time: number): Promise<{ count: number; last: Delivery | undefined }>;
  /** What waits for each webhook, and how often the one that was tried most has failed. */
  queues(): Promise<DeliveryQueue[]>;
  /** The number of notifications that are not dispatched yet. */
  countUndispatched(): Promise<number>;
  /** Removes a batch of what is older, and returns how many deliveries and notifications that were. */
  removeBefore(bounds: DeliveryBounds, limit?: number): Promise<number>;
  /** How many there are of them, at most `limit`. */
  countBefore(bounds: DeliveryBounds, limit: number): Promise<number>;
}

/** What waits for a webhook. */
export interface DeliveryQueue {
  readonly webhookId: number;
  readonly waiting: number;
  readonly oldestAt: number;
  /** The most attempts that one of them has had. */
  readonly tries: number;
}

/** One attempt may fail by chance; after the second one, people are told. */
export const failingTries = 2;

/** The maximum number of notifications per dispatch. */
export const dispatchBatchSize = 500;

const deliveriesKey = { table: 'deliveries', key: 'id' };

/** No attempt is delayed for longer. A later time was written before the clock was set back. */
export const maxRetryDelayMs = 30 * 60 * 60 * 1000;

/** An attempt that lies further ahead was made before the clock was set back. Clocks of processes differ by less. */
const maxClockDifferenceMs = 60_000;

/** Was this written before the clock was set back? Then its next attempt is due: nobody knows how long it was to wait. */
const isAhead = ({ at, triedAt }: Pick<Delivery, 'at' | 'triedAt'>, now: number): boolean =>
  at > now + maxRetryDelayMs || (triedAt !== null && triedAt > now + maxClockDifferenceMs);

/** The same as a condition. */
export const whereAhead = (either: Knex.QueryBuilder, now: number): Knex.QueryBuilder =>
  either.orWhere('at', '>', now + maxRetryDelayMs).orWhere('tried_at', '>', now + maxClockDifferenceMs);

/** Whether to attempt a delivery now. One that was never postponed is always due, even if the clock was set back. */
export const isDeliveryDue = (
  delivery: Pick<Delivery, 'at' | 'createdAt' | 'triedAt'>,
  now: number,
): boolean => delivery.at <= now || delivery.at === delivery.createdAt || isAhead(delivery, now);

/** The outbox of notifications and their deliveries. */
export const makeDeliveryTable = ({ read, write }: Database): DeliveryTable => ({
  dispatch: async (now) => {
    // Usually the outbox is empty, and reading does not need the writer.
    if (!(await read('notifications').whereNull('dispatched_at').first('id'))) return 0;
    return inTransaction(write, async (transaction) => {
      // The write comes first: SQLite takes its lock at once, and on PostgreSQL a second process waits here until the
      // first has dispatched the same notifications, so each is dispatched once and in order.
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
          transaction.raw("'waiting', 0, ?, ?, ?", [now, false, now]),
        );
      await transaction(
        transaction.raw('deliveries (webhook_id, notification_id, state, tries, at, holds, created_at)'),
      ).insert(rows);
      return claimed.length;
    });
  },
  findNextSendable: async (webhookId, now) => {
    const [next] = toDeliveries(
      await selectDeliveries(read)
        .where({ webhook_id: webhookId, state: 'waiting' })
        .where((either) =>
          whereAhead(
            either
              .where('at', '<=', now)
              .orWhere('at', read.ref('deliveries.created_at'))
              .orWhere('holds', true),
            now,
          ),
        )
        .orderBy('deliveries.id')
        .limit(1),
    );
    return next;
  },
  newest: async (filter, limit) =>
    toDeliveries(
      await selectDeliveries(read).where(columns.toRow(filter)).orderBy('deliveries.id', 'desc').limit(limit),
    ),
  settle: async (id, state, reason, at) => {
    await write('deliveries')
      .where({ id, state: 'waiting' })
      .update({ state, reason: serialiseReason(reason), at, tries: write.raw('tries + 1') });
  },
  postpone: (id, { reason, at, holds, triedAt }) =>
    inTransaction(write, async (transaction) => {
      const [row] = await transaction('deliveries')
        .where({ id, state: 'waiting' })
        .update({
          ...{ reason: serialiseReason(reason), at, holds },
          tried_at: triedAt ?? null,
          tries: write.raw('tries + 1'),
        })
        .returning<{ webhook_id: number }[]>('webhook_id');
      if (!holds || !row) return;
      // Later deliveries wait for this one anyway; earlier ones may have an attempt of their own due sooner.
      await transaction('deliveries')
        .where({ webhook_id: row.webhook_id, state: 'waiting' })
        .where('id', '<', id)
        .where('at', '<', at)
        .update({ at });
    }),
  resend: (id, now, audit) =>
    inTransaction(write, async (transaction) => {
      const [row] = await transaction('deliveries')
        .where({ id })
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
    const oldest = read('deliveries')
      .join('webhooks', 'webhooks.id', 'deliveries.webhook_id')
      .where({ 'deliveries.state': 'waiting', 'webhooks.active': true })
      .where('deliveries.tries', '>=', failingTries)
      .groupBy('deliveries.webhook_id')
      .min('deliveries.id');
    return toDeliveries(
      await selectDeliveries(read).whereIn('deliveries.id', oldest).orderBy('deliveries.id'),
    );
  },
  queues: () =>
    read('deliveries')
      .where({ state: 'waiting' })
      .groupBy('webhook_id')
      .select<DeliveryQueue[]>(
        { webhookId: 'webhook_id' },
        read.raw('count(*) as waiting, min(created_at) as ??, max(tries) as tries', ['oldestAt']),
      ),
  countUndispatched: async () => {
    const row = await read('notifications')
      .whereNull('dispatched_at')
      .first<{ count: number } | undefined>(read.raw('count(*) as count'));
    return row?.count ?? 0;
  },
  failedSince: async (time) => {
    // Literally, for the partial index of settled deliveries.
    const failed = "state = 'failed'";
    const counted = await read('deliveries')
      .whereRaw(failed)
      .where('at', '>=', time)
      .first<{ count: number } | undefined>(read.raw('count(*) as count'));
    const [last] = toDeliveries(
      await selectDeliveries(read).whereRaw(failed).where('at', '>=', time).orderBy('at', 'desc').limit(1),
    );
    return { count: counted?.count ?? 0, last };
  },
});

/** Settled deliveries, those that nobody will send, and then the notifications without any delivery. */
const toOldRows = (db: Knex, { deliveredBefore, failedBefore, abandonedBefore }: DeliveryBounds) => {
  const inactive = db('webhooks').select('id').where('active', false);
  const needed = db('deliveries').whereRaw('deliveries.notification_id = notifications.id');
  // SQLite uses a partial index only when its condition is literally in the statement.
  return [
    {
      key: deliveriesKey,
      choose: (rows: Knex.QueryBuilder) =>
        rows.whereRaw("state = 'delivered'").where('at', '<', deliveredBefore),
    },
    {
      key: deliveriesKey,
      choose: (rows: Knex.QueryBuilder) => rows.whereRaw("state = 'failed'").where('at', '<', failedBefore),
    },
    {
      key: deliveriesKey,
      choose: (rows: Knex.QueryBuilder) =>
        rows
          .where({ state: 'waiting' })
          .whereIn('webhook_id', inactive)
          .where('created_at', '<', abandonedBefore),
    },
    {
      key: { table: 'notifications', key: 'id' },
      choose: (rows: Knex.QueryBuilder) =>
        rows.where('dispatched_at', '<', deliveredBefore).whereNotExists(needed),
    },
  ];
};

const selectDeliveries = (db: Knex) =>
  db('deliveries')
    .join('notifications', 'notifications.id', 'deliveries.notification_id')
    .select(columns.aliases);

const toDeliveries = (rows: readonly unknown[]): Delivery[] =>
  columns
    .fromRows(rows)
    .map(({ notificationId: id, type, count, site, source, detail, notifiedAt, reason, ...delivery }) => ({
      ...delivery,
      reason: parseReason('attempt', reason),
      notification: toNotification({ id, type, count, site, source, detail, createdAt: notifiedAt }),
    }));

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
