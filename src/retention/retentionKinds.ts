import type { KeyUsageTable } from '../apiKeys/keyUsageTable.js';
import type { AuditLogTable } from '../audit/auditTable.js';
import { sessionBoundsAt } from '../auth/sessions.js';
import type { SessionTable } from '../auth/sessionTable.js';
import type { Config } from '../config/config.js';
import type { OutboxTable } from '../outbox/outboxTable.js';
import type { EndedVoucherTable, SiteBounds } from '../vouchers/endedVoucherTable.js';
import type { IntentTable } from '../vouchers/intentTable.js';
import type { OrderTable } from '../vouchers/orderTable.js';
import type { DeliveryTable } from '../webhooks/deliveryTable.js';
import type { Pace } from './pace.js';

/** Everything that is kept for a time, in the order in which it is removed. */
export const retentionKinds = [
  'vouchers',
  'orders',
  'deliveries',
  'emails',
  'audit',
  'sessions',
  'usage',
] as const;
export type RetentionKind = (typeof retentionKinds)[number];

/** The tables that it removes from. */
export interface RetentionTables {
  readonly endedVouchers: EndedVoucherTable;
  readonly intents: Pick<IntentTable, 'oldestByController'>;
  readonly orders: OrderTable;
  readonly deliveries: DeliveryTable;
  readonly outbox: OutboxTable;
  readonly auditLog: AuditLogTable;
  readonly sessions: SessionTable;
  readonly keyUsage: KeyUsageTable;
}

/** What is removed of one kind at one time. */
export interface RetentionTask {
  readonly kind: RetentionKind;
  /** Removes all of it, batch by batch, and reports each. */
  remove(pace: Pace, onRemoved: (kind: RetentionKind, rows: number) => void): Promise<void>;
  /** How many rows there are to remove, at most `limit`. */
  count(limit: number): Promise<number>;
}

const dayMs = 86_400_000;

/**
 * Deliveries to a webhook that is switched off are given up after this time,
 * or later if failed ones are kept longer.
 */
const abandonedDays = 90;

/** The beginning of the day, UTC. So what is due goes once a day. */
const beginningOfDay = (now: number): number => Math.floor(now / dayMs) * dayMs;

/** What is to be removed at a time. A kind that is kept for good has no task. */
export const makeRetentionTasks = (
  tables: RetentionTables,
  { retention, auditDays }: Pick<Config, 'retention' | 'auditDays'>,
  now: number,
): RetentionTask[] => {
  const { orders, deliveries, outbox, auditLog, sessions, keyUsage } = tables;
  const today = beginningOfDay(now);
  const before = (days: number): number => today - days * dayMs;
  const deliveryBounds = {
    deliveredBefore: before(retention.deliveredDays),
    failedBefore: before(retention.failedDays),
    abandonedBefore: before(Math.max(abandonedDays, retention.failedDays)),
  };
  // One that was used since the day began is not past; one that lies ahead is so by the time of now.
  const sessionBounds = { ...sessionBoundsAt(today), usedUntil: sessionBoundsAt(now).usedUntil };
  const plainTask = (
    kind: RetentionKind,
    removeBatch: (limit: number) => Promise<number>,
    count: (limit: number) => Promise<number>,
  ): RetentionTask => ({
    kind,
    count,
    remove: (pace, onRemoved) =>
      pace.run(async (limit) => {
        const rows = await removeBatch(limit);
        onRemoved(kind, rows);
        return rows;
      }),
  });
  const { vouchersDays, ordersDays, emailsDays, usageDays } = retention;
  return [
    ...(vouchersDays === undefined ? [] : [makeVoucherTask(tables, before(vouchersDays), now)]),
    plainTask(
      'orders',
      (limit) => orders.removeBefore(before(ordersDays), limit),
      (limit) => orders.countBefore(before(ordersDays), limit),
    ),
    plainTask(
      'deliveries',
      (limit) => deliveries.removeBefore(deliveryBounds, limit),
      (limit) => deliveries.countBefore(deliveryBounds, limit),
    ),
    plainTask(
      'emails',
      // SMS are kept as long as e-mails.
      (limit) => outbox.removeSettled(['email', 'sms'], before(emailsDays), limit),
      (limit) => outbox.countSettled(['email', 'sms'], before(emailsDays), limit),
    ),
    plainTask(
      'audit',
      (limit) => auditLog.removeBefore(before(auditDays), limit),
      (limit) => auditLog.countBefore(before(auditDays), limit),
    ),
    plainTask(
      'sessions',
      (limit) => sessions.removeEnded(sessionBounds, limit),
      (limit) => sessions.countEnded(sessionBounds, limit),
    ),
    plainTask(
      'usage',
      (limit) => keyUsage.removeBefore(before(usageDays), limit),
      (limit) => keyUsage.countBefore(before(usageDays), limit),
    ),
  ];
};

const makeVoucherTask = (
  { endedVouchers, intents }: RetentionTables,
  endedBefore: number,
  now: number,
): RetentionTask => {
  /**
   * The reconciler recognises the voucher of an open order by the fact that it
   * is not recorded, and compares times by clocks that differ: a voucher that
   * is as young as the oldest open order on its controller keeps its record.
   */
  const findBounds = async (): Promise<SiteBounds> => {
    const oldest = await intents.oldestByController();
    const createdBefore = (controllerId: number): number => {
      const began = oldest.get(controllerId);
      return began === undefined ? now : began - dayMs;
    };
    return { endedBefore, createdBefore };
  };
  return {
    kind: 'vouchers',
    count: async (limit) => endedVouchers.count(await findBounds(), limit),
    remove: async (pace, onRemoved) => {
      await pace.run((limit) => endedVouchers.expireAbandoned(endedBefore, limit));
      for await (const site of endedVouchers.sites(await findBounds())) {
        const { siteId, bounds, hasRemovable, hasUndated } = site;
        if (hasUndated) await pace.run((limit) => endedVouchers.date(siteId, now, limit));
        if (!hasRemovable) continue;
        await pace.run(async (limit) => {
          const removed = await endedVouchers.remove(siteId, bounds, limit);
          for (const kind of ['vouchers', 'orders', 'emails'] as const) onRemoved(kind, removed[kind]);
          return removed.vouchers;
        });
      }
    },
  };
};
