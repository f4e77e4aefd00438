import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import sqlite3 from 'sqlite3';
import { startPostgresServer } from '../../scripts/lib/postgresServer.js';
import { formatTable } from '../../scripts/lib/textTable.js';
import { makeTables } from '../../src/app/tables.js';
import { openDatabase } from '../../src/database/database.js';
import { migrate } from '../../src/database/migrator.js';
import { packageRoot } from '../../src/lib/packageRoot.js';
import { seedVouchers } from './search/cases.js';

// Copies many vouchers from SQLite to PostgreSQL and back with the built program, which is killed twice each way, and
// compares what comes out.

const vouchers = Number(process.env['VOUCHERS'] ?? 200_000);

interface PrintedResult {
  readonly equal: boolean;
  readonly resumed: boolean;
  readonly tables: readonly {
    readonly table: string;
    readonly source: { readonly rows: number; readonly checksum: string };
  }[];
}

interface Run {
  readonly status: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
  readonly peakMb: number;
}

/** The largest memory of a process so far; 0 where /proc does not tell. */
const readPeakMb = (pid: number): number => {
  const file = `/proc/${String(pid)}/status`;
  const [, kb] = /VmHWM:\s+(\d+) kB/.exec(existsSync(file) ? readFileSync(file, 'utf8') : '') ?? [];
  return Math.round(Number(kb ?? 0) / 1024);
};

/** Runs `database copy`, and kills it as soon as it has copied so many rows. */
const runCopy = async (
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  countCopied: () => Promise<number>,
  killAt = Number.POSITIVE_INFINITY,
): Promise<Run> => {
  const program = [
    '--max-semi-space-size=4',
    '--heap-growing-percent=50',
    join(packageRoot, 'scripts/voucherd.mjs'),
  ];
  const child = spawn(process.execPath, [...program, 'database', 'copy', '--json', ...argv], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err, peakMb] = ['', '', 0];
  child.stdout.on('data', (chunk: Buffer) => void (out += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => void (err += String(chunk)));
  const closed = once(child, 'close');
  while (child.exitCode === null && child.signalCode === null) {
    await Promise.race([closed, pause(1000)]);
    peakMb = Math.max(peakMb, readPeakMb(child.pid ?? 0));
    if (killAt < Number.POSITIVE_INFINITY && (await countCopied()) >= killAt) child.kill('SIGKILL');
  }
  await closed;
  return { status: child.exitCode, signal: child.signalCode, out, err, peakMb };
};

const countSql = (number: string): string =>
  `select coalesce(sum(${number}), 0) as rows from unfinished_copy where name like 'table:%'`;

/** How many rows are copied. The sessions are not voucherd's, so that they do not count as a service. */
const countInPostgres = async (url: string): Promise<number> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ rows: string }>(
      countSql("cast(cast(value as json) ->> 'rows' as bigint)"),
    );
    return Number(rows[0]?.rows ?? 0);
  } catch {
    return 0;
  } finally {
    await client.end();
  }
};

const countInSqlite = async (file: string): Promise<number> => {
  if (!existsSync(file)) return 0;
  const database = new sqlite3.Database(file, sqlite3.OPEN_READONLY);
  const row = await new Promise<{ rows: number } | undefined>((resolve) => {
    database.get(countSql("value ->> 'rows'"), (_error, found: { rows: number } | undefined) => {
      resolve(found);
    });
  });
  await new Promise((resolve) => database.close(resolve));
  return row?.rows ?? 0;
};

const folder = await mkdtemp(join(tmpdir(), 'voucherd-copy-'));
const postgres = await startPostgresServer();
try {
  const [file, back] = [join(folder, 'voucherd.sqlite'), join(folder, 'back.sqlite')];
  const source = openDatabase(`sqlite:${file}`, { timeoutMs: 1_800_000 });
  await migrate(source);
  await seedVouchers(source, makeTables(source), vouchers);
  await source.close();
  const administration = openDatabase(postgres.url);
  await administration.write.raw('create database copied');
  await administration.close();
  const url = postgres.urlOf('copied');
  const env = { DATA_DIR: folder, SERVER: url };
  const rows = [['direction', 'run', 'continued at', 'ended', 'peak memory']];
  const checksums: string[] = [];
  let isFine = true;
  for (const [direction, argv, count] of [
    ['SQLite to PostgreSQL', ['--from', file, '--to-env', 'SERVER'], () => countInPostgres(url)],
    ['PostgreSQL to SQLite', ['--from-env', 'SERVER', '--to', back], () => countInSqlite(back)],
  ] as const) {
    // The words of a voucher are rows, too: five for each of these.
    for (const [index, killAt] of [2 * vouchers, 4 * vouchers, undefined].entries()) {
      const began = performance.now();
      const run = await runCopy(argv, env, count, killAt);
      const seconds = ((performance.now() - began) / 1000).toFixed(0);
      const continued = /continuing: (\d+)/.exec(run.err)?.[1] ?? '-';
      const result = run.status === 0 ? (JSON.parse(run.out) as PrintedResult) : undefined;
      const copied = result?.tables.reduce((sum, table) => sum + table.source.rows, 0);
      const outcome = result
        ? `${result.equal ? 'equal' : 'DIFFERENT'}: ${String(copied)} rows in ${String(result.tables.length)} tables`
        : (run.signal ?? `status ${String(run.status)}`);
      rows.push([
        direction,
        String(index + 1),
        continued,
        `${outcome}, ${seconds} s`,
        `${String(run.peakMb)} MB`,
      ]);
      isFine &&= killAt === undefined ? result?.equal === true && result.resumed : run.signal === 'SIGKILL';
      if (killAt === undefined && !result) console.log(run.err);
      if (result) checksums.push(JSON.stringify(result.tables.map((table) => table.source)));
    }
  }
  console.log(formatTable(rows));
  const [there, andBack] = [(await stat(file)).size, (await stat(back)).size];
  console.log(`\nthe file: ${String(there)} bytes before, ${String(andBack)} bytes after the way back`);
  const isSame = checksums.length === 2 && checksums[0] === checksums[1];
  console.log(`the same checksums on both ways: ${isSame ? 'yes' : 'NO'}`);
  process.exitCode = isFine && isSame ? 0 : 1;
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
