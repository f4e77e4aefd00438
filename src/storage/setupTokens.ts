import type { Knex } from 'knex';
import type { Database } from './database.js';
import { inTransaction } from './transactions.js';

export interface SetupTokenTable {
  /** Adds a token, and removes those that have expired. Returns false, and adds none, once there is a user. */
  add(hash: string, expiresAt: number, now: number): Promise<boolean>;
  /** Whether a token can be used. */
  isValid(hash: string, now: number): Promise<boolean>;
}

/** The table of tokens that make the first administrator, which are stored as hashes. */
export const makeSetupTokenTable = ({ read, write }: Database): SetupTokenTable => ({
  add: (hash, expiresAt, now) =>
    inTransaction(write, async (transaction) => {
      await transaction('setup_tokens').where('expires_at', '<=', now).delete();
      if (await transaction('users').first('id')) return false;
      await transaction('setup_tokens').insert({ hash, expires_at: expiresAt });
      return true;
    }),
  isValid: (hash, now) => isSetupTokenValid(read, hash, now),
});

/** The same, in the transaction that uses it. */
export const isSetupTokenValid = async (db: Knex, hash: string, now: number): Promise<boolean> =>
  (await db('setup_tokens').where({ hash }).where('expires_at', '>', now).first('hash')) !== undefined;

/** Removes all tokens: there is a user now. */
export const removeSetupTokens = async (transaction: Knex): Promise<void> => {
  await transaction('setup_tokens').delete();
};
