import { afterAll, beforeAll, describe } from '@jest/globals';
import type { Database } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { makeStorage, type Storage } from '../../src/storage/storage.js';
import { openPatiently, type MakeDatabase, type TestDatabase } from '../support/databases.js';
import { holdDatabaseClock, type TestDatabaseClock } from '../support/databaseClock.js';
import { someTime } from '../support/records.js';
import { accessConformance } from './storage/access.js';
import { deliveryConformance } from './storage/deliveries.js';
import { idempotencyConformance } from './storage/idempotency.js';
import { intentConformance } from './storage/intents.js';
import { leaseConformance } from './storage/leases.js';
import { limiterConformance } from './storage/limiter.js';
import { listConformance } from './storage/list.js';
import { migrationConformance } from './storage/migrations.js';
import { recordConformance } from './storage/record.js';
import { revisionConformance } from './storage/revisions.js';
import { searchConformance } from './storage/search.js';
import { siteConformance } from './storage/sites.js';
import { syncConformance } from './storage/sync.js';
import { webhookConformance } from './storage/webhooks.js';

/** One migrated database that the tests of a file share, and its tables. */
export interface Shared {
  readonly url: string;
  readonly database: Database;
  readonly storage: Storage;
  /** The time by which the database counts. */
  readonly clock: TestDatabaseClock;
}

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
  describe('API keys', () => accessConformance(shared));
  describe('controllers and sites', () => siteConformance(shared));
  describe('intents', () => intentConformance(shared));
  describe('idempotency', () => idempotencyConformance(shared));
  describe('recording a voucher', () => recordConformance(shared));
  describe('the list of a site', () => listConformance(shared));
  describe('looking for vouchers', () => searchConformance(shared));
  describe('bringing vouchers into line with their controllers', () => syncConformance(shared));
  describe('revisions', () => revisionConformance(shared));
  describe('leases', () => leaseConformance(shared));
  describe('webhooks', () => webhookConformance(shared));
  describe('deliveries', () => deliveryConformance(shared));
  describe('rate limits', () => limiterConformance(shared));
};
