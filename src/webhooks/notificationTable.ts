import type { Knex } from 'knex';
import type { StoredFailure } from '../controllers/storedFailure.js';
import { defineColumns } from '../database/columns.js';
import { insertRows } from '../database/transactions.js';

/** Vouchers were created. */
export interface VouchersCreated {
  readonly type: 'voucher.created';
  readonly id: string;
  readonly count: number;
  readonly site: string;
  readonly source: string;
  readonly createdAt: number;
}

/** A controller can't be reached, or can be reached again. */
export interface ControllerOutage {
  readonly type: 'controller.unreachable' | 'controller.reachable';
  readonly id: string;
  readonly controller: string;
  readonly sites: readonly string[];
  /** Why it can't be reached, without what only the operator may know; null once it can be reached. */
  readonly failure: StoredFailure | null;
  readonly createdAt: number;
}

/** What webhooks are told. It stays in the outbox until it is dispatched. */
export type Notification = VouchersCreated | ControllerOutage;

/**
 * A row of the table. An outage has the number and the names of its sites, and the controller as the source.
 */
interface NotificationRow extends Omit<VouchersCreated, 'type'> {
  readonly type: Notification['type'];
  /** Null for vouchers. */
  readonly detail: Pick<ControllerOutage, 'sites' | 'failure'> | null;
}

const columns = defineColumns<NotificationRow>({
  id: 'plain',
  type: 'plain',
  count: 'plain',
  site: 'plain',
  source: 'plain',
  detail: 'json',
  createdAt: 'plain',
});

const toRow = (notification: Notification): Partial<NotificationRow> => {
  if (notification.type === 'voucher.created') return notification;
  const { id, type, controller, sites, failure, createdAt } = notification;
  return {
    id,
    type,
    createdAt,
    count: sites.length,
    site: sites.join(', '),
    source: controller,
    detail: { sites, failure },
  };
};

/** The columns in a join with the outbox, whose columns have the names of others. */
const joined = defineColumns<
  Omit<NotificationRow, 'id' | 'createdAt'> & { notifiedAt: number; notificationId: string }
>(
  {
    type: 'plain',
    count: 'plain',
    site: 'plain',
    source: 'plain',
    detail: 'json',
    notifiedAt: 'plain',
    notificationId: 'plain',
  },
  { notifiedAt: 'notifications.created_at' },
);
export const notificationColumns = joined.aliases;

/** The notifications in the rows of such a join. */
export const toNotifications = (rows: readonly unknown[]): Notification[] =>
  joined
    .fromRows(rows)
    .map(({ type, count, site, source, detail, notificationId: id, notifiedAt: createdAt }) =>
      type === 'voucher.created'
        ? { type, id, count, site, source, createdAt }
        : { type, id, controller: source, createdAt, ...(detail ?? { sites: [], failure: null }) },
    );

/**
 * Puts notifications in the outbox, in the transaction that records what they tell.
 * When no active webhook wants them, they count as dispatched: no process has to lock and update them.
 */
export const enqueueNotifications = async (
  transaction: Knex,
  notifications: readonly Notification[],
): Promise<void> => {
  await insertRows(
    transaction,
    'notifications',
    notifications.map((notification) => columns.toRow(toRow(notification))),
    {
      computed: {
        dispatched_at: (valueOf) =>
          `case when not exists (select 1 from webhooks where active and (${valueOf('type')} = 'voucher.created' or reports_controllers)) then ${valueOf('created_at')} end`,
      },
    },
  );
};

/** Which webhooks want a notification. The PHP tool never told that a controller can be reached again. */
export const whereWanted = (rows: Knex.QueryBuilder): Knex.QueryBuilder =>
  rows
    .where('webhooks.active', true)
    .where((either) =>
      either.where('notifications.type', 'voucher.created').orWhere('webhooks.reports_controllers', true),
    )
    .where((either) =>
      either.whereNot('notifications.type', 'controller.reachable').orWhereNot('webhooks.format', 'php-tool'),
    );
