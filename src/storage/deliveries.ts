import type { Knex } from 'knex';
import { defineColumns } from './columns.js';
import type { Database } from './database.js';
import { deleteInBatches, inTransaction } from './transactions.js';

/** The event "vouchers were created", in the outbox until it is delivered. */
export interface Notification {
  readonly id: string;
  readonly count: number;
  readonly site: string;
  readonly source: string;
  readonly createdAt: number;
}

const notificationColumns = defineColumns<Notification>({
  id: 'plain',
  count: 'plain',
  site: 'plain',
  source: 'plain',
  createdAt: 'plain',
});

/** Puts notifications in the outbox, within the transaction that records their vouchers. */
export const enqueueNotifications = async (
  transaction: Knex,
  notifications: readonly Notification[],
): Promise<void> => {
  await transaction('notifications').insert(notifications.map(notificationColumns.toRow));
};

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** One notification on its way to one webhook. */
export interface Delivery {
  readonly id: number;
  readonly webhookId: number;
  readonly state: DeliveryState;
  /** How often it was tried. */
  readonly tries: number;
  /** When the next try is due; for one that is settled, when that was. */
  readonly at: number;
  /** What the last try said, unless it was delivered. */
  readonly reason: string | null;
  /** Does what is behind it wait until it is tried again? */
  readonly holds: boolean;
  readonly createdAt: number;
  readonly notification: Notification;
}

/** A delivery joined with its notification. */
type JoinedDelivery = Omit<Delivery, 'notification'> &
  Pick<Notification, 'count' | 'site' | 'source'> & {
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
    notificationId: 'plain',
    count: 'plain',
    site: 'plain',
    source: 'plain',
    notifiedAt: 'plain',
  },
  { id: 'deliveries.id', createdAt: 'deliveries.created_at', notifiedAt: 'notifications.created_at' },
);

export interface DeliveryTable {
  /** Makes deliveries to the active webhooks of what waits in the outbox. Returns how many notifications there were. */
  dispatch(now: number): Promise<number>;
  /** The first delivery of a webhook that is due, or that the later ones have to wait for. */
  findNextSendable(webhookId: number, now: number): Promise<Delivery | undefined>;
  /** The newest deliveries first. */
  newest(filter: { webhookId?: number; state?: DeliveryState }, limit: number): Promise<Delivery[]>;
  /** What is settled already is left as it is: an outcome may come late, after a lease has ended. */
  settle(id: number, state: 'delivered' | 'failed', reason: string | null, at: number): Promise<void>;
  /** With `holds`, nothing of the same webhook is due earlier. */
  postpone(id: number, how: Pick<Delivery, 'at' | 'holds'> & { reason: string }): Promise<void>;
  /** Lets a failed or delivered one be tried again from the beginning. False when there is none. */
  resend(id: number, now: number): Promise<boolean>;
  /** The oldest one that was tried several times and still waits. */
  oldestRetried(): Promise<Delivery | undefined>;
  /** How many have failed for good since that time, and the last one of them. */
  failedSince(time: number): Promise<{ count: number; last: Delivery | undefined }>;
  /** Removes delivered ones settled before the first time, failed ones before the second, and what nobody needs. */
  clean(deliveredBefore: number, failedBefore: number): Promise<number>;
}

/** How many notifications are dispatched in one transaction. */
export const dispatchBatchSize = 500;

const deliveriesKey = { table: 'deliveries', key: 'id' };

/** No try is put off for longer: what lies further ahead was written before the clock was set back. */
export const maxRetryDelayMs = 30 * 60 * 60 * 1000;

/** What was never put off is due whatever the clock says. */
export const isDeliveryDue = ({ at, createdAt }: Pick<Delivery, 'at' | 'createdAt'>, now: number): boolean =>
  at <= now || at === createdAt || at > now + maxRetryDelayMs;

export const makeDeliveryTable = ({ read, write }: Database): DeliveryTable => ({
  dispatch: async (now) => {
    // Most of the time there is nothing, and looking does not need the writer.
    if (!(await read('notifications').whereNull('dispatched_at').first('id'))) return 0;
    return inTransaction(write, async (transaction) => {
      // A write comes first, so that SQLite takes its lock at once, and on PostgreSQL a process waits for another
      // that has claimed the same ones, and then finds them dispatched: in order, and once.
      const waiting = transaction('notifications')
        .select('id')
        .whereNull('dispatched_at')
        .orderBy('created_at');
      const claimed = await transaction('notifications')
        .whereIn('id', waiting.limit(dispatchBatchSize))
        .whereNull('dispatched_at')
        .update({ dispatched_at: now })
        .returning<{ id: string }[]>('id');
      // One statement, however many there are: whoever records vouchers waits for the writer meanwhile.
      const rows = transaction('notifications')
        .joinRaw('cross join webhooks')
        .whereIn(
          'notifications.id',
          claimed.map(({ id }) => id),
        )
        .where('webhooks.active', true)
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
          either
            .where('at', '<=', now)
            .orWhere('at', read.ref('deliveries.created_at'))
            .orWhere('at', '>', now + maxRetryDelayMs)
            .orWhere('holds', true),
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
      .update({ state, reason, at, tries: write.raw('tries + 1') });
  },
  postpone: (id, { reason, at, holds }) =>
    inTransaction(write, async (transaction) => {
      const [row] = await transaction('deliveries')
        .where({ id, state: 'waiting' })
        .update({ reason, at, holds, tries: write.raw('tries + 1') })
        .returning<{ webhook_id: number }[]>('webhook_id');
      if (!holds || !row) return;
      // What is behind it waits for it; what is ahead of it waits for a try of its own, which may be due earlier.
      await transaction('deliveries')
        .where({ webhook_id: row.webhook_id, state: 'waiting' })
        .where('id', '<', id)
        .where('at', '<', at)
        .update({ at });
    }),
  resend: async (id, now) =>
    (await write('deliveries')
      .where({ id })
      .update({ state: 'waiting', tries: 0, at: now, created_at: now, holds: false, reason: null })) > 0,
  clean: async (deliveredBefore, failedBefore) => {
    // SQLite uses an index of some rows only when it reads which ones in the statement itself.
    const removed =
      (await deleteInBatches(write, deliveriesKey, (old) =>
        old.whereRaw("state = 'delivered'").where('at', '<', deliveredBefore),
      )) +
      (await deleteInBatches(write, deliveriesKey, (old) =>
        old.whereRaw("state = 'failed'").where('at', '<', failedBefore),
      )) +
      // What waits for a webhook that was switched off and never came back.
      (await deleteInBatches(write, deliveriesKey, (old) =>
        old.where({ state: 'waiting' }).where('created_at', '<', failedBefore),
      ));
    const needed = write('deliveries').whereRaw('deliveries.notification_id = notifications.id');
    await deleteInBatches(write, { table: 'notifications', key: 'id' }, (old) =>
      old.where('dispatched_at', '<', deliveredBefore).whereNotExists(needed),
    );
    return removed;
  },
  oldestRetried: async () => {
    const [oldest] = toDeliveries(
      await selectDeliveries(read)
        .where({ state: 'waiting' })
        .where('tries', '>', 2)
        .orderBy('deliveries.id')
        .limit(1),
    );
    return oldest;
  },
  failedSince: async (time) => {
    // Literally, so that the index of what is settled can be used.
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

const selectDeliveries = (db: Knex) =>
  db('deliveries')
    .join('notifications', 'notifications.id', 'deliveries.notification_id')
    .select(columns.aliases);

const toDeliveries = (rows: readonly unknown[]): Delivery[] =>
  columns.fromRows(rows).map(({ notificationId, count, site, source, notifiedAt, ...delivery }) => ({
    ...delivery,
    notification: { id: notificationId, count, site, source, createdAt: notifiedAt },
  }));
