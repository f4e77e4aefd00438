import type { ControllerTable } from '../controllers/controllerTable.js';
import type { LeaseTable } from '../database/leases.js';
import type { Revisions } from '../database/revisions.js';
import type { OrderLimitTable } from '../orderLimits/orderLimitTable.js';
import type { ProfileTable } from '../profiles/profileTable.js';
import type { SiteTable } from '../sites/siteTable.js';
import type { ControllerOutageTable } from '../webhooks/controllerOutageTable.js';
import type { IdempotencyKeyTable } from './idempotencyKeyTable.js';
import type { IntentTable } from './intentTable.js';
import type { OrderTable } from './orderTable.js';
import type { OrderStates } from './search/orderStates.js';
import type { VoucherFinder } from './search/voucherFinder.js';
import type { VoucherTable } from './voucherTable.js';

/** The tables that orders, lists, searches, the reconciler and the sync read and write. */
export interface VoucherTables {
  readonly vouchers: VoucherTable;
  readonly voucherFinder: VoucherFinder;
  readonly orderStates: OrderStates;
  readonly intents: IntentTable;
  readonly orders: OrderTable;
  readonly idempotency: IdempotencyKeyTable;
  readonly sites: SiteTable;
  readonly profiles: ProfileTable;
  readonly orderLimits: OrderLimitTable;
  readonly controllers: ControllerTable;
  readonly controllerOutages: ControllerOutageTable;
  readonly leases: LeaseTable;
  readonly revisions: Revisions;
}
