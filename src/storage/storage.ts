import { makeApiKeyTable, type ApiKeyTable } from './apiKeys.js';
import { makeControllerTable, type ControllerTable } from './controllers.js';
import type { Database } from './database.js';
import { makeDeliveryTable, type DeliveryTable } from './deliveries.js';
import { makeIdempotencyTable, type IdempotencyTable } from './idempotency.js';
import { makeIntentTable, type IntentTable } from './intents.js';
import { makeLeaseTable, type LeaseTable } from './leases.js';
import { makeRevisions, type Revisions } from './revisions.js';
import { makeSealedValues, type SealedValues } from './sealed.js';
import { makeSiteTable, type SiteTable } from './sites.js';
import { makeVoucherTable, type VoucherTable } from './vouchers.js';
import { makeWebhookTable, type WebhookTable } from './webhooks.js';

/** All tables of one database. */
export interface Storage {
  readonly apiKeys: ApiKeyTable;
  readonly controllers: ControllerTable;
  readonly sites: SiteTable;
  readonly intents: IntentTable;
  readonly vouchers: VoucherTable;
  readonly idempotency: IdempotencyTable;
  readonly leases: LeaseTable;
  readonly revisions: Revisions;
  readonly webhooks: WebhookTable;
  readonly deliveries: DeliveryTable;
  readonly sealed: SealedValues;
}

export const makeStorage = (database: Database): Storage => ({
  apiKeys: makeApiKeyTable(database),
  controllers: makeControllerTable(database),
  sites: makeSiteTable(database),
  intents: makeIntentTable(database),
  vouchers: makeVoucherTable(database),
  idempotency: makeIdempotencyTable(database),
  leases: makeLeaseTable(database),
  revisions: makeRevisions(database),
  webhooks: makeWebhookTable(database),
  deliveries: makeDeliveryTable(database),
  sealed: makeSealedValues(database),
});
