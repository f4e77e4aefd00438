import { nodeSystem, type Clock } from '../lib/system.js';
import { makeAccountTokenTable, type AccountTokenTable } from '../users/accountTokenTable.js';
import { makeAdoptionTable, type AdoptionTable } from '../vouchers/adoption/adoptionTable.js';
import { makeApiKeyTable, type ApiKeyTable } from '../apiKeys/apiKeyTable.js';
import { makeAuditLogTable, type AuditLogTable } from '../audit/auditTable.js';
import { makeBrandTable, type BrandTable } from '../branding/brandTable.js';
import { makeConnectionTable, type ConnectionTable } from '../connections/connectionTable.js';
import { makeControllerTable, type ControllerTable } from '../controllers/controllerTable.js';
import { makeFirstStepTable, type FirstStepTable } from '../diagnostics/firstStepTable.js';
import type { Database } from '../database/database.js';
import { makeControllerOutageTable, type ControllerOutageTable } from '../webhooks/controllerOutageTable.js';
import { makeGuestMessageTable, type GuestMessageTable } from '../guestMessages/guestMessageTable.js';
import { makeOutboxTable, type OutboxTable } from '../outbox/outboxTable.js';
import { makeDeliveryTable, type DeliveryTable } from '../webhooks/deliveryTable.js';
import { makeEndedVoucherTable, type EndedVoucherTable } from '../vouchers/endedVoucherTable.js';
import { makeGuestRequestTable, type GuestRequestTable } from '../guestPages/guestRequestTable.js';
import { makeIdempotencyKeyTable, type IdempotencyKeyTable } from '../vouchers/idempotencyKeyTable.js';
import { makeIntentTable, type IntentTable, openOrders } from '../vouchers/intentTable.js';
import { makeKeyUsageTable, type KeyUsageTable } from '../apiKeys/keyUsageTable.js';
import { leaveProfile, makeKioskTable, type KioskTable } from '../kiosks/kioskTable.js';
import { makeKnownBrowserTable, type KnownBrowserTable } from '../auth/knownBrowserTable.js';
import { makeLeaseTable, type LeaseTable } from '../database/leases.js';
import { makeOrderStates, type OrderStates } from '../vouchers/search/orderStates.js';
import { makeOrderLimitTable, type OrderLimitTable } from '../orderLimits/orderLimitTable.js';
import { makeOrderTable, type OrderTable } from '../vouchers/orderTable.js';
import { makePrinterTable, type PrinterTable } from '../printing/printerTable.js';
import { makeProfileTable, type ProfileTable } from '../profiles/profileTable.js';
import { makeRecoveryCodeTable, type RecoveryCodeTable } from '../users/recoveryCodeTable.js';
import { makeReportTable, type ReportTable } from '../reports/reportTable.js';
import { makeRevisions, type Revisions } from '../database/revisions.js';
import { makeSealedValues, type SealedValues } from '../secrets/sealedValueTable.js';
import { makeSessionTable, type SessionTable } from '../auth/sessionTable.js';
import { makeSettingTable, type SettingTable } from '../auth/signInRuleTable.js';
import { makeSetupTokenTable, type SetupTokenTable } from '../users/setupTokenTable.js';
import { makeSiteLogoTable, type SiteLogoTable } from '../sites/logoTable.js';
import { makeOwnTextTable, type OwnTextTable } from '../sites/ownTextTable.js';
import { makeSiteTable, type SiteTable } from '../sites/siteTable.js';
import { makeUserTable, type UserTable } from '../users/userTable.js';
import { makeVoucherFinder, type VoucherFinder } from '../vouchers/search/voucherFinder.js';
import { makeVoucherSearch, type VoucherSearch } from '../vouchers/search/codeSearch.js';
import { makeVoucherStatistics, type VoucherStatistics } from '../vouchers/voucherStatisticsTable.js';
import { makeVoucherTable, type VoucherTable } from '../vouchers/voucherTable.js';
import { makeWebhookTable, type WebhookTable } from '../webhooks/webhookTable.js';

/** All tables of one database. */
export interface Tables {
  readonly apiKeys: ApiKeyTable;
  readonly keyUsage: KeyUsageTable;
  readonly connections: ConnectionTable;
  readonly controllers: ControllerTable;
  readonly sites: SiteTable;
  readonly siteLogos: SiteLogoTable;
  readonly ownTexts: OwnTextTable;
  readonly profiles: ProfileTable;
  readonly orderLimits: OrderLimitTable;
  readonly printers: PrinterTable;
  readonly intents: IntentTable;
  readonly orders: OrderTable;
  readonly kiosks: KioskTable;
  readonly guestRequests: GuestRequestTable;
  readonly vouchers: VoucherTable;
  readonly adoptions: AdoptionTable;
  readonly endedVouchers: EndedVoucherTable;
  readonly voucherSearch: VoucherSearch;
  readonly voucherFinder: VoucherFinder;
  readonly orderStates: OrderStates;
  readonly voucherStatistics: VoucherStatistics;
  readonly reports: ReportTable;
  readonly idempotency: IdempotencyKeyTable;
  readonly leases: LeaseTable;
  readonly revisions: Revisions;
  readonly webhooks: WebhookTable;
  readonly deliveries: DeliveryTable;
  readonly controllerOutages: ControllerOutageTable;
  readonly guestMessages: GuestMessageTable;
  readonly outbox: OutboxTable;
  readonly users: UserTable;
  readonly recoveryCodes: RecoveryCodeTable;
  readonly sessions: SessionTable;
  readonly knownBrowsers: KnownBrowserTable;
  readonly setupTokens: SetupTokenTable;
  readonly accountTokens: AccountTokenTable;
  readonly settings: SettingTable;
  readonly brand: BrandTable;
  readonly firstSteps: FirstStepTable;
  readonly auditLog: AuditLogTable;
  readonly sealed: SealedValues;
}

/** Makes all tables. The clock is used with SQLite only; PostgreSQL has its own. */
export const makeTables = (
  database: Database,
  clock: Clock = nodeSystem,
  revisions: Revisions = makeRevisions(database),
): Tables => {
  const { dialect, write, scan } = database;
  const scanned = { dialect, write, read: scan };
  return {
    apiKeys: makeApiKeyTable(database),
    keyUsage: makeKeyUsageTable(database),
    connections: makeConnectionTable(database),
    controllers: makeControllerTable(database, openOrders),
    sites: makeSiteTable(database),
    siteLogos: makeSiteLogoTable(database),
    ownTexts: makeOwnTextTable(database),
    profiles: makeProfileTable(database, leaveProfile),
    orderLimits: makeOrderLimitTable(database),
    printers: makePrinterTable(database),
    intents: makeIntentTable(database),
    orders: makeOrderTable(database),
    kiosks: makeKioskTable(database),
    guestRequests: makeGuestRequestTable(database),
    vouchers: makeVoucherTable(database),
    adoptions: makeAdoptionTable(database),
    endedVouchers: makeEndedVoucherTable(database),
    voucherSearch: makeVoucherSearch(database),
    voucherFinder: makeVoucherFinder(scanned),
    orderStates: makeOrderStates(scanned),
    voucherStatistics: makeVoucherStatistics(scanned),
    reports: makeReportTable(scanned),
    idempotency: makeIdempotencyKeyTable(database),
    leases: makeLeaseTable(database, clock),
    revisions,
    webhooks: makeWebhookTable(database),
    deliveries: makeDeliveryTable(database),
    controllerOutages: makeControllerOutageTable(database),
    guestMessages: makeGuestMessageTable(database),
    outbox: makeOutboxTable(database),
    users: makeUserTable(database),
    recoveryCodes: makeRecoveryCodeTable(database),
    sessions: makeSessionTable(database),
    knownBrowsers: makeKnownBrowserTable(database),
    setupTokens: makeSetupTokenTable(database),
    accountTokens: makeAccountTokenTable(database),
    settings: makeSettingTable(database),
    brand: makeBrandTable(database),
    firstSteps: makeFirstStepTable(database),
    auditLog: makeAuditLogTable(scanned),
    sealed: makeSealedValues(database),
  };
};
