import type { Knex } from 'knex';
import type { Database } from '../database/database.js';

export interface RecoveryCodeTable {
  /** Marks a code as used. Returns false if the user has no such code, or has used it. */
  use(userId: number, hash: string, at: number): Promise<boolean>;
  /** How many codes a user has left. */
  countUnused(userId: number): Promise<number>;
}

/** The table of recovery codes, which are stored as hashes. */
export const makeRecoveryCodeTable = ({ read, write }: Database): RecoveryCodeTable => ({
  use: async (userId, hash, at) =>
    (await write('recovery_codes').where({ user_id: userId, hash, used_at: null }).update({ used_at: at })) >
    0,
  countUnused: async (userId) => {
    const unused = await read('recovery_codes').where({ user_id: userId, used_at: null }).pluck('hash');
    return unused.length;
  },
});

/** Replaces all codes of a user, in the transaction that changes the second factor. */
export const replaceRecoveryCodes = async (
  transaction: Knex,
  userId: number,
  hashes: readonly string[],
): Promise<void> => {
  await transaction('recovery_codes').where({ user_id: userId }).delete();
  if (hashes.length > 0)
    await transaction('recovery_codes').insert(hashes.map((hash) => ({ user_id: userId, hash })));
};
