import { openDatabase } from '../../../src/database/database.js';
import { makeVoucherTable, type VoucherTable } from '../../../src/vouchers/voucherTable.js';
import type { LoadGenerator } from './loadGenerator.js';
import type { BenchOptions } from './options.js';
import { startVoucherd } from './processes.js';
import { sendFirstVariant, type BenchRequest } from './requests.js';
import { median, medianRatio } from './results.js';
import { listLength, siteCount } from './seed.js';
import { answerFaults, loadFaults } from './verification.js';
import type { DataCopy, SeededData } from './seededData.js';
import type { Workspace } from './workspace.js';

/** The list of one site, with so many vouchers in the table. */
export interface ListResult {
  readonly vouchers: number;
  /** Microseconds per answer, from the cached body. */
  readonly keptUs: number;
  /** Microseconds to read the list from the table, as after a change. */
  readonly rebuiltUs: number;
  /** Both as multiples of the same with the fewest vouchers. */
  readonly keptRatio: number;
  readonly rebuiltRatio: number;
  readonly faults: readonly string[];
}

interface Sized {
  readonly vouchers: number;
  readonly copy: DataCopy;
}

export interface ListBenchDeps {
  readonly workspace: Workspace;
  readonly generator: LoadGenerator;
  readonly request: BenchRequest;
  readonly data: SeededData;
  /** Numbers of vouchers, the smallest first. */
  readonly listSizes: readonly number[];
}

/** Measures the list over tables of different sizes, in turns. */
export const measureLists = async (deps: ListBenchDeps, options: BenchOptions): Promise<ListResult[]> => {
  const { data, listSizes } = deps;
  const sizes: Sized[] = [];
  for (const vouchers of listSizes) sizes.push({ vouchers, copy: await data.copy(vouchers) });
  const rebuilt = await measureRebuilt(sizes);
  const cached = await measureCached(deps, sizes, options);
  return sizes.map(({ vouchers }, index) => ({
    vouchers,
    keptUs: median(cached[index]?.times ?? []),
    rebuiltUs: rebuilt[index] ?? 0,
    keptRatio: medianRatio(cached[index]?.times, cached[0]?.times),
    rebuiltRatio: (rebuilt[index] ?? 0) / (rebuilt[0] ?? 0),
    faults: cached[index]?.faults ?? [],
  }));
};

interface CachedTimes {
  readonly times: number[];
  readonly faults: string[];
}

/** Over HTTP, with a voucherd of its own for each table. */
const measureCached = async (
  { workspace, generator, request }: ListBenchDeps,
  sizes: readonly Sized[],
  { rounds, seconds, warmUpSeconds }: BenchOptions,
): Promise<CachedTimes[]> => {
  const entrants = [];
  for (const { vouchers, copy } of sizes) {
    const server = await startVoucherd(workspace, copy);
    const answer = await sendFirstVariant(server.url, request);
    const note = (fault: string): string => `lists, ${vouchers}: ${fault}`;
    const faults = answerFaults(request, answer).map(note);
    entrants.push({
      server,
      note,
      faults,
      times: [] as number[],
      bodyLength: Buffer.byteLength(answer.body),
    });
    await generator.run(server.url, request, warmUpSeconds);
  }
  for (let round = 0; round < rounds; round++) {
    for (const { server, note, faults, times, bodyLength } of entrants) {
      const load = await generator.run(server.url, request, Math.min(seconds, 2));
      times.push(1e6 / load.requestsPerSecond);
      faults.push(...loadFaults(load, bodyLength).map(note));
    }
  }
  for (const { server } of entrants) await server.stop();
  return entrants;
};

/** How often each site's list is read from each table. */
const rebuiltPasses = 10;

/**
 * From the table itself, through the same query as voucherd's. List by list in turns over the tables, so that what
 * slows the machine down for a moment slows all of them down; the first pass only fills the caches.
 */
const measureRebuilt = async (sizes: readonly Sized[]): Promise<number[]> => {
  const databases = sizes.map(({ copy }) => openDatabase(copy.databaseUrl));
  const tables = databases.map((database) => ({ table: makeVoucherTable(database), times: [] as number[] }));
  try {
    for (let pass = 0; pass <= rebuiltPasses; pass++) {
      for (let site = 1; site <= siteCount; site++) {
        for (const { table, times } of tables) {
          const time = await readList(table, site);
          if (pass > 0) times.push(time);
        }
      }
    }
  } finally {
    for (const database of databases) await database.close();
  }
  return tables.map(({ times }) => median(times));
};

/** Microseconds for one list. */
const readList = async (table: VoucherTable, site: number): Promise<number> => {
  const started = performance.now();
  const { length } = await table.newest(site, listLength);
  if (length !== listLength) throw new Error(`site ${site} has ${length} vouchers in its list`);
  return (performance.now() - started) * 1000;
};
