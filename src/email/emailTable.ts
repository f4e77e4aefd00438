import type { Knex } from 'knex';
import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { parseReason, serialiseReason, type EmailReason } from '../i18n/storedReasons.js';
import { whereAhead } from '../webhooks/deliveryTable.js';
import { countChosenRows, deleteBatch, inTransaction } from '../database/transactions.js';

/** A voucher on its way to a guest. */
export interface StoredEmail {
  /** Chosen by the page. */
  readonly id: string;
  readonly voucherId: number;
  /** Who sends it. */
  readonly userId: number;
  readonly to: string;
  readonly language: string;
  readonly state: 'waiting' | 'sent' | 'failed';
  /** The number of attempts so far. */
  readonly tries: number;
  /** When the next attempt is due; for a settled one, when it was settled. */
  readonly at: number;
  /** Why the last attempt failed; null once it is sent. */
  readonly reason: EmailReason | null;
  readonly createdAt: number;
}

const columns = defineColumns<Omit<StoredEmail, 'reason'> & { readonly reason: string | null }>({
  id: 'plain',
  voucherId: 'plain',
  userId: 'plain',
  to: 'plain',
  language: 'plain',
  state: 'plain',
  tries: 'plain',
  at: 'plain',
  reason: 'plain',
  createdAt: 'plain',
});

export type NewEmail = Pick<StoredEmail, 'id' | 'voucherId' | 'userId' | 'to' | 'language'>;

interface DueOptions {
  /** These are being sent. */
  readonly except?: readonly string[];
  /** Are those due that were tried before? They are by default. */
  readonly withRetries?: boolean;
}

export interface EmailTable {
  /**
   * Puts an e-mail into the outbox, and returns it, or the one that has its id already. Undefined when the
   * voucher was sent as often as is allowed.
   */
  add(email: NewEmail, maxPerVoucher: number, audit: AuditDraft): Promise<StoredEmail | undefined>;
  /** Those of a voucher, newest first. */
  ofVoucher(voucherId: number, limit: number): Promise<StoredEmail[]>;
  /** The next that is due: those that were never tried come first. */
  findDue(now: number, options?: DueOptions): Promise<StoredEmail | undefined>;
  /** Has no effect on a settled one: an outcome may arrive after the lease has ended. */
  settle(id: string, state: 'sent' | 'failed', reason: EmailReason | null, at: number): Promise<void>;
  postpone(
    id: string,
    how: { readonly reason: EmailReason; readonly at: number; readonly triedAt: number },
  ): Promise<void>;
  /** How many wait, and since when the oldest does. */
  queue(): Promise<{ readonly waiting: number; readonly oldestAt: number | null }>;
  /** Those that failed for good since a time, with the last of them. */
  failedSince(time: number): Promise<{ readonly count: number; readonly last: StoredEmail | undefined }>;
  /** Removes a batch of the settled ones from before a time, and returns how many. */
  removeBefore(at: number, limit?: number): Promise<number>;
  /** How many there are of them, at most `limit`. */
  countBefore(at: number, limit: number): Promise<number>;
}

/** The outbox of e-mails. */
export const makeEmailTable = ({ read, write }: Database): EmailTable => ({
  add: (email, maxPerVoucher, audit) =>
    inTransaction(write, async (transaction) => {
      const { at } = audit;
      const [added] = await transaction('emails')
        .insert(columns.toRow({ ...email, state: 'waiting', tries: 0, at, reason: null, createdAt: at }))
        .onConflict('id')
        .ignore()
        .returning<{ id: string }[]>('id');
      const [stored] = toEmails(await transaction('emails').select(columns.aliases).where({ id: email.id }));
      if (!added) return stored;
      const [{ count } = { count: 0 }] = await transaction('emails')
        .where({ voucher_id: email.voucherId })
        .select<{ count: number }[]>(transaction.raw('count(*) as count'));
      if (count > maxPerVoucher) {
        await transaction('emails').where({ id: email.id }).delete();
        return undefined;
      }
      await recordAudit(transaction, {
        ...audit,
        subjectKind: 'voucher',
        subjectId: String(email.voucherId),
        subjectName: null,
      });
      return stored;
    }),
  ofVoucher: async (voucherId, limit) =>
    toEmails(
      await read('emails')
        .select(columns.aliases)
        .where({ voucher_id: voucherId })
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit),
    ),
  findDue: async (now, { except = [], withRetries = true } = {}) => {
    const waiting = () =>
      read('emails')
        .select(columns.aliases)
        // Literally, for the partial index.
        .whereRaw("state = 'waiting'")
        .whereNotIn('id', except)
        .orderBy(['created_at', 'id'])
        .limit(1);
    // Always due, even if the clock was set back.
    const [untried] = toEmails(await waiting().where('tries', 0));
    if (untried || !withRetries) return untried;
    const [retry] = toEmails(
      await waiting().where((either) => whereAhead(either.where('at', '<=', now), now)),
    );
    return retry;
  },
  settle: async (id, state, reason, at) => {
    await write('emails')
      .where({ id, state: 'waiting' })
      .update({ state, reason: serialiseReason(reason), at, tries: write.raw('tries + 1') });
  },
  postpone: async (id, { reason, at, triedAt }) => {
    await write('emails')
      .where({ id, state: 'waiting' })
      .update({ reason: serialiseReason(reason), at, tried_at: triedAt, tries: write.raw('tries + 1') });
  },
  queue: async () => {
    const row = await read('emails')
      // Literally, for the partial index.
      .whereRaw("state = 'waiting'")
      .first<{ waiting: number; oldestAt: number | null } | undefined>(
        read.raw('count(*) as waiting, min(created_at) as ??', ['oldestAt']),
      );
    return row ?? { waiting: 0, oldestAt: null };
  },
  failedSince: async (time) => {
    // Literally, for the partial index of settled e-mails.
    const failed = () =>
      read('emails').whereRaw("state <> 'waiting'").where('at', '>=', time).where('state', 'failed');
    const counted = await failed().first<{ count: number } | undefined>(read.raw('count(*) as count'));
    const [last] = toEmails(await failed().select(columns.aliases).orderBy('at', 'desc').limit(1));
    return { count: counted?.count ?? 0, last };
  },
  removeBefore: (at, limit) =>
    deleteBatch(write, { table: 'emails', key: 'id' }, (rows) => whereSettledBefore(rows, at), limit),
  countBefore: (at, limit) => countChosenRows(read, 'emails', (rows) => whereSettledBefore(rows, at), limit),
});

/** Literally, for the partial index. */
const whereSettledBefore = (rows: Knex.QueryBuilder, at: number): Knex.QueryBuilder =>
  rows.whereRaw("state <> 'waiting'").where('at', '<', at);

const toEmails = (rows: readonly unknown[]): StoredEmail[] =>
  columns.fromRows(rows).map(({ reason, ...email }) => ({ ...email, reason: parseReason('email', reason) }));
