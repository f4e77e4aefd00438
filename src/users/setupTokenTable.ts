import type { Knex } from 'knex';
import type { Database } from '../database/database.js';
import { inTransaction } from '../database/transactions.js';

/**
 * How long a token is valid. One that ends more than twice as late was added before the clock was set back,
 * and is not.
 */
const setupTokenMs = 3_600_000;

export interface SetupTokenTable {
  /**
   * Adds a token, removes those that have expired, and returns when this one expires; undefined, without
   * adding it, once there is a user.
   */
  add(hash: string, now: number): Promise<number | undefined>;
  /** Whether a token can be used. */
  isValid(hash: string, now: number): Promise<boolean>;
}

/** The table of tokens that make the first administrator, which are stored as hashes. */
export const makeSetupTokenTable = ({ read, write }: Database): SetupTokenTable => ({
  add: (hash, now) =>
    inTransaction(write, async (transaction) => {
      await transaction('setup_tokens').where('expires_at', '<=', now).delete();
      if (await transaction('users').first('id')) return undefined;
      const expiresAt = now + setupTokenMs;
      await transaction('setup_tokens').insert({ hash, expires_at: expiresAt });
      return expiresAt;
    }),
  isValid: (hash, now) => isSetupTokenValid(read, hash, now),
});

/** The same, in the transaction that uses it. */
export const isSetupTokenValid = async (db: Knex, hash: string, now: number): Promise<boolean> =>
  (await db('setup_tokens')
    .where({ hash })
    .whereBetween('expires_at', [now + 1, now + 2 * setupTokenMs])
    .first('hash')) !== undefined;

/** Removes all tokens: there is a user now. */
export const removeSetupTokens = async (transaction: Knex): Promise<void> => {
  await transaction('setup_tokens').delete();
};
