import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeLimiter } from '../../src/access/limiter.js';
import { openDatabase, type Database } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { storageConformance } from '../conformance/storage.js';
import { makePostgresDatabase, type TestDatabase } from '../support/databases.js';

describe('PostgreSQL', () => storageConformance(makePostgresDatabase));

describe('several processes on one PostgreSQL', () => {
  let own: TestDatabase;
  let databases: Database[];
  beforeAll(async () => {
    own = await makePostgresDatabase();
    databases = [openDatabase(own.url), openDatabase(own.url)];
    await migrate(databases[0]!);
  });
  afterAll(async () => {
    for (const database of databases) await database.close();
    await own.drop();
  });

  test("a key's limit holds across all processes", async () => {
    const limiters = databases.map((database) => makeLimiter(database));
    const counts = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => limiters[index % 2]!.count({ id: 1, rateLimit: 30 })),
    );
    expect(counts.filter((count) => count?.accepted)).toHaveLength(30);
  });
});
