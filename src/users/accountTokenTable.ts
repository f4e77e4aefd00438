import type { Knex } from 'knex';
import type { Database } from '../database/database.js';
import { inTransaction } from '../database/transactions.js';

export type TokenPurpose = 'password-reset' | 'invitation';

/** A token that was sent to a user. */
export interface AccountToken {
  /** The SHA-256 of the token, in hexadecimal. */
  readonly hash: string;
  readonly userId: number;
  readonly purpose: TokenPurpose;
  /** Where it was sent. */
  readonly emailKey: string;
  readonly expiresAt: number;
}

export interface AccountTokenTable {
  /** Adds a token, in place of all others of the user. */
  replace(token: AccountToken): Promise<void>;
  /** The id of the user whose token this is, while it is valid. */
  findUser(hash: string, now: number): Promise<number | undefined>;
  removeExpired(now: number): Promise<number>;
}

/** How long the longest is valid. What expires later was added before the clock was set back. */
export const maxTokenMs = 3 * 86_400_000;

/** The table of tokens with which users choose a password. */
export const makeAccountTokenTable = ({ read, write }: Database): AccountTokenTable => ({
  replace: ({ hash, userId, purpose, emailKey, expiresAt }) =>
    inTransaction(write, async (transaction) => {
      await removeAccountTokens(transaction, userId);
      await transaction('account_tokens').insert({
        hash,
        user_id: userId,
        purpose,
        email_key: emailKey,
        expires_at: expiresAt,
      });
    }),
  findUser: (hash, now) => findTokenUser(read, hash, now),
  removeExpired: async (now) => write('account_tokens').where('expires_at', '<=', now).delete(),
});

const findTokenUser = async (db: Knex, hash: string, now: number): Promise<number | undefined> => {
  const row = await db('account_tokens')
    .join('users', 'users.id', 'account_tokens.user_id')
    .where({ hash, disabled_at: null })
    .whereRaw('users.email_key = account_tokens.email_key')
    .whereBetween('expires_at', [now + 1, now + maxTokenMs])
    .first<{ id: number } | undefined>('users.id');
  return row?.id;
};

/** Uses a token, in the transaction that changes its user. Returns false if it is not valid any more. */
export const useAccountToken = async (
  transaction: Knex,
  hash: string,
  userId: number,
  now: number,
): Promise<boolean> => {
  if ((await findTokenUser(transaction, hash, now)) !== userId) return false;
  return (await transaction('account_tokens').where({ hash }).delete()) > 0;
};

/** Removes all tokens of a user: their password was changed, or another token is sent. */
export const removeAccountTokens = async (transaction: Knex, userId: number): Promise<void> => {
  await transaction('account_tokens').where({ user_id: userId }).delete();
};
