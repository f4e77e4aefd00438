import { makeTables, type Tables } from '../../../src/app/tables.js';
import { listDays } from '../../../src/diagnostics/calendar.js';
import { openDatabase, type Database } from '../../../src/database/database.js';
import { migrate } from '../../../src/database/migrator.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { addVouchers } from '../retention/endedVouchers.js';

/** What is read of all sites at once. */
const reads: Readonly<Record<string, (tables: Tables, siteIds: readonly number[]) => Promise<unknown>>> = {
  'list of a site, not cached': (tables) => tables.vouchers.newest(1, 200),
  'directory of sites': (tables) => tables.sites.all(),
  'overview of 30 days': (tables, siteIds) =>
    tables.voucherStatistics.created(siteIds, listDays(nodeSystem.now(), 30, 'Europe/Berlin')),
  'valid vouchers by site': (tables, siteIds) => {
    const now = nodeSystem.now();
    return tables.voucherStatistics.usable(siteIds, { from: now, to: now });
  },
  'search for a rare word': (tables) =>
    tables.voucherFinder.find({ words: ['4711'] }, { limit: 100, now: nodeSystem.now() }),
  'what the retention looks for': async (tables) => {
    const bounds = { endedBefore: 0, createdBefore: () => 0 };
    for await (const site of tables.endedVouchers.sites(bounds)) void site;
  },
  'records of a site, counted by the sync': (tables) => tables.vouchers.count([1]),
};

const rounds = 5;

/** Fills a database with vouchers over many sites, and returns the milliseconds of each read: the fastest of a few. */
export const measureSites = async (
  url: string,
  { vouchers, sites }: { readonly vouchers: number; readonly sites: number },
): Promise<Map<string, number>> => {
  const database = openDatabase(url, { timeoutMs: 3_600_000 });
  try {
    await migrate(database);
    const tables = makeTables(database);
    const siteIds = await addSites(database, tables, sites);
    await addVouchers(database, {
      ...{ count: vouchers, sites, controllerId: 1, first: 0, status: 'expired' },
      oldest: nodeSystem.now() - vouchers * 1000,
    });
    await database.write.raw(database.dialect === 'postgres' ? 'vacuum analyze' : 'analyze');
    const times = new Map<string, number>();
    for (const [name, read] of Object.entries(reads)) {
      let fastest = Infinity;
      for (let round = 0; round < rounds; round++) {
        const began = performance.now();
        await read(tables, siteIds);
        fastest = Math.min(fastest, performance.now() - began);
      }
      times.set(name, fastest);
    }
    return times;
  } finally {
    await database.close();
  }
};

const addSites = async (
  { dialect, write }: Database,
  tables: Tables,
  count: number,
): Promise<readonly number[]> => {
  const now = nodeSystem.now();
  await tables.controllers.add({ name: 'a', kind: 'simulated', settings: {} }, now);
  if (dialect === 'sqlite') {
    await write.raw('pragma synchronous = off');
    await write.raw('pragma cache_size = -400000');
  }
  const numbers =
    dialect === 'postgres'
      ? 'select n from generate_series(1, cast(? as integer)) as counted (n)'
      : 'with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ?) select n from counted';
  await write.raw(
    `insert into sites (name, active, controller_id, created_at)
     select 'Haus ' || n, ${dialect === 'postgres' ? 'true' : '1'}, 1, ${String(now)} from (${numbers}) as samples`,
    [count],
  );
  return (await tables.sites.all()).map(({ id }) => id);
};
