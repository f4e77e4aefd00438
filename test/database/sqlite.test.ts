import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../src/database/database.js';
import { migrate } from '../../src/database/migrator.js';
import { inTransaction } from '../../src/database/transactions.js';
import { makeTables } from '../../src/app/tables.js';
import { tableConformance } from '../conformance/tables.js';
import { testCases } from '../support/cases.js';
import { makeEmptySqliteDatabase, makeSqliteDatabase, type TestDatabase } from '../support/databases.js';
import { queriesOf } from '../support/queryLog.js';

describe('SQLite', () => tableConformance(makeEmptySqliteDatabase, makeSqliteDatabase));

describe('a connection to SQLite', () => {
  let own: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    own = await makeSqliteDatabase();
    database = openDatabase(own.url);
  });
  afterAll(async () => {
    await database.close();
    await own.drop();
  });
  const full = 2;

  testCases<[string, string | number, string]>([
    ['journal_mode', 'wal', 'is in WAL'],
    ['synchronous', full, 'waits until a commit is on the disk'],
    ['foreign_keys', 1, 'checks foreign keys'],
    ['busy_timeout', 10_000, 'waits for another writer'],
  ])('has the settings that keep what was committed', async (name, value) => {
    for (const db of [database.write, database.read]) {
      const rows = await db.raw<Record<string, unknown>[]>(`PRAGMA ${name}`);
      expect(Object.values(rows[0]!)).toEqual([value]);
    }
  });

  test('that reads can not write', async () => {
    await expect(database.read('revisions').insert({ name: 'keys', value: 1 })).rejects.toThrow(/readonly/);
  });

  test('that reads does not wait for a transaction, and does not see it', async () => {
    await database.write.transaction(async (transaction) => {
      await transaction('revisions').insert({ name: 'open', value: 1 });
      expect(await database.read('revisions').where({ name: 'open' })).toEqual([]);
    });
    expect(await database.read('revisions').where({ name: 'open' })).toHaveLength(1);
  });

  test('that finds the database up to date does not wait for another process that writes', async () => {
    const other = openDatabase(own.url);
    try {
      await database.write.raw('PRAGMA busy_timeout = 0');
      await inTransaction(other.write, async () => expect(await migrate(database)).toEqual([]));
    } finally {
      await database.write.raw('PRAGMA busy_timeout = 10000');
      await other.close();
    }
  });

  test('that reads and then writes in one transaction lets no other process write in between', async () => {
    const other = openDatabase(own.url);
    try {
      await other.write.raw('PRAGMA busy_timeout = 0');
      const write = (db: Database['write'], name: string) => db('revisions').insert({ name, value: 1 });
      await inTransaction(database.write, async (transaction) => {
        await transaction('revisions').select();
        await expect(write(other.write, 'other')).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
        await write(transaction, 'first');
      });
      await inTransaction(database.write, async (transaction) => {
        await transaction('revisions').select();
        const began: boolean[] = [];
        const begin = async (): Promise<void> => void began.push(true);
        await expect(inTransaction(other.write, begin)).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
        expect(began).toEqual([]);
      });
      await write(other.write, 'other');
      expect(await database.read('revisions').whereIn('name', ['first', 'other'])).toHaveLength(2);
    } finally {
      await other.close();
    }
  });
});

test('SQLite finds what has not expired of one site of a controller by an index of exactly that', async () => {
  const own = await makeSqliteDatabase();
  const database = openDatabase(own.url);
  const [asked] = await queriesOf(database, () => makeTables(database).vouchers.unexpiredIds(1, 2, 'a', 500));
  const steps = await database.read.raw<{ detail: string }[]>(
    `explain query plan ${asked!.sql}`,
    asked!.bindings,
  );
  expect(steps.map(({ detail }) => detail)).toEqual([
    'SEARCH vouchers USING INDEX vouchers_unexpired (controller_id=? AND site_id=? AND controller_voucher_id>?)',
  ]);
  await database.close();
  await own.drop();
});

test('SQLite reads a page of the audit log from the index of its times, without sorting', async () => {
  const own = await makeSqliteDatabase();
  const database = openDatabase(own.url);
  const [asked] = await queriesOf(database, () =>
    makeTables(database).auditLog.newest({ from: 1 }, { at: 5, id: 7 }, 50),
  );
  const steps = await database.read.raw<{ detail: string }[]>(
    `explain query plan ${asked!.sql}`,
    asked!.bindings,
  );
  expect(steps.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^SEARCH audit_log USING INDEX audit_log_by_time/),
  ]);
  await database.close();
  await own.drop();
});
