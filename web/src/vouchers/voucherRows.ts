import type { Voucher } from './voucher.ts';
import type { ListedOrder } from './OrderRow.tsx';

/** A line of the list: a voucher, an order of many, or one of its vouchers where it is open. */
export type ListRow =
  | { readonly kind: 'voucher'; readonly voucher: Voucher; readonly isOfOrder: boolean }
  | { readonly kind: 'order'; readonly voucher: Voucher; readonly order: ListedOrder };

interface FoundVouchers {
  readonly vouchers: readonly Voucher[];
  readonly orders: readonly ListedOrder[];
}

export const toRows = (
  pages: readonly FoundVouchers[],
  opened: ReadonlySet<string>,
  vouchersOf: (orderId: string) => readonly Voucher[] | undefined,
): ListRow[] => {
  const orders = new Map(pages.flatMap((page) => page.orders).map((order) => [order.voucherId, order]));
  return pages
    .flatMap((page) => page.vouchers)
    .flatMap((voucher): ListRow[] => {
      const order = orders.get(voucher.id);
      if (!order) return [{ kind: 'voucher', voucher, isOfOrder: false }];
      const own = opened.has(order.id) ? (vouchersOf(order.id) ?? []) : [];
      return [
        { kind: 'order', voucher, order },
        ...own.map((one): ListRow => ({ kind: 'voucher', voucher: one, isOfOrder: true })),
      ];
    });
};

/** How many vouchers the rows stand for. */
export const countVouchers = (rows: readonly ListRow[]): number =>
  rows.reduce((sum, row) => {
    if (row.kind === 'order') return sum + row.order.count;
    return row.isOfOrder ? sum : sum + 1;
  }, 0);
