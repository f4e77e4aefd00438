import { batchCalls } from '../lib/batch.js';
import { recordAudits, type NewAuditEntry } from './auditLog.js';
import { defineColumns } from './columns.js';
import type { Database } from './database.js';
import { enqueueNotifications, type Notification } from './deliveries.js';
import { storeAnswer } from './idempotencyKeys.js';
import { raiseRevisions } from './revisions.js';
import { inRepeatableTransaction, inTransaction } from './transactions.js';

export type VoucherStatus = 'valid' | 'used' | 'expired';

/** A recorded voucher. */
export interface Voucher {
  readonly code: string;
  readonly name: string;
  readonly maxUses: number;
  readonly expireMinutes: number;
  readonly status: VoucherStatus;
  readonly usedCount: number;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

/** What is stored when a controller has created a voucher: the voucher and its notification; the intent is removed. */
export interface VoucherRecord {
  readonly intentId: string;
  readonly siteId: number;
  readonly controllerId: number;
  readonly controllerVoucherId: string | null;
  readonly voucher: Voucher;
  readonly notification: Notification;
  /** What the audit log says of it. */
  readonly audit?: NewAuditEntry | undefined;
  /** The JSON answer to repeated requests, when the order may have an idempotency key. */
  readonly answer?: string | undefined;
}

/** The properties of a recorded voucher that the sync corrects. */
export interface VoucherCorrection extends Pick<Voucher, 'usedCount' | 'status' | 'expiresAt'> {
  readonly id: number;
  readonly siteId: number;
}

/** The properties that the sync compares with the controller. */
export interface VoucherSyncState extends VoucherCorrection, Pick<Voucher, 'maxUses'> {
  readonly controllerVoucherId: string;
}

export const voucherColumns = defineColumns<Voucher>({
  code: 'plain',
  name: 'plain',
  maxUses: 'plain',
  expireMinutes: 'plain',
  status: 'plain',
  usedCount: 'plain',
  createdAt: 'plain',
  expiresAt: 'plain',
});

/** Stored in the same row as the voucher of a record. */
const recordColumns = defineColumns<
  Pick<VoucherRecord, 'intentId' | 'siteId' | 'controllerId' | 'controllerVoucherId'>
>({
  intentId: 'plain',
  siteId: 'plain',
  controllerId: 'plain',
  controllerVoucherId: 'plain',
});

const syncStateColumns = defineColumns<VoucherSyncState>({
  id: 'plain',
  siteId: 'plain',
  controllerVoucherId: 'plain',
  maxUses: 'plain',
  usedCount: 'plain',
  status: 'plain',
  expiresAt: 'plain',
});

export interface VoucherTable {
  /** Records a voucher atomically. False when it, or a voucher of its intent, is already recorded. */
  record(record: VoucherRecord): Promise<boolean>;
  /** The code of the voucher recorded for an intent. */
  codeOf(intentId: string): Promise<string | undefined>;
  /** The newest vouchers of a site, newest first; among equal times the last recorded comes first. */
  newest(siteId: number, limit: number): Promise<Voucher[]>;
  /**
   * The given vouchers of a controller that are not recorded, neither by the controller's voucher id nor by code and
   * name. Code and name are compared across controllers, because a console may be stored twice. With `anyName` the code
   * alone decides.
   */
  unrecorded<
    T extends Pick<Voucher, 'name'> & { readonly id: string | null; readonly code: string | undefined },
  >(
    controllerId: number,
    made: readonly T[],
    anyName?: boolean,
  ): Promise<T[]>;
  /** The number of vouchers recorded for these sites. */
  count(siteIds: readonly number[]): Promise<number>;
  /** A page of the controller's ids of a site's unexpired vouchers, sorted, after the given id. */
  unexpiredIds(controllerId: number, siteId: number, after: string, limit: number): Promise<string[]>;
  /** The recorded states of a controller's vouchers; at most `maxVouchersPerStatement` ids. */
  states(controllerId: number, controllerVoucherIds: readonly string[]): Promise<VoucherSyncState[]>;
  /** Corrects at most `maxVouchersPerStatement` vouchers atomically, and raises the revisions of their sites. */
  correct(states: readonly VoucherCorrection[]): Promise<void>;
}

/** Keeps statements short and below the limit of parameters. */
export const maxVouchersPerStatement = 500;

/** The table of recorded vouchers. Every change raises the revisions of their sites. */
export const makeVoucherTable = ({ read, write }: Database): VoucherTable => ({
  record: batchCalls((records) =>
    // The voucher already exists, so a lost connection must not lose its record; repeating never records it twice.
    inRepeatableTransaction(write, async (transaction) => {
      // Always in the same order, so that two processes that record the same vouchers can't deadlock.
      const inOrder = [...records].sort(byCode);
      const inserted = await transaction('vouchers')
        .insert(inOrder.map(toRow))
        .onConflict()
        .ignore()
        .returning<{ intent_id: string }[]>('intent_id');
      const fresh = new Set(inserted.map((row) => row.intent_id));
      // If a batch has two records of one intent, the first was inserted.
      const recorded = inOrder.filter(({ intentId }) => fresh.delete(intentId));
      if (recorded.length > 0) {
        await enqueueNotifications(
          transaction,
          recorded.map(({ notification }) => notification),
        );
        await recordAudits(
          transaction,
          recorded.flatMap(({ audit }) => audit ?? []),
        );
        for (const { intentId, answer } of recorded) {
          if (answer !== undefined) await storeAnswer(transaction, intentId, answer);
        }
        await transaction('intents')
          .whereIn(
            'id',
            recorded.map(({ intentId }) => intentId),
          )
          .delete();
        await raiseRevisions(
          transaction,
          recorded.map(({ siteId }) => `site:${siteId}` as const),
        );
      }
      return records.map((record) => recorded.includes(record));
    }),
  ),
  codeOf: async (intentId) => {
    const row = await read('vouchers')
      .where('intent_id', intentId)
      .first<Pick<Voucher, 'code'> | undefined>('code');
    return row?.code;
  },
  newest: async (siteId, limit) =>
    voucherColumns.fromRows(
      await read('vouchers')
        .select(voucherColumns.aliases)
        .where('site_id', siteId)
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit),
    ),
  unrecorded: async (controllerId, made, anyName = false) => {
    const unrecorded: (typeof made)[number][] = [];
    for (let start = 0; start < made.length; start += maxVouchersPerStatement) {
      const batch = made.slice(start, start + maxVouchersPerStatement);
      const ids = await read('vouchers')
        .where('controller_id', controllerId)
        .whereIn(
          'controller_voucher_id',
          batch.flatMap(({ id }) => id ?? []),
        )
        .pluck<string[]>('controller_voucher_id');
      const rows = await read('vouchers')
        .whereIn(
          'code',
          batch.flatMap(({ code }) => code ?? []),
        )
        .select<{ code: string; name: string }[]>('code', 'name');
      const known = new Set(ids);
      for (const voucher of batch) {
        const isRecorded =
          (voucher.id !== null && known.has(voucher.id)) ||
          rows.some(({ code, name }) => code === voucher.code && (anyName || name === voucher.name));
        if (!isRecorded) unrecorded.push(voucher);
      }
    }
    return unrecorded;
  },
  count: async (siteIds) => {
    const row = await read('vouchers')
      .whereIn('site_id', siteIds)
      .first<{ count: number } | undefined>(read.raw('count(*) as count'));
    return row?.count ?? 0;
  },
  unexpiredIds: (controllerId, siteId, after, limit) =>
    read('vouchers')
      .where({ controller_id: controllerId, site_id: siteId })
      .where('controller_voucher_id', '>', after)
      // Literally, for the partial index of unexpired vouchers.
      .whereRaw("status <> 'expired'")
      .orderBy('controller_voucher_id')
      .limit(limit)
      .pluck<string[]>('controller_voucher_id'),
  states: async (controllerId, ids) =>
    syncStateColumns.fromRows(
      await read('vouchers')
        .select(syncStateColumns.aliases)
        .where('controller_id', controllerId)
        .whereIn('controller_voucher_id', ids),
    ),
  correct: async (states) => {
    if (states.length === 0) return;
    await inTransaction(write, async (transaction) => {
      // A single statement, because recording vouchers waits for the writer meanwhile.
      const rows = states.map(
        () => '(cast(? as bigint), cast(? as integer), cast(? as text), cast(? as bigint))',
      );
      await transaction.raw(
        `with seen (id, used_count, status, expires_at) as (values ${rows.join(', ')})
         update vouchers set used_count = seen.used_count, status = seen.status, expires_at = seen.expires_at
         from seen where vouchers.id = seen.id`,
        states.flatMap(({ id, usedCount, status, expiresAt }) => [id, usedCount, status, expiresAt]),
      );
      await raiseRevisions(
        transaction,
        states.map(({ siteId }) => `site:${siteId}` as const),
      );
    });
  },
});

const byCode = ({ voucher: one }: VoucherRecord, { voucher: other }: VoucherRecord): number =>
  one.code < other.code ? -1 : one.code > other.code ? 1 : 0;

const toRow = (record: VoucherRecord): Record<string, unknown> => ({
  ...recordColumns.toRow(record),
  ...voucherColumns.toRow(record.voucher),
});
