import type { Database } from '../../database/database.js';
import { findByName, type FoundByName, type NamePage } from './nameOrder.js';
import { planSearch, type SearchedPage } from './searchPlan.js';
import type { VoucherCriteria, VoucherPosition } from './voucherCriteria.js';
import { storedVoucherColumns, type StoredVoucher } from '../voucherTable.js';

export interface FoundPage {
  /**
   * Newest first; among equal times the last recorded comes first. The other way round where a page asks for
   * it.
   */
  readonly vouchers: StoredVoucher[];
  /** Where the next page begins; undefined at the end. Also set when this page was not filled. */
  readonly next: VoucherPosition | undefined;
}

export interface VoucherFinder {
  /**
   * The first vouchers, or those after the page before. A page looks at a limited number of vouchers: it may
   * have fewer than `limit`, or none, although there are more.
   */
  find(criteria: VoucherCriteria, page: SearchedPage & { readonly limit: number }): Promise<FoundPage>;
  /** The same by name. */
  findByName(criteria: VoucherCriteria, page: NamePage): Promise<FoundByName>;
}

const selected = Object.fromEntries(
  Object.entries(storedVoucherColumns.aliases).map(([name, column]) => [name, `vouchers.${column}`]),
);

/** The search of the pages. */
export const makeVoucherFinder = (database: Pick<Database, 'read' | 'dialect'>): VoucherFinder => ({
  find: async (criteria, { limit, ...page }) => {
    const { queries, until } = await planSearch(database, criteria, page);
    const lists = await Promise.all(
      queries.map(async (query) => {
        // One more than is shown: there is another page.
        const rows = (await query.select(selected).limit(limit + 1)) as unknown[];
        return storedVoucherColumns.fromRows(rows);
      }),
    );
    const found = mergeInOrder(lists, page.isOldestFirst === true);
    const vouchers = found.slice(0, limit);
    const last = vouchers.at(-1);
    const next = found.length > limit && last ? { createdAt: last.createdAt, id: last.id } : until;
    return { vouchers, next };
  },
  findByName: (criteria, page) => findByName(database, criteria, page),
});

const mergeInOrder = (lists: readonly StoredVoucher[][], isOldestFirst: boolean): StoredVoucher[] => {
  const [only] = lists;
  if (only && lists.length === 1) return only;
  const byId = new Map(lists.flat().map((voucher) => [voucher.id, voucher]));
  const sorted = [...byId.values()].sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  return isOldestFirst ? sorted.reverse() : sorted;
};
