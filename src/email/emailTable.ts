import { findVoucherName } from '../vouchers/voucherNameTable.js';
import type { Knex } from 'knex';
import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { parseReason, serialiseReason, type EmailReason } from '../i18n/storedReasons.js';
import { selectAccountEmails, toAccountEmails, type AccountEmail } from './accountEmailTable.js';
import { whereAhead } from '../webhooks/deliveryTable.js';
import { countChosenRows, deleteBatch, inTransaction } from '../database/transactions.js';

/** Whose e-mails those of guests are: no user has this id. */
export const noUser = 0;

/** A voucher on its way to a guest. */
export interface StoredEmail {
  /** Chosen by the page. */
  readonly id: string;
  readonly voucherId: number;
  /** Who sends it; `noUser` for a guest. */
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

/** An e-mail of the outbox: with a voucher, or to a user about their account. */
export type DueEmail =
  | ({ readonly kind: 'voucher' } & StoredEmail)
  | ({ readonly kind: 'account' } & AccountEmail);

/** The table of each kind. */
const outboxes = { voucher: 'emails', account: 'account_emails' } as const;

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
  findDue(now: number, options?: DueOptions): Promise<DueEmail | undefined>;
  /** Has no effect on a settled one: an outcome may arrive after the lease has ended. */
  settle(
    email: Pick<DueEmail, 'kind' | 'id'>,
    state: 'sent' | 'failed',
    reason: EmailReason | null,
    at: number,
  ): Promise<void>;
  postpone(
    email: Pick<DueEmail, 'kind' | 'id'>,
    how: { readonly reason: EmailReason; readonly at: number; readonly triedAt: number },
  ): Promise<void>;
  /** How many wait, and since when the oldest does. */
  queue(): Promise<{ readonly waiting: number; readonly oldestAt: number | null }>;
  /** Those that failed for good since a time, with the last of them. */
  failedSince(time: number): Promise<{
    readonly count: number;
    readonly last: Pick<StoredEmail, 'at' | 'reason'> | undefined;
  }>;
  /** Removes a batch of the settled ones from before a time, and returns how many. */
  removeBefore(at: number, limit?: number): Promise<number>;
  /** How many there are of them, at most `limit`. */
  countBefore(at: number, limit: number): Promise<number>;
}

/** The outbox of e-mails. */
export const makeEmailTable = ({ read, write }: Database): EmailTable => ({
  add: (email, maxPerVoucher, audit) =>
    inTransaction(write, async (transaction) => {
      // Others that count those of this voucher wait for this one.
      await transaction('vouchers').where({ id: email.voucherId }).forNoKeyUpdate().select('id');
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
        subjectName: await findVoucherName(transaction, email.voucherId),
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
    const oldest = async (narrow: (rows: OutboxRows) => OutboxRows): Promise<DueEmail | undefined> => {
      const firstOf = (rows: OutboxRows): OutboxRows =>
        narrow(rows)
          // Literally, for the partial index.
          .whereRaw("state = 'waiting'")
          .whereNotIn('id', except)
          .orderBy(['created_at', 'id'])
          .limit(1);
      const [email] = toEmails(await firstOf(read('emails').select(columns.aliases)));
      const [account] = toAccountEmails(await firstOf(selectAccountEmails(read)));
      if (account && (!email || account.createdAt <= email.createdAt)) return { kind: 'account', ...account };
      return email && { kind: 'voucher', ...email };
    };
    // Always due, even if the clock was set back.
    const untried = await oldest((rows) => rows.where('tries', 0));
    if (untried || !withRetries) return untried;
    return oldest((rows) => rows.where((either) => whereAhead(either.where('at', '<=', now), now)));
  },
  settle: async ({ kind, id }, state, reason, at) => {
    await write(outboxes[kind])
      .where({ id, state: 'waiting' })
      .update({ state, reason: serialiseReason(reason), at, tries: write.raw('tries + 1') });
  },
  postpone: async ({ kind, id }, { reason, at, triedAt }) => {
    await write(outboxes[kind])
      .where({ id, state: 'waiting' })
      .update({ reason: serialiseReason(reason), at, tried_at: triedAt, tries: write.raw('tries + 1') });
  },
  queue: async () => {
    const rows = await Promise.all(
      Object.values(outboxes).map((table) =>
        read(table)
          // Literally, for the partial index.
          .whereRaw("state = 'waiting'")
          .first<{ waiting: number; oldestAt: number | null } | undefined>(
            read.raw('count(*) as waiting, min(created_at) as ??', ['oldestAt']),
          ),
      ),
    );
    const oldest = rows.flatMap((row) => row?.oldestAt ?? []);
    return {
      waiting: rows.reduce((sum, row) => sum + (row?.waiting ?? 0), 0),
      oldestAt: oldest.length === 0 ? null : Math.min(...oldest),
    };
  },
  failedSince: async (time) => {
    const found = await Promise.all(
      Object.values(outboxes).map(async (table) => {
        // Literally, for the partial index of settled e-mails.
        const failed = () =>
          read(table).whereRaw("state <> 'waiting'").where('at', '>=', time).where('state', 'failed');
        const counted = await failed().first<{ count: number } | undefined>(read.raw('count(*) as count'));
        const [last] = await failed()
          .select<{ at: number; reason: string | null }[]>('at', 'reason')
          .orderBy('at', 'desc')
          .limit(1);
        return { count: counted?.count ?? 0, last };
      }),
    );
    const [last] = found.flatMap((one) => one.last ?? []).sort((a, b) => b.at - a.at);
    return {
      count: found.reduce((sum, { count }) => sum + count, 0),
      last: last && { at: last.at, reason: parseReason('email', last.reason) },
    };
  },
  removeBefore: async (at, limit) => {
    let removed = 0;
    for (const table of Object.values(outboxes))
      removed += await deleteBatch(
        write,
        { table, key: 'id' },
        (rows) => whereSettledBefore(rows, at),
        limit,
      );
    return removed;
  },
  countBefore: async (at, limit) => {
    let count = 0;
    for (const table of Object.values(outboxes))
      count += await countChosenRows(read, table, (rows) => whereSettledBefore(rows, at), limit);
    return Math.min(count, limit);
  },
});

/** Rows of either table. */
type OutboxRows = Knex.QueryBuilder<Record<string, unknown>, unknown[]>;

/** Literally, for the partial index. */
const whereSettledBefore = (rows: Knex.QueryBuilder, at: number): Knex.QueryBuilder =>
  rows.whereRaw("state <> 'waiting'").where('at', '<', at);

const toEmails = (rows: readonly unknown[]): StoredEmail[] =>
  columns.fromRows(rows).map(({ reason, ...email }) => ({ ...email, reason: parseReason('email', reason) }));
