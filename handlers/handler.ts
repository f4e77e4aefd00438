import type { operations } from '../generated/openapi.js';
import type { ApiKey } from '../src/apiKeys/apiKeys.js';
import type {
  OperationHandler as ContractHandler,
  OperationHandlers as ContractHandlers,
} from '../src/contract/types.js';
import type { SiteDirectory } from '../src/controllers/siteDirectory.js';
import type { ListVouchers } from '../src/vouchers/list.js';
import type { OrderVoucher } from '../src/vouchers/order.js';

/** What handlers may use. Each names what it needs. */
export interface Services {
  readonly sites: Pick<SiteDirectory, 'list'>;
  readonly vouchers: { readonly order: OrderVoucher; readonly list: ListVouchers };
}

export type Handler<K extends keyof operations> = ContractHandler<operations[K], ApiKey, Services>;
export type Handlers = ContractHandlers<operations, ApiKey, Services>;
