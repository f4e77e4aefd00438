import type { Knex } from 'knex';
import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import type { Database } from '../database/database.js';
import { inTransaction, lockOutOthers } from '../database/transactions.js';
import { enqueue, outboxColumns, toItems, type OutboxItem } from '../outbox/outboxTable.js';
import { findVoucherName } from '../vouchers/voucherNameTable.js';

/** How vouchers are sent to guests. */
export type GuestMessageKind = 'email' | 'sms';

/** Whose messages those of guests are: no user has this id. */
export const noUser = 0;

/** A voucher on its way to a guest. */
export interface GuestMessage<K extends GuestMessageKind = GuestMessageKind> extends Pick<
  OutboxItem<K>,
  'state' | 'tries' | 'at' | 'begunAt' | 'reason' | 'createdAt'
> {
  /** Chosen by the page. */
  readonly id: string;
  readonly voucherId: number;
  /** Who sends it; `noUser` for a guest. */
  readonly userId: number;
  /** An address, or a number as E.164. */
  readonly to: string;
  readonly language: string;
}

/** What is asked for. */
export type NewGuestMessage = Pick<GuestMessage, 'id' | 'voucherId' | 'userId' | 'to' | 'language'>;

/** How many there may be. */
export interface GuestMessageCaps {
  readonly perVoucher: number;
  /** Of all vouchers, in the last day. */
  readonly perDay?: number;
}

/** Vouchers that are sent to guests, in the outbox. */
export interface GuestMessageTable {
  /** Puts a message into the outbox. Returns it, or the one with its id, or the cap that it exceeds. */
  add<K extends GuestMessageKind>(
    kind: K,
    message: NewGuestMessage,
    caps: GuestMessageCaps,
    audit: AuditDraft,
  ): Promise<GuestMessage<K> | keyof GuestMessageCaps>;
  /** Those of a voucher, newest first. */
  ofVoucher<K extends GuestMessageKind>(
    kind: K,
    voucherId: number,
    limit: number,
  ): Promise<GuestMessage<K>[]>;
}

const dayMs = 86_400_000;

export const makeGuestMessageTable = ({ read, write }: Database): GuestMessageTable => ({
  add: <K extends GuestMessageKind>(
    kind: K,
    { id, voucherId, userId, to, language }: NewGuestMessage,
    caps: GuestMessageCaps,
    audit: AuditDraft,
  ) =>
    inTransaction(write, async (transaction) => {
      // Others that count wait for this one.
      if (caps.perDay !== undefined) await lockOutOthers(transaction, 'sms');
      await transaction('vouchers').where({ id: voucherId }).forNoKeyUpdate().select('id');
      const message = { to, language, senderId: userId, notice: null };
      const isNew = await enqueue(transaction, { kind, key: id, voucherId, message }, audit.at);
      const own = { kind, key: id };
      const [stored] = toMessages<K>(await transaction('outbox').select(outboxColumns).where(own));
      if (!stored) throw new Error('the message is not there');
      if (!isNew) return stored;
      const exceeded = await findExceeded(transaction, kind, voucherId, caps, audit.at);
      if (exceeded) {
        await transaction('outbox').where(own).delete();
        return exceeded;
      }
      await recordAudit(transaction, {
        ...audit,
        subjectKind: 'voucher',
        subjectId: String(voucherId),
        subjectName: await findVoucherName(transaction, voucherId),
      });
      return stored;
    }),
  ofVoucher: async <K extends GuestMessageKind>(kind: K, voucherId: number, limit: number) =>
    toMessages<K>(
      await read('outbox')
        .select<unknown[]>(outboxColumns)
        .where({ kind, voucher_id: voucherId })
        .orderBy('id', 'desc')
        .limit(limit),
    ),
});

const findExceeded = async (
  transaction: Knex,
  kind: GuestMessageKind,
  voucherId: number,
  { perVoucher, perDay = Infinity }: GuestMessageCaps,
  now: number,
): Promise<keyof GuestMessageCaps | undefined> => {
  const count = async (rows: Knex.QueryBuilder): Promise<number> => {
    const [row] = await rows.select<{ count: number }[]>(transaction.raw('count(*) as count'));
    return row?.count ?? 0;
  };
  const ofVoucher = transaction('outbox').where({ kind, voucher_id: voucherId });
  if ((await count(ofVoucher)) > perVoucher) return 'perVoucher';
  if (perDay === Infinity) return undefined;
  // Only SMS have this cap. Literally, for the partial index.
  const ofDay = transaction('outbox')
    .whereRaw("kind = 'sms'")
    .where('created_at', '>', now - dayMs);
  return (await count(ofDay)) > perDay ? 'perDay' : undefined;
};

const toMessages = <K extends GuestMessageKind>(rows: readonly unknown[]): GuestMessage<K>[] =>
  toItems<K>(rows).map(toGuestMessage);

/** Something in the outbox as a message to a guest. */
export const toGuestMessage = <K extends GuestMessageKind>({
  key,
  voucherId,
  message,
  state,
  tries,
  at,
  begunAt,
  reason,
  createdAt,
}: OutboxItem<K>): GuestMessage<K> => ({
  id: key ?? '',
  voucherId: voucherId ?? 0,
  userId: message?.senderId ?? noUser,
  to: message?.to ?? '',
  language: message?.language ?? '',
  state,
  tries,
  at,
  begunAt,
  reason,
  createdAt,
});
