import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../src/database/database.js';
import { DatabaseTimeout } from '../../src/database/unavailable.js';
import { makeEmptyPostgresDatabase, withLimitedRole, type TestDatabase } from '../support/databases.js';
import { until } from '../support/until.js';

const limit = 3;
let own: TestDatabase;
const opened: Database[] = [];
// However slow the machine is: what is tested is that they wait.
const open = (poolMax?: number, timeoutMs = 60_000): Database => {
  const database = openDatabase(own.url, { timeoutMs, ...(poolMax !== undefined && { poolMax }) });
  opened.push(database);
  return database;
};
beforeEach(async () => {
  own = await withLimitedRole(await makeEmptyPostgresDatabase(), limit);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
  await own.drop();
});

const one = async ({ read }: Database): Promise<number> => {
  const { rows } = await read.raw<{ rows: { one: number }[] }>('select 1 as one, pg_sleep(0.005)');
  return rows[0]?.one ?? 0;
};

test('where the role has no connection left, one of those that exist is waited for', async () => {
  const processes = [open(), open()];
  for (const database of processes) expect(await one(database)).toBe(1);
  const all = await Promise.all(
    Array.from({ length: 60 }, (_, index) => one(processes[index % 2] ?? open())),
  );
  expect(all).toEqual(Array(60).fill(1));
});

test('no more connections are open than the pool may have', async () => {
  const database = open(2);
  let most = 0;
  const count = async (): Promise<void> => {
    const { rows } = await database.read.raw<{ rows: { count: number }[] }>(
      'select count(*)::int as count, pg_sleep(0.005) from pg_stat_activity where usename = current_user',
    );
    most = Math.max(most, rows[0]?.count ?? 0);
  };
  await Promise.all(Array.from({ length: 50 }, count));
  expect(most).toBeLessThanOrEqual(2);
});

test('a connection that is not used is left to others', async () => {
  const [greedy, late] = [open(), open()];
  await Promise.all(Array.from({ length: 20 }, () => one(greedy)));
  await until('the other gets one', async () => (await one(late)) === 1);
});

/** Takes so many connections, until what it returns is called. */
const hold = async (db: Database['read'], count: number): Promise<() => Promise<unknown>> => {
  const held = await Promise.all(Array.from({ length: count }, () => db.transaction()));
  return () => Promise.all(held.map((transaction) => transaction.rollback()));
};

test('scans wait for connections of their own, and never for what is short, nor that for them', async () => {
  const database = open(3);
  const releaseScan = await hold(database.scan, 1);
  const waiting = database.scan.raw<{ rows: unknown[] }>('select 1');
  // Knex runs a statement when it is waited for.
  const answered = waiting.then(({ rows }) => rows.length);
  const release = await hold(database.read, 2);
  expect(database.pools()).toMatchObject([
    { pool: 'main', used: 2, max: 2, waiting: 0 },
    { pool: 'scan', used: 1, max: 1, waiting: 1 },
  ]);
  await releaseScan();
  expect(await answered).toBe(1);
  await release();
});

test('scans that get no connection wait in vain, and the database stays available', async () => {
  const release = await hold(open(5).read, limit);
  const database = open(3, 1000);
  await expect(database.scan.raw('select 1')).rejects.toThrow(DatabaseTimeout);
  expect(database.isUnavailable).toBe(false);
  await release();
});
