import type { Schemas } from '../../api/schemas.ts';
import type { Voucher } from '../../vouchers/voucher.ts';

/** What stands large on the page: an order, or a voucher that was picked from the list. */
export type Shown =
  | { readonly kind: 'order'; readonly order: Schemas['Order'] }
  | { readonly kind: 'voucher'; readonly voucher: Voucher };
