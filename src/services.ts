import type { ApiKey } from './access/keys.js';
import type {
  Handler as ContractHandler,
  Handlers as ContractHandlers,
  OperationId,
} from './contract/types.js';
import type { SiteDirectory } from './sites/directory.js';
import type { ListVouchers } from './vouchers/listing.js';
import type { OrderVoucher } from './vouchers/ordering.js';

/** What handlers may use. Each names what it needs. */
export interface Services {
  readonly sites: Pick<SiteDirectory, 'list'>;
  readonly vouchers: { readonly order: OrderVoucher; readonly list: ListVouchers };
}

export type Handler<K extends OperationId> = ContractHandler<K, ApiKey, Services>;
export type Handlers = ContractHandlers<ApiKey, Services>;
