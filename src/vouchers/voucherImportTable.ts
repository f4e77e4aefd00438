import type { Knex } from 'knex';
import type { Database } from '../database/database.js';
import { raiseRevisions } from '../database/revisions.js';
import { insertRows, inTransaction } from '../database/transactions.js';
import { toSearchWords } from './searchWords.js';
import { storedVoucherColumns, type StoredVoucher } from './voucherTable.js';

/** A voucher that was recorded elsewhere, or adopted. Its speed and data limits may not be known. */
export type ImportedVoucher = Omit<
  StoredVoucher,
  'id' | 'profileId' | 'revokedAt' | 'intentId' | 'position' | 'down' | 'up' | 'quotaMb' | 'codeBlock'
> &
  Partial<Pick<StoredVoucher, 'down' | 'up' | 'quotaMb' | 'codeBlock'>>;

/**
 * Those of at most 500 vouchers that are not recorded, neither by the controller's id nor, without one, by
 * site and code.
 */
export const findUnimported = async (
  db: Knex,
  vouchers: readonly ImportedVoucher[],
): Promise<ImportedVoucher[]> => {
  const rows = await db('vouchers')
    .whereIn('code', [...new Set(vouchers.map(({ code }) => code))])
    .select<{ siteId: number; code: string; hasId: number | boolean }[]>(
      { siteId: 'site_id', code: 'code' },
      db.raw('controller_voucher_id is not null as "hasId"'),
    );
  const anyAtSite = new Set(rows.map(({ siteId, code }) => `${String(siteId)} ${code}`));
  const withoutId = new Set(
    rows.filter(({ hasId }) => !hasId).map(({ siteId, code }) => `${String(siteId)} ${code}`),
  );
  const known = new Set<string>();
  for (const controllerId of new Set(vouchers.map((voucher) => voucher.controllerId))) {
    const ids = await db('vouchers')
      .where('controller_id', controllerId)
      .whereIn(
        'controller_voucher_id',
        vouchers.flatMap(({ controllerVoucherId }) => controllerVoucherId ?? []),
      )
      .pluck<string[]>('controller_voucher_id');
    for (const id of ids) known.add(`${String(controllerId)} ${id}`);
  }
  return vouchers.filter(({ controllerId, controllerVoucherId, siteId, code }) => {
    const place = `${String(siteId)} ${code}`;
    if (controllerVoucherId === null) return !anyAtSite.has(place);
    return !known.has(`${String(controllerId)} ${controllerVoucherId}`) && !withoutId.has(place);
  });
};

/**
 * Records at most 500 vouchers, in their order, and returns how many were not recorded yet. Nobody is
 * notified.
 * `onAdded` is part of the transaction.
 */
export const importVouchers = (
  { write }: Database,
  vouchers: readonly ImportedVoucher[],
  onAdded?: (transaction: Knex, added: number) => Promise<void>,
): Promise<number> =>
  inTransaction(write, async (transaction) => {
    let added = 0;
    let missing = await findUnimported(transaction, vouchers);
    const siteIds = new Set(missing.map(({ siteId }) => siteId));
    while (missing.length > 0) {
      const inserted = await insertMissing(transaction, missing);
      added += inserted;
      if (inserted === missing.length) break;
      // A sync has recorded some of them since they were looked for; only a statement after that sees them.
      missing = await findUnimported(transaction, missing);
    }
    if (added > 0) {
      await onAdded?.(transaction, added);
      await raiseRevisions(
        transaction,
        [...siteIds].map((siteId) => `site:${siteId}` as const),
      );
    }
    return added;
  });

/** Returns how many were inserted: all but those that are in the way of a unique index. */
const insertMissing = async (transaction: Knex, missing: readonly ImportedVoucher[]): Promise<number> => {
  const recorded = await transaction('vouchers')
    .whereIn('code', [...new Set(missing.map(({ code }) => code))])
    .select<{ code: string; name: string }[]>('code', 'name');
  const taken = new Set(recorded.map(({ code, name }) => JSON.stringify([code, name])));
  const rows = missing.map((voucher) => {
    const key = JSON.stringify([voucher.code, voucher.name]);
    // One console with two accounts has the same voucher twice.
    const isDuplicate = taken.has(key);
    taken.add(key);
    return {
      ...storedVoucherColumns.toNewRow(voucher),
      is_duplicate: isDuplicate,
      words: JSON.stringify(toSearchWords(voucher)),
    };
  });
  const inserted = await insertRows(transaction, 'vouchers', rows, {
    ignoresConflicts: true,
    returning: ['id'],
  });
  return inserted.length;
};
