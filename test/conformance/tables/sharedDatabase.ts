import type { Database } from '../../../src/database/database.js';
import type { Tables } from '../../../src/app/tables.js';
import type { TestDatabaseClock } from '../../support/databaseClock.js';

/** One migrated database that the tests of a file share, and its tables. */
export interface Shared {
  readonly url: string;
  readonly database: Database;
  readonly tables: Tables;
  /** The time by which the database counts. */
  readonly clock: TestDatabaseClock;
}
