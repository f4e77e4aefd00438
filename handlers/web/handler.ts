import type { components, operations } from '../../generated/web.js';
import type { KeyAdministration } from '../../src/apiKeys/keyAdministration.js';
import type { KeyUsageRecords } from '../../src/apiKeys/keyUsage.js';
import type { OperationHandler, OperationHandlers } from '../../src/contract/types.js';
import type { Emails } from '../../src/email/emails.js';
import type { AccountMail } from '../../src/email/accountMail.js';
import type { MailServer } from '../../src/email/mailServer.js';
import type { TestMail } from '../../src/email/mailTest.js';
import type { LiveEvents } from '../../src/liveEvents/liveEvents.js';
import type { WebhookAdministration } from '../../src/webhooks/webhookAdministration.js';
import type { Auth } from '../../src/auth/auth.js';
import type { ControllerAdministration } from '../../src/controllers/controllerAdministration.js';
import type { ControllerList } from '../../src/controllers/controllerList.js';
import type { ControllerTests } from '../../src/controllers/controllerTests.js';
import type { WebUser } from '../../src/auth/webAccess.js';
import type { Sites } from '../../src/sites/sites.js';
import type { OpenNetworks } from '../../src/sites/wifi.js';
import type { ReceiptPrinters } from '../../src/printing/receiptPrinters.js';
import type { Printing } from '../../src/printing/printing.js';
import type { LimitFiles } from '../../src/rateLimit/fileLimit.js';
import type { Reports } from '../../src/reports/reports.js';
import type { FirstSteps } from '../../src/diagnostics/firstSteps.js';
import type { GetOverview } from '../../src/diagnostics/overview.js';
import type { GetSystemStatus } from '../../src/diagnostics/systemStatus.js';
import type { GuestPages } from '../../src/guestPages/guestPages.js';
import type { GuestRequests } from '../../src/guestPages/guestRequests.js';
import type { KioskDevices } from '../../src/kiosks/kioskDevice.js';
import type { Kiosks } from '../../src/kiosks/kiosks.js';
import type { KioskVisits } from '../../src/kiosks/kioskVisits.js';
import type { DeskOrders } from '../../src/vouchers/deskOrders.js';
import type { OrderLimits } from '../../src/orderLimits/orderLimits.js';
import type { FindAllowances } from '../../src/vouchers/orderAllowances.js';
import type { Profiles } from '../../src/profiles/profiles.js';
import type { RevokeVouchers } from '../../src/vouchers/revocation.js';
import type { SearchVouchers } from '../../src/vouchers/search/search.js';
import type { SelectVouchers } from '../../src/vouchers/selection.js';

/** What handlers of the pages may use. Each names what it needs. */
export interface WebServices {
  readonly auth: Auth;
  readonly liveEvents: LiveEvents;
  readonly keys: KeyAdministration;
  readonly keyUsage: KeyUsageRecords;
  readonly sites: Sites;
  readonly openNetworks: OpenNetworks;
  readonly profiles: Profiles;
  readonly orderLimits: OrderLimits;
  readonly findAllowances: FindAllowances;
  readonly orders: DeskOrders;
  readonly kiosks: Kiosks & KioskVisits;
  readonly kioskDevices: KioskDevices;
  readonly guestPages: GuestPages;
  readonly guestRequests: GuestRequests;
  readonly vouchers: SearchVouchers & { readonly select: SelectVouchers; readonly revoke: RevokeVouchers };
  readonly controllers: ControllerAdministration & ControllerList;
  readonly controllerTests: ControllerTests;
  readonly webhooks: WebhookAdministration;
  readonly emails: Emails;
  readonly mailServer: MailServer;
  readonly accountMail: AccountMail;
  readonly testMail: TestMail;
  readonly printing: Printing;
  readonly limitFiles: LimitFiles;
  readonly printers: ReceiptPrinters;
  readonly reports: Reports;
  readonly firstSteps: FirstSteps;
  readonly getOverview: GetOverview;
  readonly getSystemStatus: GetSystemStatus;
  readonly service: { readonly version: string; readonly isDemo: boolean };
}

export type WebHandler<K extends keyof operations> = OperationHandler<operations[K], WebUser, WebServices>;
export type WebHandlers = OperationHandlers<operations, WebUser, WebServices>;

/** What the contract of the pages calls by this name. */
export type WebSchema<Name extends keyof components['schemas']> = components['schemas'][Name];
