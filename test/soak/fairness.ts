// How long the requests of others take beside one user who asks for much, on both databases.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgresServer } from '../../scripts/lib/postgresServer.js';
import { runCommand, startServiceProcess } from '../../scripts/lib/serviceProcess.js';
import { formatNumericTable } from '../../scripts/lib/textTable.js';
import { percentile } from '../../tools/bench/src/results.js';
import { generateApiKey } from '../../src/apiKeys/apiKeys.js';
import { makeTables } from '../../src/app/tables.js';
import { openDatabase } from '../../src/database/database.js';
import { migrate } from '../../src/database/migrator.js';
import { nodeSystem } from '../../src/lib/system.js';
import { seedVouchers } from './search/cases.js';

// What one user who asks for much costs the others: how long their requests take beside that user, as multiples of the
// same without, in turns; and how long the longest turn of the event loop is, which all others wait for.

const vouchers = Number(process.env['VOUCHERS'] ?? 300_000);
const rounds = Number(process.env['ROUNDS'] ?? 5);
const roundMs = Number(process.env['ROUND_MS'] ?? 4000);
const databases = (process.env['DATABASES'] ?? 'sqlite,postgres').split(',');
/** Which kinds of greed are tried; all without it. */
const kinds = process.env['KINDS']?.split(',');
const atATime = 12;
const [minuteMs, dayMs] = [60_000, 86_400_000];
const password = 'richtig Pferd Batterie 47';

const dayOf = (daysAgo: number): string => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);

/** What somebody greedy asks for, each time a little different, so that no cache answers. */
const greedy: Readonly<Record<string, (turn: number) => string>> = {
  searches: (turn) => `/web/vouchers?text=z g 1 2 3 4 5 6 ${String(turn)}`,
  'searches for nobody': (turn) => `/web/vouchers?text=zimmer&createdBy=nobody${String(turn)}`,
  lists: (turn) => `/web/vouchers?rows=orders&sort=${['name', '-name', 'oldest'][turn % 3] ?? ''}`,
  files: (turn) => `/web/vouchers.csv?text=zimmer&siteId=${String(1 + (turn % 10))}`,
  reports: (turn) => `/web/reports?from=${dayOf(700 - (turn % 300))}&to=${dayOf(0)}&timeZone=UTC`,
  overview: (turn) => `/web/overview?days=${String(90 - (turn % 30))}&timeZone=UTC`,
};

/** What the others ask for, with the key of the API or in the pages. */
const others: Readonly<Record<string, (turn: number) => string>> = {
  start: () => '/web/start',
  search: (turn) => `/web/vouchers?text=gast${String(1000 + turn)}x`,
  list: (turn) => `/web/vouchers?siteId=${String(1 + (turn % 10))}`,
  overview: () => '/web/overview?days=14&timeZone=UTC',
  report: (turn) => `/web/reports?from=${dayOf(7 + (turn % 7))}&to=${dayOf(0)}&timeZone=UTC`,
  API: (turn) => `/vouchers.php?site_id=${String(1 + (turn % 10))}`,
};

type Times = ReadonlyMap<string, number[]>;

const noTimes = (): Times => new Map(Object.keys(others).map((name) => [name, []]));

interface Client {
  get(path: string): Promise<Response>;
}

const makeClient = (url: string, headers: Record<string, string>): Client => ({
  get: (path) => fetch(`${url}${path}`, { headers }),
});

const signIn = async (url: string, login: string): Promise<string> => {
  const answer = await fetch(`${url}/web/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
    body: JSON.stringify({ login, password }),
  });
  if (answer.status !== 200) throw new Error(`${login} can't sign in: ${await answer.text()}`);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
};

/** Asks for everything in turn, until the time has passed. */
const askAll = async (client: Client, ms: number, times: Times): Promise<void> => {
  const end = performance.now() + ms;
  for (let turn = 0; performance.now() < end; turn += 1)
    for (const [name, pathOf] of Object.entries(others)) {
      const began = performance.now();
      const answer = await client.get(pathOf(turn));
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${name}: ${String(answer.status)}`);
      times.get(name)?.push(performance.now() - began);
    }
};

/** Asks for the same all the time, and waits only where the service says so. Returns how often it did. */
const askGreedily = async (client: Client, pathOf: (turn: number) => string, signal: AbortSignal) => {
  const counts = { answered: 0, refused: 0 };
  let turn = 0;
  const ask = async (): Promise<void> => {
    while (!signal.aborted) {
      const answer = await client.get(pathOf((turn += 1)));
      await answer.arrayBuffer();
      const seconds = Number(answer.headers.get('retry-after'));
      if (answer.status === 503 && seconds > 0) {
        counts.refused += 1;
        await sleep(1000 * seconds);
      } else if (answer.status === 200) counts.answered += 1;
      else throw new Error(`${pathOf(turn)}: ${String(answer.status)}`);
    }
  };
  await Promise.all(Array.from({ length: atATime }, ask));
  return counts;
};

const seed = async (url: string): Promise<string> => {
  const database = openDatabase(url, { timeoutMs: 3_600_000 });
  try {
    await migrate(database);
    const tables = makeTables(database);
    const now = nodeSystem.now();
    const { key, prefix, hash } = generateApiKey(nodeSystem);
    const times = { createdAt: now, expiresAt: null };
    await tables.apiKeys.add({ name: 'Last', prefix, hash, scope: 'read', rateLimit: 0, ...times });
    await seedVouchers(database, tables, vouchers, now - vouchers * minuteMs);
    return key;
  } finally {
    await database.close();
  }
};

const shares = [0.5, 0.99];

/** The longest turn of the service's event loop since this was asked before. */
const readLongestTurnMs = async (page: Client): Promise<number> => {
  const text = await (await page.get('/metrics')).text();
  return 1000 * Number(/^\w*nodejs_eventloop_lag_max_seconds(?:\{.*\})? (\S+)$/m.exec(text)?.[1]);
};

/** Measures one kind of greed; the multiples of what each of the others' requests takes. */
const measure = async (
  clients: { readonly greedy: Client; readonly page: Client },
  pathOf: (turn: number) => string,
): Promise<{ cells: string[]; worst: number }> => {
  const [without, beside] = [noTimes(), noTimes()];
  const turns: [without: number[], beside: number[]] = [[], []];
  let [answered, refused] = [0, 0];
  await readLongestTurnMs(clients.page);
  for (let round = 0; round < rounds; round += 1) {
    await askAll(clients.page, roundMs, without);
    turns[0].push(await readLongestTurnMs(clients.page));
    const end = new AbortController();
    const asked = askGreedily(clients.greedy, pathOf, end.signal);
    await askAll(clients.page, roundMs, beside);
    turns[1].push(await readLongestTurnMs(clients.page));
    end.abort();
    const counts = await asked;
    answered += counts.answered;
    refused += counts.refused;
  }
  const all = (times: Times): number[] => [...times.values()].flat();
  const multiples = (name: string | undefined): number[] => {
    const of = (times: Times) => (name === undefined ? all(times) : (times.get(name) ?? []));
    return shares.map((share) => percentile(of(beside), share) / percentile(of(without), share));
  };
  const total = multiples(undefined);
  const cells = [...Object.keys(others).map(multiples), total].map((each) =>
    each.map((multiple) => multiple.toFixed(1)).join(' / '),
  );
  const base = shares.map((share) => percentile(all(without), share).toFixed(1)).join(' / ');
  const longest = turns.map((each) => percentile(each, 0.5).toFixed(0)).join(' / ');
  return { cells: [...cells, base, longest, String(answered), String(refused)], worst: Math.max(...total) };
};

const folder = await mkdtemp(join(tmpdir(), 'voucherd-fairness-'));

const show = async (name: string, url: string): Promise<boolean> => {
  const key = await seed(url);
  const env = {
    ...{ DATABASE_URL: url, DATA_DIR: folder, LOG_LEVEL: 'warn', PASSWORD: password },
    // The simulated controller has none of the seeded vouchers, and would report them as gone.
    SYNC_INTERVAL_S: '0',
  };
  for (const user of ['Greedy', 'Other'])
    await runCommand(
      ['user', 'create', '--name', user, '--role', 'admin', '--password-env', 'PASSWORD'],
      env,
    );
  const service = await startServiceProcess(env, join(folder, `${name}.log`));
  const rows = [
    ['beside', ...Object.keys(others), 'all', 'all without, ms', 'longest turn, ms', 'answered', 'refused'],
  ];
  let worst = 0;
  try {
    const clients = {
      greedy: makeClient(service.url, { Cookie: await signIn(service.url, 'Greedy') }),
      page: makeClient(service.url, {
        Cookie: await signIn(service.url, 'Other'),
        Authorization: `Bearer ${key}`,
      }),
    };
    await askAll(clients.page, roundMs, noTimes());
    // The first request of an operation compiles its checks, once in the life of a process.
    for (const pathOf of Object.values(greedy)) await (await clients.greedy.get(pathOf(0))).arrayBuffer();
    for (const [kind, pathOf] of Object.entries(greedy)) {
      if (kinds?.includes(kind) === false) continue;
      const measured = await measure(clients, pathOf);
      rows.push([kind, ...measured.cells]);
      worst = Math.max(worst, measured.worst);
    }
  } finally {
    await service.stop();
  }
  process.stdout.write(
    `\n${name}, ${String(vouchers)} vouchers: median / p99 beside ${String(atATime)} requests of one user, as multiples\n` +
      `${formatNumericTable(rows)}\n`,
  );
  return worst <= 3;
};

try {
  const outcomes: boolean[] = [];
  if (databases.includes('sqlite'))
    outcomes.push(await show('SQLite', `sqlite:${join(folder, 'fairness.sqlite')}`));
  if (databases.includes('postgres')) {
    const server = await startPostgresServer();
    try {
      outcomes.push(await show('PostgreSQL', server.url));
    } finally {
      await server.stop();
    }
  }
  process.exitCode = outcomes.every(Boolean) ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
