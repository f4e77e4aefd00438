import { beforeAll, expect, test } from '@jest/globals';
import { makeTables } from '../../src/app/tables.js';
import { nodeSystem } from '../../src/lib/system.js';
import { startProgram } from '../support/cli.js';
import { makePostgresDatabase, openPatiently } from '../support/databases.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { until } from '../support/until.js';
import { addEndedVouchers, countIn, expectNothingHalfRemoved } from './endedVouchers.js';
import { killProgram } from './program.js';

const folder = forAllTests(makeFolder, 'remove');
const own = forAllTests(makePostgresDatabase, 'drop');
const database = forAllTests(() => openPatiently(own.url), 'close');
beforeAll(async () => {
  const { controllers, sites } = makeTables(database);
  const now = nodeSystem.now();
  const controllerId = await controllers.add({ name: 'a', kind: 'simulated', settings: {} }, now);
  await sites.add({ name: 'Nord', active: true, controllerId, controllerSite: null }, now);
  await addEndedVouchers(database, 60);
});

const count = (query: string): Promise<number> => countIn(database, query);

/** The server process that waits for a lock. Other tests have other databases on the same server. */
const findWaiting = async (): Promise<number | undefined> => {
  const { rows } = await database.read.raw<{ rows: { pid: number }[] }>(
    "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.pid;
};

test('killed in the middle of a batch on PostgreSQL, the retention leaves nothing half removed and goes on', async () => {
  const env = {
    ...{ RETAIN_VOUCHERS_DAYS: '1', DATA_DIR: folder.path, DATABASE_URL: own.url },
    DATABASE_TIMEOUT_S: '600',
  };
  // It waits for this e-mail in a transaction that has removed others.
  const blocking = await database.write.transaction();
  await blocking('outbox').where({ voucher_id: 210 }).forUpdate().select('id');
  const program = startProgram(['retention', 'run'], env);
  const pid = await until('it waits', findWaiting);
  await killProgram(program);
  await blocking.rollback();
  await until('the server has ended its transaction', async () => {
    const { rows } = await database.read.raw<{ rows: unknown[] }>(
      'select 1 from pg_stat_activity where pid = ?',
      [pid],
    );
    return rows.length === 0;
  });
  const left = await count('vouchers');
  expect([left > 0, left <= 420]).toEqual([true, true]);
  await expectNothingHalfRemoved(database);
  // Its lease ends a minute later.
  await database.write('leases').update({ until: 0 });
  const { status } = await startProgram(['retention', 'run'], env).ended;
  expect(status).toBe(0);
  expect(await count('vouchers')).toBe(0);
  await expectNothingHalfRemoved(database);
});

test('an e-mail that comes into the outbox while vouchers are chosen keeps its voucher', async () => {
  await addEndedVouchers(database, 1);
  const [first = 0] = await database.read('vouchers').orderBy('id').pluck<number[]>('id');
  // The choice waits for this lock after it has begun, and does not see what comes meanwhile.
  const lock = 4711;
  for (const statement of [
    `create function wait_for_lock() returns boolean language sql
       as 'select pg_advisory_xact_lock_shared(${String(lock)}); select true'`,
    'alter table vouchers rename to all_vouchers',
    'create view vouchers as select * from all_vouchers where wait_for_lock()',
  ])
    await database.write.raw(statement);
  const blocking = await database.write.transaction();
  await blocking.raw('select pg_advisory_xact_lock(?)', [lock]);
  const bounds = { endedBefore: 1_000_000, createdBefore: 1_000_000 };
  const removing = makeTables(database).endedVouchers.remove(1, bounds, 100);
  await until('it waits', findWaiting);
  await database.write('outbox').insert({
    ...{ kind: 'email', key: 'new', voucher_id: first, message: '{"to":"a@example.org","language":"de"}' },
    ...{ state: 'waiting', tries: 0, at: 1, holds: false, created_at: 1 },
  });
  await blocking.rollback();
  expect(await removing).toMatchObject({ vouchers: 6 });
  expect(await database.read('all_vouchers').pluck('id')).toEqual([first]);
  expect(await database.read('outbox').where({ state: 'waiting' }).pluck('key')).toEqual(['new']);
});
