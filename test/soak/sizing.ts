// What a row of each table costs on the disk, and what reads cost with many sites, on both databases.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgresServer } from '../../scripts/lib/postgresServer.js';
import { formatNumericTable } from '../../scripts/lib/textTable.js';
import { openDatabase, type Database } from '../../src/database/database.js';
import { seedEndedVouchers } from './retention/endedVouchers.js';
import { measureSites } from './sizing/manySites.js';
import { addSampleRows, sampledTables } from './sizing/sampleRows.js';

// What a row of each table costs on the disk, with its indexes, and what reads cost with few and with many sites, on both
// databases: docs/sizing.md has the figures.

const rows = Number(process.env['ROWS'] ?? 100_000);
const vouchers = Number(process.env['VOUCHERS'] ?? 1_000_000);
const [fewSites, manySites] = [100, 10_000];

interface TableSize {
  readonly rows: number;
  readonly bytes: number;
}

const measureTable = async ({ dialect, read }: Database, table: string): Promise<TableSize> => {
  const first = async (sql: string): Promise<number> => {
    const answer = (await read.raw(sql, [table])) as { value: number }[] | { rows: { value: number }[] };
    return (Array.isArray(answer) ? answer : answer.rows)[0]?.value ?? 0;
  };
  const counted = await read(table).first<{ count: number } | undefined>(read.raw('count(*) as count'));
  const bytes =
    dialect === 'postgres'
      ? await first('select pg_total_relation_size(cast(? as regclass)) as value')
      : await first(
          'select sum(pgsize) as value from dbstat where name in (select name from sqlite_master where tbl_name = ?)',
        );
  return { rows: counted?.count ?? 0, bytes };
};

/** Bytes per row by table, and for all tables by voucher. */
const measureDatabase = async (url: string): Promise<Map<string, number>> => {
  await seedEndedVouchers(url, { ended: rows, sites: 50 });
  const database = openDatabase(url, { timeoutMs: 3_600_000 });
  try {
    await addSampleRows(database, rows);
    const sizes = new Map<string, number>();
    for (const table of sampledTables) {
      const { rows: count, bytes } = await measureTable(database, table);
      sizes.set(table, bytes / count);
    }
    const { rows: vouchers } = await measureTable(database, 'vouchers');
    const words = await measureTable(database, 'voucher_words');
    sizes.set('search words of a voucher', words.bytes / vouchers);
    return sizes;
  } finally {
    await database.close();
  }
};

const showSites = async (name: string, urlOf: (name: string) => string): Promise<void> => {
  const few = await measureSites(urlOf('few'), { vouchers, sites: fewSites });
  const many = await measureSites(urlOf('many'), { vouchers, sites: manySites });
  const table = [
    [
      `${name}, ${String(vouchers)} vouchers`,
      `${String(fewSites)} sites`,
      `${String(manySites)} sites`,
      'ratio',
    ],
    ...[...few].map(([read, ms]) => {
      const other = many.get(read) ?? NaN;
      return [read, `${ms.toFixed(1)} ms`, `${other.toFixed(1)} ms`, (other / ms).toFixed(1)];
    }),
  ];
  process.stdout.write(`\n${formatNumericTable(table)}\n`);
};

const folder = await mkdtemp(join(tmpdir(), 'voucherd-sizing-'));
const server = await startPostgresServer();
try {
  const administration = openDatabase(server.url);
  for (const name of ['sizing', 'few', 'many']) await administration.write.raw(`create database ${name}`);
  await administration.close();
  const sqlite = await measureDatabase(`sqlite:${join(folder, 'sizing.sqlite')}`);
  const postgres = await measureDatabase(server.urlOf('sizing'));
  const table = [
    ['bytes per row, with indexes', 'SQLite', 'PostgreSQL'],
    ...[...sqlite].map(([name, bytes]) => [name, bytes.toFixed(0), (postgres.get(name) ?? NaN).toFixed(0)]),
  ];
  process.stdout.write(`${formatNumericTable(table)}\n`);
  await showSites('SQLite', (name) => `sqlite:${join(folder, name)}.sqlite`);
  await showSites('PostgreSQL', server.urlOf);
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
