import { afterAll, beforeAll, describe } from '@jest/globals';
import { migrate } from '../../src/storage/migrator.js';
import { makeStorage } from '../../src/storage/storage.js';
import { holdDatabaseClock } from '../support/databaseClock.js';
import { openPatiently, type MakeDatabase, type TestDatabase } from '../support/databases.js';
import { someTime } from '../support/records.js';
import { apiKeyConformance } from './storage/apiKeys.js';
import { deliveryConformance } from './storage/deliveries.js';
import { idempotencyKeyConformance } from './storage/idempotencyKeys.js';
import { intentConformance } from './storage/intents.js';
import { keyUsageConformance } from './storage/keyUsage.js';
import { kioskConformance } from './storage/kiosks.js';
import { leaseConformance } from './storage/leases.js';
import { migrationConformance } from './storage/migrations.js';
import { orderConformance } from './storage/orders.js';
import { printerConformance } from './storage/printers.js';
import { profileConformance } from './storage/profiles.js';
import { rateLimiterConformance } from './storage/rateLimiter.js';
import { revisionConformance } from './storage/revisions.js';
import type { Shared } from './storage/sharedDatabase.js';
import { siteConformance } from './storage/sites.js';
import { voucherFinderConformance } from './storage/voucherFinder.js';
import { voucherListConformance } from './storage/voucherList.js';
import { voucherRecordConformance } from './storage/voucherRecord.js';
import { voucherSearchConformance } from './storage/voucherSearch.js';
import { voucherStatisticsConformance } from './storage/voucherStatistics.js';
import { voucherSyncConformance } from './storage/voucherSync.js';
import { webhookConformance } from './storage/webhooks.js';

/** What every database must do. Each one runs this suite. */
export const storageConformance = (make: MakeDatabase): void => {
  let own: TestDatabase;
  let opened: Shared;
  beforeAll(async () => {
    own = await make();
    const clock = await holdDatabaseClock(own.url, someTime);
    const database = openPatiently(own.url);
    await migrate(database);
    opened = { url: own.url, database, storage: makeStorage(database, clock), clock };
  });
  afterAll(async () => {
    await opened.database.close();
    await own.drop();
  });
  const shared = (): Shared => opened;

  describe('migrations', () => migrationConformance(make));
  describe('API keys', () => apiKeyConformance(shared));
  describe('usage of API keys', () => keyUsageConformance(shared));
  describe('controllers and sites', () => siteConformance(shared));
  describe('profiles and logos', () => profileConformance(shared));
  describe('receipt printers', () => printerConformance(shared));
  describe('intents', () => intentConformance(shared));
  describe('idempotency', () => idempotencyKeyConformance(shared));
  describe('recording a voucher', () => voucherRecordConformance(shared));
  describe('orders of the pages', () => orderConformance(shared));
  describe('kiosks', () => kioskConformance(shared));
  describe('the list of a site', () => voucherListConformance(shared));
  describe('looking for vouchers', () => voucherSearchConformance(shared));
  describe('the search of the pages', () => voucherFinderConformance(shared));
  describe('counting vouchers', () => voucherStatisticsConformance(shared));
  describe('bringing vouchers into line with their controllers', () => voucherSyncConformance(shared));
  describe('revisions', () => revisionConformance(shared));
  describe('leases', () => leaseConformance(shared));
  describe('webhooks', () => webhookConformance(shared));
  describe('deliveries', () => deliveryConformance(shared));
  describe('rate limits', () => rateLimiterConformance(shared));
};
