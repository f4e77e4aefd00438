// Copies 200,000 vouchers from SQLite to PostgreSQL and back, killed once each way, and counts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startPostgresServer } from '../../scripts/lib/postgresServer.js';
import { formatTable } from '../../scripts/lib/textTable.js';
import { makeTables } from '../../src/app/tables.js';
import { openDatabase } from '../../src/database/database.js';
import { migrate } from '../../src/database/migrator.js';
import { packageRoot } from '../../src/lib/packageRoot.js';
import { seedVouchers } from './search/cases.js';

// Copies many vouchers from SQLite to PostgreSQL and back with the built program, which is killed once each way, and
// compares what comes out.

const vouchers = Number(process.env['VOUCHERS'] ?? 200_000);

type PrintedResult = readonly { readonly table: string; readonly rows: number }[];

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

/** Runs `database copy`, and kills it as soon as the target has so many megabytes. */
const runCopy = async (
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  measureMb: () => Promise<number>,
  killAtMb = Number.POSITIVE_INFINITY,
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
    if (killAtMb < Number.POSITIVE_INFINITY && (await measureMb()) >= killAtMb) child.kill('SIGKILL');
  }
  await closed;
  return { status: child.exitCode, signal: child.signalCode, out, err, peakMb };
};

const megabyte = 1024 * 1024;

/** The session is not voucherd's, so that it does not count as a service. */
const measurePostgres = async (url: string): Promise<number> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ size: string }>(
      'select pg_database_size(current_database()) as size',
    );
    return Number(rows[0]?.size ?? 0) / megabyte;
  } finally {
    await client.end();
  }
};

/** What is not committed is in the file beside it. */
const measureSqlite = (file: string): Promise<number> =>
  Promise.resolve((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) / megabyte);

/** Far below what the vouchers take, and above what empty tables do. */
const killAtMb = 30 + vouchers / 10_000;

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
  const env = { DATA_DIR: folder, DATABASE_URL: url };
  const rows = [['direction', 'run', 'ended', 'peak memory']];
  const results: string[] = [];
  let isFine = true;
  for (const [direction, argv, measureMb] of [
    ['SQLite to PostgreSQL', ['--from', file], () => measurePostgres(url)],
    ['PostgreSQL to SQLite', ['--to', back], () => measureSqlite(back)],
  ] as const)
    for (const [index, killAt] of [killAtMb, undefined].entries()) {
      const began = performance.now();
      const run = await runCopy(argv, env, measureMb, killAt);
      const seconds = ((performance.now() - began) / 1000).toFixed(0);
      const result = run.status === 0 ? (JSON.parse(run.out) as PrintedResult) : undefined;
      const copied = result?.reduce((sum, table) => sum + table.rows, 0);
      const outcome = result
        ? `${String(copied)} rows in ${String(result.length)} tables`
        : (run.signal ?? `status ${String(run.status)}`);
      rows.push([direction, String(index + 1), `${outcome}, ${seconds} s`, `${String(run.peakMb)} MB`]);
      isFine &&= killAt === undefined ? result !== undefined : run.signal === 'SIGKILL';
      if (killAt === undefined && !result) console.log(run.err);
      if (result) results.push(JSON.stringify(result));
    }
  console.log(formatTable(rows));
  const [there, andBack] = [(await stat(file)).size, (await stat(back)).size];
  console.log(`\nthe file: ${String(there)} bytes before, ${String(andBack)} bytes after the way back`);
  const isSame = results.length === 2 && results[0] === results[1];
  console.log(`the same rows on both ways: ${isSame ? 'yes' : 'NO'}`);
  process.exitCode = isFine && isSame ? 0 : 1;
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
