import type { Knex } from 'knex';
import type { Database } from '../../database/database.js';
import { insertRows, inTransaction } from '../../database/transactions.js';
import { hasOtherSpellings, toSearchWords } from '../searchWords.js';

/** Search words that vouchers of earlier versions lack: those have one spelling of each name only. */
export interface OutdatedWords {
  /** Goes on where an earlier call ended, and returns how many vouchers got further words. */
  complete(): Promise<number>;
}

interface IndexedVoucher {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly createdAt: number;
  /** As JSON; null where there are none yet. */
  readonly words: string | null;
}

interface OutdatedVoucher {
  readonly id: number;
  readonly createdAt: number;
  readonly words: readonly string[];
  readonly missing: readonly string[];
}

/** Vouchers that are looked at together; those that change share a transaction, for which orders wait on SQLite. */
const batchSize = 200;
/** After so many vouchers it is stored how far they are complete. */
const storedEvery = 10_000;
/** Vouchers of transactions that have not ended may be missing among the last. */
const unsettled = 1000;
const settingName = 'search-words';

/**
 * Words are only added, so a process of an earlier version finds what it found before. It may record vouchers meanwhile:
 * each call looks at all that are younger than those of the call before. One that a transaction has not shown yet is
 * younger than the last that the call before that one saw.
 */
export const makeOutdatedWords = ({ dialect, read, write }: Database): OutdatedWords => {
  let lastEnd = 0;
  return {
    complete: async () => {
      let [completed, isInterrupted] = [0, false];
      let after = await readPosition(read);
      let stored = after;
      const store = async (position: number): Promise<void> => {
        if (position <= stored || isInterrupted) return;
        await storePosition(write, position);
        stored = position;
      };
      for (;;) {
        const vouchers = await readBatch(read, after);
        const last = vouchers.at(-1);
        if (!last) break;
        const outdated = vouchers.flatMap(findMissing);
        if (outdated.length > 0) {
          const added = await inTransaction(write, async (transaction) => {
            const free = dialect === 'postgres' ? await lockFree(transaction, outdated) : outdated;
            await addMissing(transaction, free);
            return free.length;
          });
          completed += added;
          isInterrupted ||= added < outdated.length;
        }
        after = last.id;
        if (after - stored >= storedEvery) await store(after - unsettled);
      }
      await store(Math.min(after, lastEnd));
      lastEnd = after;
      return completed;
    },
  };
};

const readPosition = async (read: Knex): Promise<number> => {
  const row = await read('settings').where('name', settingName).first<{ value: string } | undefined>('value');
  const value: unknown = row && JSON.parse(row.value);
  return typeof value === 'number' ? value : 0;
};

const storePosition = async (write: Knex, position: number): Promise<void> => {
  await write('settings')
    .insert({ name: settingName, value: JSON.stringify(position) })
    .onConflict('name')
    .merge();
};

const readBatch = async (read: Knex, after: number): Promise<IndexedVoucher[]> =>
  read('vouchers')
    .select<IndexedVoucher[]>({
      id: 'id',
      code: 'code',
      name: 'name',
      createdAt: 'created_at',
      words: 'words',
    })
    .where('id', '>', after)
    .orderBy('id')
    .limit(batchSize);

/** Those without any words get all of them elsewhere. */
const findMissing = (voucher: IndexedVoucher): OutdatedVoucher[] => {
  if (voucher.words === null || !hasOtherSpellings(voucher.name)) return [];
  const words = JSON.parse(voucher.words) as string[];
  const missing = toSearchWords(voucher).filter((word) => !words.includes(word));
  return missing.length === 0 ? [] : [{ id: voucher.id, createdAt: voucher.createdAt, words, missing }];
};

/** Skips what others lock: waiting for them here could end in a deadlock. The next call looks at them again. */
const lockFree = async (
  transaction: Knex,
  vouchers: readonly OutdatedVoucher[],
): Promise<OutdatedVoucher[]> => {
  const locked = await transaction('vouchers')
    .whereIn(
      'id',
      vouchers.map(({ id }) => id),
    )
    .forUpdate()
    .skipLocked()
    .pluck<number[]>('id');
  const free = new Set(locked);
  return vouchers.filter(({ id }) => free.has(id));
};

const addMissing = async (transaction: Knex, vouchers: readonly OutdatedVoucher[]): Promise<void> => {
  if (vouchers.length === 0) return;
  await transaction.raw(
    `with found (id, words) as (values ${vouchers.map(() => '(cast(? as bigint), cast(? as text))').join(', ')})
     update vouchers set words = found.words from found where vouchers.id = found.id`,
    vouchers.flatMap(({ id, words, missing }) => [id, JSON.stringify([...words, ...missing])]),
  );
  await insertRows(
    transaction,
    'voucher_words',
    vouchers.flatMap(({ id, createdAt, missing }) =>
      missing.map((word) => ({ word, created_at: createdAt, voucher_id: id })),
    ),
    { ignoresConflicts: true },
  );
};
