import type { ApiKeyTable } from '../apiKeys/apiKeyTable.js';
import type { ConnectionTable } from '../connections/connectionTable.js';
import type { ControllerTable } from '../controllers/controllerTable.js';
import type { Revisions } from '../database/revisions.js';
import type { SealedValues } from '../secrets/sealedValueTable.js';
import type { SiteTable } from '../sites/siteTable.js';
import type { UserTable } from '../users/userTable.js';
import type { IntentTable } from '../vouchers/intentTable.js';
import type { VoucherStatistics } from '../vouchers/voucherStatisticsTable.js';
import type { OutboxTable } from '../outbox/outboxTable.js';
import type { DeliveryTable } from '../webhooks/deliveryTable.js';
import type { WebhookTable } from '../webhooks/webhookTable.js';

/** The tables that the overview and the checks read. */
export interface DiagnosedTables {
  readonly apiKeys: ApiKeyTable;
  readonly sites: SiteTable;
  readonly connections: ConnectionTable;
  readonly controllers: ControllerTable;
  readonly webhooks: WebhookTable;
  readonly deliveries: DeliveryTable;
  readonly outbox: OutboxTable;
  readonly intents: IntentTable;
  readonly voucherStatistics: VoucherStatistics;
  readonly users: UserTable;
  readonly sealed: SealedValues;
  readonly revisions: Revisions;
}
