import type { Knex } from 'knex';
import type { Database } from '../../database/database.js';
import { insertRows, inTransaction } from '../../database/transactions.js';
import { toSearchWords } from '../searchWords.js';

/** The search words of vouchers that an earlier version of the service has recorded beside this one. */
export interface MissingWords {
  /** Adds the words that are missing, and returns the number of vouchers. */
  fill(): Promise<number>;
}

interface UnindexedVoucher {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly createdAt: number;
}

/** Vouchers per transaction: orders wait for it on SQLite. */
const batchSize = 200;

export const makeMissingWords = ({ dialect, read, write }: Database): MissingWords => ({
  fill: async () => {
    for (let filled = 0; ;) {
      const vouchers = await findUnindexed(read);
      if (vouchers.length === 0) return filled;
      const added = await inTransaction(write, async (transaction) => {
        const free = dialect === 'postgres' ? await lockFree(transaction, vouchers) : vouchers;
        return addWords(transaction, free);
      });
      // Another process adds the others.
      if (added === 0) return filled;
      filled += added;
    }
  },
});

const findUnindexed = async (read: Knex): Promise<UnindexedVoucher[]> =>
  read('vouchers')
    .select<UnindexedVoucher[]>({ id: 'id', code: 'code', name: 'name', createdAt: 'created_at' })
    // Literally, for the partial index.
    .whereRaw('words is null')
    .orderBy('id')
    .limit(batchSize);

/** Skips what others lock: waiting for them here could end in a deadlock. */
const lockFree = async (
  transaction: Knex,
  vouchers: readonly UnindexedVoucher[],
): Promise<UnindexedVoucher[]> => {
  const ids = vouchers.map(({ id }) => id);
  const locked = await transaction('vouchers')
    .whereIn('id', ids)
    .whereRaw('words is null')
    .forUpdate()
    .skipLocked()
    .pluck<number[]>('id');
  const free = new Set(locked);
  return vouchers.filter(({ id }) => free.has(id));
};

const addWords = async (transaction: Knex, vouchers: readonly UnindexedVoucher[]): Promise<number> => {
  if (vouchers.length === 0) return 0;
  const found = vouchers.map((voucher) => ({ ...voucher, words: toSearchWords(voucher) }));
  await transaction.raw(
    `with found (id, words) as (values ${found.map(() => '(cast(? as bigint), cast(? as text))').join(', ')})
     update vouchers set words = found.words from found where vouchers.id = found.id and vouchers.words is null`,
    found.flatMap(({ id, words }) => [id, JSON.stringify(words)]),
  );
  await insertRows(
    transaction,
    'voucher_words',
    found.flatMap(({ id, createdAt, words }) =>
      words.map((word) => ({ word, created_at: createdAt, voucher_id: id })),
    ),
    { ignoresConflicts: true },
  );
  return found.length;
};
