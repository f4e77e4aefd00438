import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { makeControllerRegistry, type ControllerRegistry } from '../../../src/controllers/registry.js';
import { makeMetrics, type Metrics } from '../../../src/metrics/metrics.js';
import { makeSiteDirectory } from '../../../src/controllers/siteDirectory.js';
import { openDatabase, type Database } from '../../../src/database/database.js';
import { makeTables, type Tables } from '../../../src/app/tables.js';
import { makeVoucherSync, syncTickMs, type VoucherSync } from '../../../src/vouchers/sync/voucherSync.js';
import { makeClock, type Clock } from '../../support/clock.js';
import { someControllerDeps } from '../../support/controllerDeps.js';
import { makeSqliteDatabase, type TestDatabase } from '../../support/databases.js';
import { makeFolder, type TestFolder } from '../../support/folder.js';
import { statementsOf } from '../../support/queryLog.js';
import { addSite, someRecord } from '../../support/records.js';

const intervalMs = 60_000;
const takeOverMs = 30_000;
const tickMs = syncTickMs(intervalMs);

let own: TestDatabase;
let folder: TestFolder;
let database: Database;
let tables: Tables;
let clock: Clock;
let registry: ControllerRegistry;
let metrics: Metrics;
let site: { siteId: number; controllerId: number };
let processes: Record<'one' | 'two', VoucherSync>;
beforeEach(async () => {
  [own, folder, clock] = [await makeSqliteDatabase(), await makeFolder(), makeClock()];
  database = openDatabase(own.url);
  tables = makeTables(database, clock);
  site = await addSite(tables);
  registry = makeControllerRegistry(someControllerDeps({ dataDir: folder.path }));
  metrics = makeMetrics();
  processes = { one: start('one'), two: start('two') };
});
const start = (owner: string, sites = makeSiteDirectory(tables, registry)): VoucherSync =>
  makeVoucherSync({
    tables,
    sites,
    system: { ...clock, randomBytes: (size) => Buffer.alloc(size) },
    metrics,
    log: pino({ level: 'silent' }),
    owner,
    intervalMs,
  });
afterEach(async () => {
  await Promise.all(Object.values(processes).map(({ stop }) => stop()));
  await registry.close();
  await database.close();
  metrics.stop();
  await own.drop();
  await folder.remove();
});

/** Records a voucher that the controller does not have: a pass sees that it is gone. */
const recordGone = () => tables.vouchers.record(someRecord(site));
const gone = async () =>
  (await tables.vouchers.newest(site.siteId, 100)).filter(({ status }) => status === 'expired').length;
const leaseOwner = async (): Promise<string | undefined> =>
  ((await database.read('leases').where({ name: `sync:${site.controllerId}` })) as { owner: string }[])[0]
    ?.owner;
/** The process looks what there is to do, as it does regularly, and what it begins ends. */
const tick = async (name: 'one' | 'two'): Promise<void> => {
  await processes[name].tick();
  await processes[name].idle();
};

test('the first tick acquires the lease and makes a pass', async () => {
  await recordGone();
  await tick('one');
  expect([await leaseOwner(), await gone()]).toEqual(['one', 1]);
});

test('the next pass comes an interval later', async () => {
  await tick('one');
  await recordGone();
  for (let passed = tickMs; passed < intervalMs - tickMs; passed += tickMs) {
    clock.advance(tickMs);
    await tick('one');
  }
  expect(await gone()).toBe(0);
  clock.advance(2 * tickMs);
  await tick('one');
  expect(await gone()).toBe(1);
});

test('a pass is made by one process at a time: the other makes none while the first keeps its lease', async () => {
  await tick('one');
  await recordGone();
  // Less than an interval, so that the first process makes none either.
  for (let passed = 0; passed < intervalMs - 2 * tickMs; passed += tickMs) {
    clock.advance(tickMs);
    await tick('two');
    await tick('one');
  }
  expect([await leaseOwner(), await gone()]).toEqual(['one', 0]);
  await processes.two.sync();
  expect(await gone()).toBe(0);
});

test('when that process dies, the other takes over within 30 seconds', async () => {
  await tick('one');
  await recordGone();
  for (let passed = tickMs; passed <= takeOverMs; passed += tickMs) {
    clock.advance(tickMs);
    await tick('two');
  }
  expect([await leaseOwner(), await gone()]).toEqual(['two', 1]);
});

test('a process that has lost its lease aborts its running pass', async () => {
  const sites = makeSiteDirectory(tables, registry);
  const hanging = async function* (): AsyncGenerator<never> {
    yield await new Promise<never>(() => undefined);
  };
  processes.one = start('one', {
    ...sites,
    controllers: async () =>
      (await sites.controllers()).map((controller) => ({
        ...controller,
        connect: () => ({ ...controller.connect(), list: hanging }),
      })),
  });
  await processes.one.tick();
  clock.advance(takeOverMs);
  await tick('two');
  expect(await leaseOwner()).toBe('two');
  // Otherwise it would be at it for ten minutes.
  await tick('one');
});

test('a pass that somebody asked for goes on although another process has the lease', async () => {
  await tick('two');
  await recordGone();
  const sites = makeSiteDirectory(tables, registry);
  let [release, begin] = [(): void => undefined, (): void => undefined];
  const released = new Promise<void>((resolve) => (release = resolve));
  const begun = new Promise<void>((resolve) => (begin = resolve));
  processes.one = start('one', {
    ...sites,
    controllers: async () =>
      (await sites.controllers()).map((controller) => ({
        ...controller,
        connect: () => {
          const connected = controller.connect();
          return {
            ...connected,
            list: async function* (...of: Parameters<typeof connected.list>) {
              begin();
              await released;
              yield* connected.list(...of);
            },
          };
        },
      })),
  });
  const asked = processes.one.syncNow(site.controllerId);
  await begun;
  await processes.one.tick();
  release();
  expect(await asked).toEqual({ changed: 0, gone: 1, failures: [] });
  expect(await leaseOwner()).toBe('two');
});

test('the lease of a stopped process is free at once', async () => {
  await tick('one');
  await recordGone();
  await processes.one.stop();
  expect(await leaseOwner()).toBeUndefined();
  await tick('two');
  expect([await leaseOwner(), await gone()]).toEqual(['two', 1]);
});

test('a process that is stopped starts no pass', async () => {
  await recordGone();
  await processes.one.stop();
  await tick('one');
  await processes.one.sync();
  expect(await gone()).toBe(0);
});

test('a clock that was set back delays no pass', async () => {
  await tick('one');
  await recordGone();
  clock.advance(-24 * 60 * 60_000);
  await tick('one');
  expect(await gone()).toBe(1);
});

test('the leases of a thousand controllers cost a few statements, and a process that has none only reads', async () => {
  const thousand = Array.from({ length: 1000 }, (_, index) => ({
    id: index + 1,
    name: `controller ${String(index + 1)}`,
    kind: 'simulated',
    controllerSites: [],
    connect: () => {
      throw new Error('it has no controller site');
    },
  }));
  const sites = {
    ...makeSiteDirectory(tables, registry),
    controllers: () => Promise.resolve(thousand),
  };
  processes = { one: start('one', sites), two: start('two', sites) };
  expect((await statementsOf(database, () => tick('one'))).length).toBeLessThanOrEqual(4);
  const asked = await statementsOf(database, () => tick('two'));
  expect(asked.length).toBeLessThanOrEqual(2);
  expect(asked.every((sql) => sql.startsWith('select'))).toBe(true);
  expect((await statementsOf(database, () => processes.one.stop())).length).toBeLessThanOrEqual(2);
});
