import { nodeSystem, type Clock } from '../lib/system.js';
import { makeApiKeyTable, type ApiKeyTable } from './apiKeys.js';
import { makeAuditLogTable, type AuditLogTable } from './auditLog.js';
import { makeControllerTable, type ControllerTable } from './controllers.js';
import type { Database } from './database.js';
import { makeDeliveryTable, type DeliveryTable } from './deliveries.js';
import { makeEmailTable, type EmailTable } from './emails.js';
import { makeIdempotencyKeyTable, type IdempotencyKeyTable } from './idempotencyKeys.js';
import { makeIntentTable, type IntentTable } from './intents.js';
import { makeKeyUsageTable, type KeyUsageTable } from './keyUsage.js';
import { makeKioskTable, type KioskTable } from './kiosks.js';
import { makeKnownBrowserTable, type KnownBrowserTable } from './knownBrowsers.js';
import { makeLeaseTable, type LeaseTable } from './leases.js';
import { makeMissingWords, type MissingWords } from './missingWords.js';
import { makeOrderTable, type OrderTable } from './orders.js';
import { makePrinterTable, type PrinterTable } from './printers.js';
import { makeProfileTable, type ProfileTable } from './profiles.js';
import { makeRecoveryCodeTable, type RecoveryCodeTable } from './recoveryCodes.js';
import { makeRevisions, type Revisions } from './revisions.js';
import { makeSealedValues, type SealedValues } from './sealedValues.js';
import { makeSessionTable, type SessionTable } from './sessions.js';
import { makeSettingTable, type SettingTable } from './settings.js';
import { makeSetupTokenTable, type SetupTokenTable } from './setupTokens.js';
import { makeSiteLogoTable, type SiteLogoTable } from './siteLogos.js';
import { makeSiteTable, type SiteTable } from './sites.js';
import { makeUserTable, type UserTable } from './users.js';
import { makeVoucherFinder, type VoucherFinder } from './voucherFinder.js';
import { makeVoucherSearch, type VoucherSearch } from './voucherSearch.js';
import { makeVoucherStatistics, type VoucherStatistics } from './voucherStatistics.js';
import { makeVoucherTable, type VoucherTable } from './vouchers.js';
import { makeWebhookTable, type WebhookTable } from './webhooks.js';

/** All tables of one database. */
export interface Storage {
  readonly apiKeys: ApiKeyTable;
  readonly keyUsage: KeyUsageTable;
  readonly controllers: ControllerTable;
  readonly sites: SiteTable;
  readonly siteLogos: SiteLogoTable;
  readonly profiles: ProfileTable;
  readonly printers: PrinterTable;
  readonly intents: IntentTable;
  readonly orders: OrderTable;
  readonly kiosks: KioskTable;
  readonly vouchers: VoucherTable;
  readonly voucherSearch: VoucherSearch;
  readonly voucherFinder: VoucherFinder;
  readonly voucherStatistics: VoucherStatistics;
  readonly missingWords: MissingWords;
  readonly idempotency: IdempotencyKeyTable;
  readonly leases: LeaseTable;
  readonly revisions: Revisions;
  readonly webhooks: WebhookTable;
  readonly deliveries: DeliveryTable;
  readonly emails: EmailTable;
  readonly users: UserTable;
  readonly recoveryCodes: RecoveryCodeTable;
  readonly sessions: SessionTable;
  readonly knownBrowsers: KnownBrowserTable;
  readonly setupTokens: SetupTokenTable;
  readonly settings: SettingTable;
  readonly auditLog: AuditLogTable;
  readonly sealed: SealedValues;
}

/** Makes all tables. The clock is used with SQLite only; PostgreSQL has its own. */
export const makeStorage = (
  database: Database,
  clock: Clock = nodeSystem,
  revisions: Revisions = makeRevisions(database),
): Storage => ({
  apiKeys: makeApiKeyTable(database),
  keyUsage: makeKeyUsageTable(database),
  controllers: makeControllerTable(database),
  sites: makeSiteTable(database),
  siteLogos: makeSiteLogoTable(database),
  profiles: makeProfileTable(database),
  printers: makePrinterTable(database),
  intents: makeIntentTable(database),
  orders: makeOrderTable(database),
  kiosks: makeKioskTable(database),
  vouchers: makeVoucherTable(database),
  voucherSearch: makeVoucherSearch(database),
  voucherFinder: makeVoucherFinder(database),
  voucherStatistics: makeVoucherStatistics(database),
  missingWords: makeMissingWords(database),
  idempotency: makeIdempotencyKeyTable(database),
  leases: makeLeaseTable(database, clock),
  revisions,
  webhooks: makeWebhookTable(database),
  deliveries: makeDeliveryTable(database),
  emails: makeEmailTable(database),
  users: makeUserTable(database),
  recoveryCodes: makeRecoveryCodeTable(database),
  sessions: makeSessionTable(database),
  knownBrowsers: makeKnownBrowserTable(database),
  setupTokens: makeSetupTokenTable(database),
  settings: makeSettingTable(database),
  auditLog: makeAuditLogTable(database),
  sealed: makeSealedValues(database),
});
