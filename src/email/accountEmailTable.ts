import type { Knex } from 'knex';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { parseReason, type EmailReason } from '../i18n/storedReasons.js';
import type { AccountNotice } from '../users/accountNotice.js';

/** An e-mail to a user about their account. It is sent like one with a voucher. */
export interface AccountEmail {
  readonly id: string;
  readonly userId: number;
  readonly to: string;
  readonly language: string;
  readonly notice: AccountNotice;
  readonly state: 'waiting' | 'sent' | 'failed';
  readonly tries: number;
  readonly at: number;
  readonly reason: EmailReason | null;
  readonly createdAt: number;
}

type Row = Omit<AccountEmail, 'notice' | 'reason'> & {
  readonly notice: string;
  readonly reason: string | null;
};

const columns = defineColumns<Row>({
  id: 'plain',
  userId: 'plain',
  to: 'plain',
  language: 'plain',
  notice: 'plain',
  state: 'plain',
  tries: 'plain',
  at: 'plain',
  reason: 'plain',
  createdAt: 'plain',
});

export interface AccountEmailTable {
  /** Puts an e-mail into the outbox. */
  add(email: Pick<AccountEmail, 'id' | 'userId' | 'to' | 'language' | 'notice'>, now: number): Promise<void>;
}

export const makeAccountEmailTable = ({ write }: Pick<Database, 'write'>): AccountEmailTable => ({
  add: async ({ notice, ...email }, now) => {
    await write('account_emails').insert(
      columns.toRow({
        ...email,
        notice: JSON.stringify(notice),
        state: 'waiting',
        tries: 0,
        at: now,
        reason: null,
        createdAt: now,
      }),
    );
  },
});

/** The columns of the outbox, for its worker. */
export const selectAccountEmails = (db: Knex) => db('account_emails').select(columns.aliases);

/** Rows as e-mails. A notice of a later version can't be worded here: it is tried again, by then perhaps by that version. */
export const toAccountEmails = (rows: readonly unknown[]): AccountEmail[] =>
  columns.fromRows(rows).map(({ notice, reason, ...email }) => ({
    ...email,
    notice: JSON.parse(notice) as AccountNotice,
    reason: parseReason('email', reason),
  }));
