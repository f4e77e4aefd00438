import { batched } from '../batch.js';
import type { Database } from './database.js';
import { keepAnswer } from './idempotency.js';
import { put, type Notification } from './notifications.js';
import { raise } from './revisions.js';
import { inTransaction } from './transaction.js';

export type VoucherStatus = 'valid' | 'used' | 'expired';

/** A voucher as it is recorded. */
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

/** What is written when a controller has made a voucher: the record, the notification, and the end of the intent. */
export interface VoucherRecord {
  readonly intentId: string;
  readonly siteId: number;
  readonly controllerId: number;
  readonly controllerVoucherId: string | null;
  readonly voucher: Voucher;
  readonly notification: Notification;
  /** The answer to keep for repetitions, as JSON, when the order may have an idempotency key. */
  readonly answer?: string | undefined;
}

interface Row {
  code: string;
  name: string;
  max_uses: number;
  expire_minutes: number;
  status: VoucherStatus;
  used_count: number;
  created_at: number;
  expires_at: number | null;
}

export interface VoucherTable {
  /** Records a voucher, all or nothing. False when it, or its intent's voucher, is recorded already. */
  record(record: VoucherRecord): Promise<boolean>;
  /** The code of the voucher that is recorded for an intent. */
  codeOf(intentId: string): Promise<string | undefined>;
  /** The newest vouchers of a site, newest first; of equal times the later recorded first. */
  newest(siteId: number, limit: number): Promise<Voucher[]>;
  /** Which of these vouchers of a controller are recorded? */
  recorded(controllerId: number, controllerVoucherIds: readonly string[]): Promise<Set<string>>;
}

export const makeVoucherTable = ({ read, write }: Database): VoucherTable => ({
  record: batched((records) =>
    inTransaction(write, async (transaction) => {
      const inserted = await transaction('vouchers')
        .insert(records.map(toRow))
        .onConflict()
        .ignore()
        .returning<{ intent_id: string }[]>('intent_id');
      const fresh = new Set(inserted.map((row) => row.intent_id));
      // Of two records of one intent in the same batch the first was inserted.
      const recorded = records.filter(({ intentId }) => fresh.delete(intentId));
      if (recorded.length > 0) {
        await put(
          transaction,
          recorded.map(({ notification }) => notification),
        );
        for (const { intentId, answer } of recorded) {
          if (answer !== undefined) await keepAnswer(transaction, intentId, answer);
        }
        await transaction('intents')
          .whereIn(
            'id',
            recorded.map(({ intentId }) => intentId),
          )
          .delete();
        await raise(
          transaction,
          recorded.map(({ siteId }) => `site:${siteId}` as const),
        );
      }
      return records.map((record) => recorded.includes(record));
    }),
  ),
  codeOf: async (intentId) => {
    const row = await read<Row>('vouchers').where('intent_id', intentId).first('code');
    return row?.code;
  },
  newest: async (siteId, limit) =>
    (
      await read<Row>('vouchers')
        .select(
          'code',
          'name',
          'max_uses',
          'expire_minutes',
          'status',
          'used_count',
          'created_at',
          'expires_at',
        )
        .where('site_id', siteId)
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit)
    ).map(fromRow),
  recorded: async (controllerId, ids) => {
    const recorded = new Set<string>();
    // A statement takes only so many parameters.
    for (let start = 0; start < ids.length; start += 500) {
      const rows = await read('vouchers')
        .where('controller_id', controllerId)
        .whereIn('controller_voucher_id', ids.slice(start, start + 500))
        .pluck<string[]>('controller_voucher_id');
      for (const id of rows) recorded.add(id);
    }
    return recorded;
  },
});

const toRow = ({ intentId, siteId, controllerId, controllerVoucherId, voucher }: VoucherRecord) => ({
  site_id: siteId,
  intent_id: intentId,
  controller_id: controllerId,
  controller_voucher_id: controllerVoucherId,
  code: voucher.code,
  name: voucher.name,
  max_uses: voucher.maxUses,
  expire_minutes: voucher.expireMinutes,
  status: voucher.status,
  used_count: voucher.usedCount,
  created_at: voucher.createdAt,
  expires_at: voucher.expiresAt,
});

const fromRow = (row: Row): Voucher => ({
  code: row.code,
  name: row.name,
  maxUses: row.max_uses,
  expireMinutes: row.expire_minutes,
  status: row.status,
  usedCount: row.used_count,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});
