// What each search costs among a million vouchers, on both databases.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Database } from '../../src/database/database.js';
import { migrate } from '../../src/database/migrator.js';
import { makeTables, type Tables } from '../../src/app/tables.js';
import { startPostgresServer } from '../../scripts/lib/postgresServer.js';
import { formatTable } from '../../scripts/lib/textTable.js';
import {
  explainSearch,
  searchCases,
  searchedAt,
  searchPairs,
  seedVouchers,
  usualSearches,
  type SearchCase,
} from './search/cases.js';
import { countWork } from './search/work.js';

// Searches by each criterion and each pair of them among few and among many vouchers, on both databases: what a page of
// 100 costs, how much the database looks at for it, and which index answers.

const few = 10_000;
const many = Number(process.env['VOUCHERS'] ?? 1_000_000);
const rounds = Number(process.env['ROUNDS'] ?? 51);

interface Searched {
  readonly database: Database;
  readonly tables: Tables;
}

const prepare = async (url: string, count: number): Promise<Searched> => {
  const database = openDatabase(url, { timeoutMs: 1_800_000 });
  await migrate(database);
  const tables = makeTables(database);
  await seedVouchers(database, tables, count);
  return { database, tables };
};

/** The fastest of each, in turns: a machine that is busy makes any other longer. */
const compare = async (searched: readonly Searched[], [, criteria, before]: SearchCase) => {
  const times = searched.map(() => [] as number[]);
  let sizes: number[] = [];
  for (let round = 0; round < rounds + 5; round += 1)
    for (const [index, { tables }] of searched.entries()) {
      const began = performance.now();
      const found = await tables.voucherFinder.find(criteria, { before, limit: 100, now: searchedAt });
      if (round >= 5) times[index]?.push(performance.now() - began);
      sizes = [...sizes.slice(-1), found.vouchers.length];
    }
  return { fastest: times.map((own) => Math.min(...own)), sizes };
};

const show = async (name: string, searched: readonly [Searched, Searched]): Promise<boolean> => {
  const rows: string[][] = [];
  let isFine = true;
  for (const searchCase of [...searchCases, ...usualSearches, ...searchPairs]) {
    const [label, criteria, before] = searchCase;
    const { fastest, sizes } = await compare(searched, searchCase);
    const [small = 0, large = 0] = fastest;
    const ratio = large / small;
    const { indexes, readsWholeTable } = await explainSearch(searched[1].database, criteria, before);
    const work = await Promise.all(searched.map(({ database }) => countWork(database, searchCase)));
    const [smallRows = 0, largeRows = 0] = work.map(({ rows, pages = 0 }) => rows + pages);
    isFine &&= !readsWholeTable && sizes[0] === sizes[1] && ratio <= 1.5 && largeRows <= 1.5 * smallRows;
    rows.push([
      label,
      sizes.join(' / '),
      small.toFixed(2),
      large.toFixed(2),
      ratio.toFixed(2),
      `${String(smallRows)} / ${String(largeRows)}`,
      readsWholeTable ? 'NONE' : indexes.join(', '),
    ]);
  }
  const headings = [
    'criterion',
    'found',
    `ms at ${String(few)}`,
    `ms at ${String(many)}`,
    'ratio',
    'looked at',
    'index',
  ];
  process.stdout.write(`\n${name}\n\n${formatTable([headings, ...rows])}\n`);
  return isFine;
};

const folder = await mkdtemp(join(tmpdir(), 'voucherd-search-'));
const postgres = await startPostgresServer();
const opened: Searched[] = [];
const prepareBoth = async (urlOf: (count: number) => string): Promise<[Searched, Searched]> => {
  const both: [Searched, Searched] = [await prepare(urlOf(few), few), await prepare(urlOf(many), many)];
  opened.push(...both);
  return both;
};
try {
  const administration = openDatabase(postgres.url);
  for (const count of [few, many]) await administration.write.raw(`create database search_${String(count)}`);
  await administration.close();
  const outcomes = [
    await show('SQLite', await prepareBoth((count) => `sqlite:${join(folder, `${String(count)}.sqlite`)}`)),
    await show('PostgreSQL', await prepareBoth((count) => postgres.urlOf(`search_${String(count)}`))),
  ];
  process.exitCode = outcomes.every(Boolean) ? 0 : 1;
} finally {
  for (const { database } of opened) await database.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
