import type { Knex } from 'knex';
import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { countChosenRows, deleteBatch, inTransaction, lockOutOthers } from '../database/transactions.js';
import { parseReason, serialiseReason, type SmsReason } from '../i18n/storedReasons.js';
import { findVoucherName } from '../vouchers/voucherNameTable.js';
import { whereAhead } from '../webhooks/deliveryTable.js';

/** A voucher on its way to the phone of a guest. */
export interface StoredSms {
  /** Chosen by the page. */
  readonly id: string;
  readonly voucherId: number;
  /** Who sends it. */
  readonly userId: number;
  /** As E.164. */
  readonly to: string;
  readonly language: string;
  readonly state: 'waiting' | 'sent' | 'failed';
  /** The number of attempts so far. */
  readonly tries: number;
  /** When the next attempt is due; for a settled one, when it was settled. */
  readonly at: number;
  /** When the attempt that runs was begun; null when none does. */
  readonly begunAt: number | null;
  /** Why the last attempt failed; null once it is sent. */
  readonly reason: SmsReason | null;
  readonly createdAt: number;
}

const columns = defineColumns<Omit<StoredSms, 'reason'> & { readonly reason: string | null }>({
  id: 'plain',
  voucherId: 'plain',
  userId: 'plain',
  to: 'plain',
  language: 'plain',
  state: 'plain',
  tries: 'plain',
  at: 'plain',
  begunAt: 'plain',
  reason: 'plain',
  createdAt: 'plain',
});

export type NewSms = Pick<StoredSms, 'id' | 'voucherId' | 'userId' | 'to' | 'language'>;

/** How many SMS there may be. */
interface SmsCaps {
  readonly perVoucher: number;
  readonly perDay: number;
}

export interface SmsTable {
  /** Puts an SMS into the outbox, and returns it, or the one that has its id already; or the cap that it goes beyond. */
  add(sms: NewSms, caps: SmsCaps, audit: AuditDraft): Promise<StoredSms | keyof SmsCaps>;
  /** Those of a voucher, newest first. */
  ofVoucher(voucherId: number, limit: number): Promise<StoredSms[]>;
  /** The next that is due: those that were never tried come first. None whose attempt runs, or was interrupted. */
  findDue(
    now: number,
    options?: { readonly except?: readonly string[]; readonly withRetries?: boolean },
  ): Promise<StoredSms | undefined>;
  /** Marks that an attempt begins. Returns false when another one has begun, or it is settled. */
  begin(id: string, now: number): Promise<boolean>;
  /** Settles it. Nothing but that it was sent changes a settled one: an outcome may arrive late. */
  settle(id: string, state: 'sent' | 'failed', reason: SmsReason | null, at: number): Promise<void>;
  postpone(
    id: string,
    how: { readonly reason: SmsReason; readonly at: number; readonly triedAt: number },
  ): Promise<void>;
  /** Takes back that an attempt has begun: nothing was sent. */
  release(id: string): Promise<void>;
  /** Settles those whose attempt began so long ago that nobody will tell how it ended. Returns their ids. */
  settleInterrupted(now: number, maxAttemptMs: number): Promise<string[]>;
  /** How many wait, and since when the oldest does. */
  queue(): Promise<{ readonly waiting: number; readonly oldestAt: number | null }>;
  /** Those that failed for good since a time, with the last of them. */
  failedSince(time: number): Promise<{
    readonly count: number;
    readonly last: Pick<StoredSms, 'at' | 'reason'> | undefined;
  }>;
  /** Removes a batch of the settled ones from before a time, and returns how many. */
  removeBefore(at: number, limit?: number): Promise<number>;
  /** How many there are of them, at most `limit`. */
  countBefore(at: number, limit: number): Promise<number>;
}

const dayMs = 86_400_000;

/** The outbox of SMS. */
export const makeSmsTable = ({ read, write }: Database): SmsTable => ({
  add: (sms, caps, audit) =>
    inTransaction(write, async (transaction) => {
      // Others that count wait for this one.
      await lockOutOthers(transaction, 'sms');
      const { at } = audit;
      const values = { state: 'waiting', tries: 0, at, begunAt: null, reason: null, createdAt: at } as const;
      const [added] = await transaction('sms')
        .insert(columns.toRow({ ...sms, ...values }))
        .onConflict('id')
        .ignore()
        .returning<{ id: string }[]>('id');
      const [stored] = toSms(await transaction('sms').select(columns.aliases).where({ id: sms.id }));
      if (!stored) throw new Error('the SMS is not there');
      if (!added) return stored;
      const count = async (narrow: (rows: Knex.QueryBuilder) => Knex.QueryBuilder): Promise<number> => {
        const [row] = await narrow(transaction('sms')).select<{ count: number }[]>(
          transaction.raw('count(*) as count'),
        );
        return row?.count ?? 0;
      };
      const exceeded =
        (await count((rows) => rows.where({ voucher_id: sms.voucherId }))) > caps.perVoucher
          ? 'perVoucher'
          : (await count((rows) => rows.where('created_at', '>', at - dayMs))) > caps.perDay
            ? 'perDay'
            : undefined;
      if (exceeded) {
        await transaction('sms').where({ id: sms.id }).delete();
        return exceeded;
      }
      await recordAudit(transaction, {
        ...audit,
        subjectKind: 'voucher',
        subjectId: String(sms.voucherId),
        subjectName: await findVoucherName(transaction, sms.voucherId),
      });
      return stored;
    }),
  ofVoucher: async (voucherId, limit) =>
    toSms(
      await read('sms')
        .select(columns.aliases)
        .where({ voucher_id: voucherId })
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit),
    ),
  findDue: async (now, { except = [], withRetries = true } = {}) => {
    const oldest = async (
      narrow: (rows: Knex.QueryBuilder) => Knex.QueryBuilder,
    ): Promise<StoredSms | undefined> => {
      const rows = await narrow(read('sms'))
        .select<unknown[]>(columns.aliases)
        // Literally, for the partial index.
        .whereRaw("state = 'waiting'")
        .whereNull('begun_at')
        .whereNotIn('id', except)
        .orderBy(['created_at', 'id'])
        .limit(1);
      return toSms(rows)[0];
    };
    // Always due, even if the clock was set back.
    const untried = await oldest((rows) => rows.where('tries', 0));
    if (untried || !withRetries) return untried;
    return oldest((rows) => rows.where((either) => void whereAhead(either.where('at', '<=', now), now)));
  },
  begin: async (id, now) =>
    (await write('sms').where({ id, state: 'waiting' }).whereNull('begun_at').update({ begun_at: now })) > 0,
  settle: async (id, state, reason, at) => {
    await write('sms')
      .where({ id })
      .whereNot('state', 'sent')
      .where((either) => void (state === 'failed' && either.where('state', 'waiting')))
      .update({
        ...{ state, reason: serialiseReason(reason), at, begun_at: null },
        tries: write.raw('tries + 1'),
      });
  },
  postpone: async (id, { reason, at, triedAt }) => {
    await write('sms')
      .where({ id, state: 'waiting' })
      .update({
        ...{ reason: serialiseReason(reason), at, tried_at: triedAt, begun_at: null },
        tries: write.raw('tries + 1'),
      });
  },
  release: async (id) => {
    await write('sms').where({ id, state: 'waiting' }).update({ begun_at: null });
  },
  settleInterrupted: async (now, maxAttemptMs) => {
    // One that lies ahead was begun before the clock was set back.
    const abandoned = (rows: Knex.QueryBuilder): Knex.QueryBuilder =>
      rows
        .whereRaw("state = 'waiting'")
        .where(
          (either) =>
            void either
              .where('begun_at', '<', now - maxAttemptMs)
              .orWhere('begun_at', '>', now + maxAttemptMs),
        );
    // Usually there are none, and reading does not need the writer.
    if ((await abandoned(read('sms')).limit(1).pluck<string[]>('id')).length === 0) return [];
    const reason = serialiseReason({ code: 'interrupted', values: {} });
    const rows = await abandoned(write('sms'))
      .update({ state: 'failed', reason, at: now, begun_at: null, tries: write.raw('tries + 1') })
      .returning<{ id: string }[]>('id');
    return rows.map(({ id }) => id);
  },
  queue: async () => {
    const row = await read('sms')
      // Literally, for the partial index.
      .whereRaw("state = 'waiting'")
      .first<{ waiting: number; oldestAt: number | null } | undefined>(
        read.raw('count(*) as waiting, min(created_at) as ??', ['oldestAt']),
      );
    return { waiting: row?.waiting ?? 0, oldestAt: row?.oldestAt ?? null };
  },
  failedSince: async (time) => {
    // Literally, for the partial index.
    const failed = () =>
      read('sms').whereRaw("state <> 'waiting'").where('at', '>=', time).where('state', 'failed');
    const counted = await failed().first<{ count: number } | undefined>(read.raw('count(*) as count'));
    const [last] = await failed()
      .select<{ at: number; reason: string | null }[]>('at', 'reason')
      .orderBy('at', 'desc')
      .limit(1);
    return {
      count: counted?.count ?? 0,
      last: last && { at: last.at, reason: parseReason('sms', last.reason) },
    };
  },
  removeBefore: (at, limit) =>
    deleteBatch(write, { table: 'sms', key: 'id' }, (rows) => whereSettledBefore(rows, at), limit),
  countBefore: (at, limit) => countChosenRows(read, 'sms', (rows) => whereSettledBefore(rows, at), limit),
});

/** Literally, for the partial index. */
const whereSettledBefore = (rows: Knex.QueryBuilder, at: number): Knex.QueryBuilder =>
  rows.whereRaw("state <> 'waiting'").where('at', '<', at);

const toSms = (rows: readonly unknown[]): StoredSms[] =>
  columns.fromRows(rows).map(({ reason, ...sms }) => ({ ...sms, reason: parseReason('sms', reason) }));
