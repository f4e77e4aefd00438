import { afterAll, beforeAll, describe } from '@jest/globals';
import { makeTables } from '../../src/app/tables.js';
import { holdDatabaseClock } from '../support/databaseClock.js';
import { openPatiently, type MakeDatabase, type TestDatabase } from '../support/databases.js';
import { someTime } from '../support/records.js';
import { apiKeyConformance } from './tables/apiKeys.js';
import { controllerOutageConformance } from './tables/controllerOutages.js';
import { deliveryConformance } from './tables/deliveries.js';
import { guestMessageConformance } from './tables/guestMessages.js';
import { idempotencyKeyConformance } from './tables/idempotencyKeys.js';
import { insertRowsConformance } from './tables/insertRows.js';
import { intentConformance } from './tables/intents.js';
import { keyUsageConformance } from './tables/keyUsage.js';
import { kioskConformance } from './tables/kiosks.js';
import { leaseConformance } from './tables/leases.js';
import { migrationConformance } from './tables/migrations.js';
import { orderConformance } from './tables/orders.js';
import { printerConformance } from './tables/printers.js';
import { profileConformance } from './tables/profiles.js';
import { rateLimiterConformance } from './tables/rateLimiter.js';
import { reportConformance } from './tables/reports.js';
import { revisionConformance } from './tables/revisions.js';
import type { Shared } from './tables/sharedDatabase.js';
import { siteConformance } from './tables/sites.js';
import { voucherFinderConformance } from './tables/voucherFinder.js';
import { voucherOrderConformance } from './tables/voucherOrder.js';
import { voucherListConformance } from './tables/voucherList.js';
import { voucherRecordConformance } from './tables/voucherRecord.js';
import { voucherSearchConformance } from './tables/voucherSearch.js';
import { voucherStatisticsConformance } from './tables/voucherStatistics.js';
import { voucherSyncConformance } from './tables/voucherSync.js';
import { webhookConformance } from './tables/webhooks.js';

/** Opens a database that the tests of a file share. */
const shareDatabase = (make: MakeDatabase): (() => Shared) => {
  let own: TestDatabase;
  let opened: Shared;
  beforeAll(async () => {
    own = await make();
    const clock = await holdDatabaseClock(own.url, someTime);
    const database = openPatiently(own.url);
    opened = { url: own.url, database, tables: makeTables(database, clock), clock };
  });
  afterAll(async () => {
    await opened.database.close();
    await own.drop();
  });
  return () => opened;
};

/** What every database must do, but for vouchers. Each one runs this suite. */
export const tableConformance = (makeEmpty: MakeDatabase, makeMigrated: MakeDatabase): void => {
  const shared = shareDatabase(makeMigrated);

  describe('migrations', () => migrationConformance(makeEmpty, makeMigrated));
  describe('inserting rows', () => insertRowsConformance(shared));
  describe('API keys', () => apiKeyConformance(shared));
  describe('usage of API keys', () => keyUsageConformance(shared));
  describe('controllers and sites', () => siteConformance(shared));
  describe('profiles and logos', () => profileConformance(shared));
  describe('receipt printers', () => printerConformance(shared));
  describe('intents', () => intentConformance(shared));
  describe('idempotency', () => idempotencyKeyConformance(shared));
  describe('kiosks', () => kioskConformance(shared));
  describe('revisions', () => revisionConformance(shared));
  describe('leases', () => leaseConformance(shared));
  describe('webhooks', () => webhookConformance(shared));
  describe('deliveries', () => deliveryConformance(shared));
  describe('outages of controllers', () => controllerOutageConformance(shared));
  describe('rate limits', () => rateLimiterConformance(shared));
};

/** What every database must do with vouchers. Each one runs this suite, too. */
export const voucherTableConformance = (make: MakeDatabase): void => {
  const shared = shareDatabase(make);

  // Some of its tests look at all vouchers: before other tests record thousands.
  describe('the order of found vouchers', () => voucherOrderConformance(shared));
  describe('recording a voucher', () => voucherRecordConformance(shared));
  describe('orders of the pages', () => orderConformance(shared));
  describe('vouchers that are sent to guests', () => guestMessageConformance(shared));
  describe('the list of a site', () => voucherListConformance(shared));
  describe('looking for vouchers', () => voucherSearchConformance(shared));
  describe('the search of the pages', () => voucherFinderConformance(shared));
  describe('counting vouchers', () => voucherStatisticsConformance(shared));
  describe('reports', () => reportConformance(shared));
  describe('bringing vouchers into line with their controllers', () => voucherSyncConformance(shared));
};
