// Lists and orders while a million vouchers that ended are removed, against without, on both databases.
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgresServer } from '../../scripts/lib/postgresServer.js';
import { startServiceProcess, type ServiceProcess } from '../../scripts/lib/serviceProcess.js';
import { formatNumericTable } from '../../scripts/lib/textTable.js';
import { median, percentile } from '../../tools/bench/src/results.js';
import { openDatabase } from '../../src/database/database.js';
import { seedEndedVouchers, type SeededService } from './retention/endedVouchers.js';
import { noTimes, runSteadyLoad, type LoadTimes } from './retention/steadyLoad.js';

// A service that removes vouchers that ended, beside one with a copy of its data that removes nothing: how long lists and
// orders take, in turns. The one that is not asked is suspended, so that they do not disturb each other.

const ended = Number(process.env['VOUCHERS'] ?? 1_000_000);
const sites = Number(process.env['SITES'] ?? 50);
/** At most so many turns; fewer when everything is removed before. */
const turns = Number(process.env['TURNS'] ?? 60);
const turnMs = Number(process.env['TURN_MS'] ?? 3000);
const rates = {
  listsPerSecond: Number(process.env['LISTS'] ?? 200),
  ordersPerSecond: Number(process.env['ORDERS'] ?? 30),
};
const databases = (process.env['DATABASES'] ?? 'sqlite,postgres').split(',');

const countEnded = async (url: string): Promise<number> => {
  const database = openDatabase(url, { timeoutMs: 600_000 });
  try {
    const row = await database
      .read('vouchers')
      .where('status', 'expired')
      .first<{ count: number } | undefined>(database.read.raw('count(*) as count'));
    return row?.count ?? 0;
  } finally {
    await database.close();
  }
};

const measures = (['lists', 'orders'] as const).flatMap((kind) =>
  [0.5, 0.99].map(
    (share) =>
      (times: LoadTimes): number =>
        percentile(times[kind], share),
  ),
);

const joinTurns = (turns: readonly LoadTimes[]): LoadTimes => ({
  lists: turns.flatMap(({ lists }) => lists),
  orders: turns.flatMap(({ orders }) => orders),
  failures: turns.reduce((sum, { failures }) => sum + failures, 0),
});

const describeTimes = (times: LoadTimes): string[] => [
  ...measures.map((measure) => `${measure(times).toFixed(1)} ms`),
  String(times.failures),
];

/** Of two turns next to each other; on a busy machine the median of them says more than the ratio of all times. */
const ratios = (removing: readonly LoadTimes[], idle: readonly LoadTimes[]): string[] =>
  measures.map((measure) =>
    median(
      removing.flatMap((times, turn) => {
        const beside = idle[turn];
        return beside ? [measure(times) / measure(beside)] : [];
      }),
    ).toFixed(2),
  );

interface Contestant {
  readonly service: ServiceProcess;
  /** One for each turn. */
  readonly turns: LoadTimes[];
}

/** Measures in turns until everything is removed. */
const measure = async (
  name: string,
  seeded: SeededService,
  folder: string,
  urls: { readonly removing: string; readonly idle: string },
): Promise<boolean> => {
  const start = async (role: keyof typeof urls): Promise<Contestant> => ({
    service: await startServiceProcess(
      {
        ...{ DATABASE_URL: urls[role], DATA_DIR: join(folder, role), LOG_LEVEL: 'warn' },
        // The simulated controller has none of the seeded vouchers, and would report them as gone.
        ...{ SYNC_INTERVAL_S: '0', DATABASE_TIMEOUT_S: '60' },
        RETAIN_VOUCHERS_DAYS: role === 'removing' ? '30' : '',
      },
      join(folder, `${name}-${role}.log`),
    ),
    turns: [],
  });
  const idle = await start('idle');
  process.kill(idle.service.pid, 'SIGSTOP');
  const removing = await start('removing');
  let [left, done, activeMs] = [ended, 0, 0];
  try {
    for (; done < turns && left > 0; done += 1)
      for (const contestant of [removing, idle]) {
        const other = contestant === idle ? removing : idle;
        process.kill(other.service.pid, 'SIGSTOP');
        process.kill(contestant.service.pid, 'SIGCONT');
        const began = performance.now();
        const times = noTimes();
        await runSteadyLoad(contestant.service.url, seeded, rates, turnMs, times);
        contestant.turns.push(times);
        if (contestant === removing) {
          activeMs += performance.now() - began;
          process.kill(contestant.service.pid, 'SIGSTOP');
          // Counting takes a while.
          if (done % 10 === 9) left = await countEnded(urls.removing);
        }
      }
    left = await countEnded(urls.removing);
  } finally {
    for (const { service } of [idle, removing]) {
      process.kill(service.pid, 'SIGCONT');
      await service.stop();
    }
  }
  const [without, beside] = [joinTurns(idle.turns), joinTurns(removing.turns)];
  const rows = [
    [name, 'lists p50', 'p99', 'orders p50', 'p99', 'failed'],
    ['without', ...describeTimes(without)],
    ['while it removes', ...describeTimes(beside)],
    ['ratio of all', ...measures.map((measure) => (measure(beside) / measure(without)).toFixed(2)), ''],
    ['median of the turns', ...ratios(removing.turns, idle.turns), ''],
  ];
  const removed = ended - left;
  process.stdout.write(
    `\n${formatNumericTable(rows)}\n${String(removed)} of ${String(ended)} vouchers removed in ${(activeMs / 1000).toFixed(0)} s under load: ` +
      `${(removed / (activeMs / 1000)).toFixed(0)} per second; ${String(done)} turns of ${String(turnMs)} ms each, ` +
      `${String(rates.listsPerSecond)} lists and ${String(rates.ordersPerSecond)} orders per second\n`,
  );
  return without.failures + beside.failures === 0 && removed > 0;
};

const folder = await mkdtemp(join(tmpdir(), 'voucherd-retention-'));
const outcomes: boolean[] = [];
try {
  for (const role of ['removing', 'idle']) await mkdir(join(folder, role));
  if (databases.includes('sqlite')) {
    const files = { removing: join(folder, 'removing.sqlite'), idle: join(folder, 'idle.sqlite') };
    const seeded = await seedEndedVouchers(`sqlite:${files.removing}`, { ended, sites });
    await copyFile(files.removing, files.idle);
    const urls = { removing: `sqlite:${files.removing}`, idle: `sqlite:${files.idle}` };
    outcomes.push(await measure('SQLite', seeded, folder, urls));
  }
  if (databases.includes('postgres')) {
    const server = await startPostgresServer({ isDurable: true });
    try {
      const administration = openDatabase(server.url, { timeoutMs: 3_600_000 });
      await administration.write.raw('create database removing');
      const seeded = await seedEndedVouchers(server.urlOf('removing'), { ended, sites });
      await administration.write.raw('create database idle template removing strategy file_copy');
      await administration.close();
      const urls = { removing: server.urlOf('removing'), idle: server.urlOf('idle') };
      outcomes.push(await measure('PostgreSQL', seeded, folder, urls));
    } finally {
      await server.stop();
    }
  }
  process.exitCode = outcomes.every(Boolean) ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
