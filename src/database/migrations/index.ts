import type { Knex } from 'knex';
import { createInitialTables } from './0001_initial.js';
import { createWebhookTables } from './0002_webhooks.js';
import { alterControllers } from './0003_controllers.js';
import { indexUnexpiredVouchers } from './0004_unexpired.js';
import { addIntentOutcomes } from './0006_outcomes.js';
import { createPeopleTables } from './0007_people.js';
import { createPageTables } from './0008_pages.js';
import { createOrders } from './0009_orders.js';
import { createPrinters } from './0010_printing.js';
import { createKiosks } from './0011_kiosks.js';
import { indexVouchers } from './0012_search.js';
import { createEmails } from './0013_email.js';
import { addSpeedAndData } from './0014_speedAndData.js';
import { addIdentities } from './0015_identities.js';
import { addAttemptTimes } from './0016_attempts.js';
import { indexMissingWords } from './0017_missingWords.js';
import { createWriteProbe } from './0019_writeProbe.js';
import { addVoucherActors } from './0020_voucherActors.js';
import { addEndOfVouchers } from './0021_retention.js';
import { removeWordsWithVouchers } from './0022_removedWords.js';
import { indexEndedVouchers } from './0023_endedIndex.js';
import { addProfileOrder } from './0024_profileOrder.js';
import { createOrderLimits } from './0025_orderLimits.js';
import { createConnections } from './0026_connections.js';
import { createAccountEmails } from './0027_accountEmails.js';
import { addSiteWifi } from './0029_siteWifi.js';
import { addSitePrinting } from './0030_sitePrinting.js';
import { createGuestTexts } from './0031_guestTexts.js';
import { addKioskChoices } from './0032_kioskChoices.js';
import { createGuestPages } from './0033_guestPages.js';
import { createSms } from './0034_sms.js';
import { createRemovedVoucherCounts } from './0035_removedVoucherCounts.js';
import { createBrandPictures } from './0036_branding.js';
import { addKioskSms } from './0037_kioskSms.js';
import { indexVoucherOrder } from './0038_voucherOrder.js';
import { addVoucherNames } from './0039_voucherNames.js';
import { addGuestOrigin } from './0040_guestOrigin.js';
import { createControllerOutages } from './0042_controllerOutages.js';
import { addOwnCodes } from './0043_ownCodes.js';
import { addKeyFailures } from './0044_keyFailures.js';
import { indexVouchersInUse } from './0045_inUse.js';

export interface Migration {
  readonly name: string;
  readonly up: (db: Knex) => Promise<void>;
}

/** In the order in which they run. A migration that has been released is never changed. */
export const migrations: readonly Migration[] = [
  { name: '0001_initial', up: createInitialTables },
  { name: '0002_webhooks', up: createWebhookTables },
  { name: '0003_controllers', up: alterControllers },
  { name: '0004_unexpired', up: indexUnexpiredVouchers },
  { name: '0006_outcomes', up: addIntentOutcomes },
  { name: '0007_people', up: createPeopleTables },
  { name: '0008_pages', up: createPageTables },
  { name: '0009_orders', up: createOrders },
  { name: '0010_printing', up: createPrinters },
  { name: '0011_kiosks', up: createKiosks },
  { name: '0012_search', up: indexVouchers },
  { name: '0013_email', up: createEmails },
  { name: '0014_speedAndData', up: addSpeedAndData },
  { name: '0015_identities', up: addIdentities },
  { name: '0016_attempts', up: addAttemptTimes },
  { name: '0017_missingWords', up: indexMissingWords },
  { name: '0019_writeProbe', up: createWriteProbe },
  { name: '0020_voucherActors', up: addVoucherActors },
  { name: '0021_retention', up: addEndOfVouchers },
  { name: '0022_removedWords', up: removeWordsWithVouchers },
  { name: '0023_endedIndex', up: indexEndedVouchers },
  { name: '0024_profileOrder', up: addProfileOrder },
  { name: '0025_orderLimits', up: createOrderLimits },
  { name: '0026_connections', up: createConnections },
  { name: '0027_accountEmails', up: createAccountEmails },
  { name: '0029_siteWifi', up: addSiteWifi },
  { name: '0030_sitePrinting', up: addSitePrinting },
  { name: '0031_guestTexts', up: createGuestTexts },
  { name: '0032_kioskChoices', up: addKioskChoices },
  { name: '0033_guestPages', up: createGuestPages },
  { name: '0034_sms', up: createSms },
  { name: '0035_removedVoucherCounts', up: createRemovedVoucherCounts },
  { name: '0036_branding', up: createBrandPictures },
  { name: '0037_kioskSms', up: addKioskSms },
  { name: '0038_voucherOrder', up: indexVoucherOrder },
  { name: '0039_voucherNames', up: addVoucherNames },
  { name: '0040_guestOrigin', up: addGuestOrigin },
  { name: '0042_controllerOutages', up: createControllerOutages },
  { name: '0043_ownCodes', up: addOwnCodes },
  { name: '0044_keyFailures', up: addKeyFailures },
  { name: '0045_inUse', up: indexVouchersInUse },
];
