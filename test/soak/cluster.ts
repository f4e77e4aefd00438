// Four processes on one PostgreSQL under load, while processes are killed and connections fall silent.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startSilencingProxy, type SilencingProxy } from '../../simulators/silencingProxy.js';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { startPostgresServer } from '../../scripts/lib/postgresServer.js';
import { formatTable } from '../../scripts/lib/textTable.js';
import { runCommand, startServiceProcess, type ServiceProcess } from '../../scripts/lib/serviceProcess.js';

// Four processes on one PostgreSQL and two consoles, under load, while processes are killed, a backend of the database
// is stopped and connections to it fall silent. Afterwards the consoles, the records and the clients are compared.

const processes = 4;
const clientsPerProcess = 6;
const loadMs = Number(process.env['SECONDS'] ?? 60) * 1000;
const killEveryMs = 6_000;
const stopBackendAtMs = 15_000;
const stopBackendForMs = 20_000;
const silenceAtMs = [10_000, 28_000, 48_000];
const deadlineMs = 10_000;
const settleWithinMs = 120_000;
/** Independent of the speed of the machine. */
const mostOrders = 30_000;

interface Answered {
  readonly name: string;
  readonly kind: string;
  /** Undefined when the connection broke: the process was killed. */
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly text: string;
  readonly ms: number;
}

interface Check {
  readonly what: string;
  readonly count: number;
  readonly ok: boolean;
}

interface Site {
  readonly id: number;
  readonly kind: string;
}

const query = async <T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
};

/** Sets up both adapters, with a console each, by the commands that an operator would use. */
const prepare = async (
  env: Readonly<Record<string, string>>,
  [integration, classic]: readonly [UnifiConsole, UnifiConsole],
): Promise<{ key: string; sites: Site[] }> => {
  await runCommand(['migrate'], env);
  const key = await runCommand(
    ['key', 'create', '--name', 'Last', '--scope', 'write', '--rate-limit', '0'],
    env,
  );
  const add = async (kind: string, console: UnifiConsole, credentials: readonly string[]): Promise<Site> => {
    const trust = ['--url', console.url, '--fingerprint', console.fingerprint];
    await runCommand(['controller', 'add', '--name', kind, '--kind', kind, ...trust, ...credentials], {
      ...env,
      CONSOLE_SECRET: kind === 'unifi' ? console.apiKey : console.password,
    });
    const id = await runCommand(
      ['site', 'add', '--name', kind, '--controller', kind, '--controller-site', 'default'],
      env,
    );
    return { id: Number(id), kind };
  };
  return {
    key,
    sites: [
      await add('unifi', integration, ['--api-key-env', 'CONSOLE_SECRET']),
      await add('unifi-classic', classic, [
        '--username',
        classic.username,
        '--password-env',
        'CONSOLE_SECRET',
      ]),
    ],
  };
};

const order = async (url: string, key: string, site: Site, name: string): Promise<Answered> => {
  const started = performance.now();
  const answered = { name, kind: site.kind };
  try {
    const answer = await fetch(`${url}/vouchers.php`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}` },
      body: JSON.stringify({ site_id: site.id, name }),
    });
    const text = await answer.text();
    const { code } = JSON.parse(text) as { code?: string };
    return { ...answered, status: answer.status, code, text, ms: performance.now() - started };
  } catch {
    return {
      ...answered,
      status: undefined,
      code: undefined,
      text: '',
      ms: performance.now() - started,
    };
  }
};

/** Names that several orders share: they must be distinguished all the same. */
const sharedName = 'Gast';

const load = async (
  services: readonly (ServiceProcess | undefined)[],
  key: string,
  sites: readonly Site[],
  until: number,
): Promise<Answered[]> => {
  const answers: Answered[] = [];
  let count = 0;
  const client = async (index: number): Promise<void> => {
    while (performance.now() < until && count < mostOrders) {
      const service = services[index % processes];
      const number = count++;
      const site = sites[number % sites.length];
      if (!service || !site) {
        await sleep(50);
        continue;
      }
      const answered = await order(
        service.url,
        key,
        site,
        number % 5 === 0 ? sharedName : `Gast ${String(number)}`,
      );
      answers.push(answered);
      if (answered.status !== 201) await sleep(50);
    }
  };
  await Promise.all(Array.from({ length: processes * clientsPerProcess }, (_, index) => client(index)));
  return answers;
};

interface Disturbed {
  killed: number;
  stopped: number;
  silenced: number;
}

/** Kills, stops and silences on a schedule, until the load ends. */
const disturb = async (
  services: (ServiceProcess | undefined)[],
  start: (index: number) => Promise<ServiceProcess>,
  proxy: SilencingProxy,
  database: string,
  until: number,
): Promise<Disturbed> => {
  const disturbed: Disturbed = { killed: 0, stopped: 0, silenced: 0 };
  const began = performance.now();
  const at = async (ms: number, work: () => Promise<void>): Promise<void> => {
    if (began + ms >= until) return;
    await sleep(began + ms - performance.now());
    await work();
  };
  const kills = async (): Promise<void> => {
    for (let round = 1; ; round++) {
      if (began + round * killEveryMs >= until) return;
      await at(round * killEveryMs, async () => {
        // The last one is never killed, so that a restart cannot hide what it waits for in vain.
        const index = round % (processes - 1);
        const victim = services[index];
        services[index] = undefined;
        await victim?.kill();
        disturbed.killed += 1;
        services[index] = await start(index);
      });
    }
  };
  const stopBackend = (): Promise<void> =>
    at(stopBackendAtMs, async () => {
      const [backend] = await query<{ pid: number }>(
        database,
        `select pid from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid() and datname = current_database()
         order by state_change desc limit 1`,
      );
      if (!backend) return;
      process.kill(backend.pid, 'SIGSTOP');
      disturbed.stopped += 1;
      try {
        await sleep(stopBackendForMs);
      } finally {
        process.kill(backend.pid, 'SIGCONT');
      }
    });
  await Promise.all([
    kills(),
    stopBackend(),
    ...silenceAtMs.map((ms) =>
      at(ms, async () => {
        disturbed.silenced += proxy.silenceOpen(Math.ceil(proxy.open() / 2));
      }),
    ),
  ]);
  return disturbed;
};

const countOf = (texts: readonly string[]): string =>
  [...new Set(texts)]
    .sort()
    .map((text) => `${String(texts.filter((other) => other === text).length)} × ${text}`)
    .join(', ');

const folder = await mkdtemp(join(tmpdir(), 'voucherd-cluster-'));
const postgres = await startPostgresServer();
const proxy = await startSilencingProxy(postgres.url);
const consoles = [
  await startUnifiConsole({ variant: 'unifi-os', loginLimit: 1000 }),
  await startUnifiConsole({ variant: 'unifi-os', loginLimit: 1000 }),
] as const;
const services: (ServiceProcess | undefined)[] = [];
try {
  const env = {
    DATA_DIR: folder,
    SECRET_KEY: randomBytes(32).toString('hex'),
    DATABASE_URL: proxy.through(postgres.url),
    CONTROLLER_DEADLINE_S: String(deadlineMs / 1000),
    RECONCILE_INTERVAL_S: '1',
    RECONCILE_GRACE_S: '5',
    SYNC_INTERVAL_S: '5',
    LOG_LEVEL: 'warn',
  };
  const { key, sites } = await prepare(env, consoles);
  const start = (index: number): Promise<ServiceProcess> =>
    startServiceProcess(env, join(folder, `service-${String(index)}.log`));
  services.push(...(await Promise.all(Array.from({ length: processes }, (_, index) => start(index)))));

  const until = performance.now() + loadMs;
  const [answers, disturbed] = await Promise.all([
    load(services, key, sites, until),
    disturb(services, start, proxy, postgres.url, until),
  ]);

  const settleUntil = performance.now() + settleWithinMs;
  const open = async (): Promise<number> => {
    const [row] = await query<{ count: string }>(postgres.url, 'select count(*) as count from intents');
    return Number(row?.count);
  };
  while ((await open()) > 0 && performance.now() < settleUntil) await sleep(500);

  const recorded = await query<{ code: string; name: string }>(
    postgres.url,
    'select code, name from vouchers',
  );
  const [announced] = await query<{ count: string }>(
    postgres.url,
    'select count(*) as count from notifications',
  );
  const made = consoles.flatMap((console) => console.vouchers());
  const madeCodes = new Set(made.map(({ code }) => code));
  const recordedCodes = new Set(recorded.map(({ code }) => code));
  const created = answers.filter(({ status }) => status === 201);
  const madeNames = new Set(made.map(({ name }) => name.slice('2026-01-01_'.length)));
  // A 500 leaves open whether there is a voucher; any other refusal says that there is none.
  const refusedButMade = answers.filter(
    ({ status = 201, name }) => ![201, 500].includes(status) && name !== sharedName && madeNames.has(name),
  );
  // For orders that share a name only the counts can be compared.
  const shared = answers.filter(({ name }) => name === sharedName);
  const sharedMade = made.filter(({ name }) => name.endsWith(`_${sharedName}`)).length;
  const sharedToldOrCut = shared.filter(({ status = 201 }) => status === 201).length;
  const slowestMs = Math.max(...answers.map(({ ms }) => ms));
  const openIntents = await open();
  const none = (what: string, count: number): Check => ({ what, count, ok: count === 0 });
  const checks: readonly Check[] = [
    { what: 'vouchers on the consoles', count: made.length, ok: made.length > 0 },
    { what: 'recorded', count: recorded.length, ok: recorded.length === made.length },
    none('on a console and not recorded', made.filter(({ code }) => !recordedCodes.has(code)).length),
    none('recorded and on no console', recorded.filter(({ code }) => !madeCodes.has(code)).length),
    none('recorded twice', recorded.length - recordedCodes.size),
    none('notifications too many or too few', Math.abs(Number(announced?.count) - recorded.length)),
    none('answered 201 and not recorded', created.filter(({ code = '' }) => !recordedCodes.has(code)).length),
    none('one code answered twice', created.length - new Set(created.map(({ code }) => code)).size),
    none('refused although made', refusedButMade.length + Math.max(0, sharedMade - sharedToldOrCut)),
    none('intents left open', openIntents),
  ];
  const slow = slowestMs > deadlineMs + 1000;
  console.log(
    `${String(answers.length)} orders: ${countOf(answers.map(({ status }) => String(status ?? 'cut off by a kill')))}\n` +
      `${String(disturbed.killed)} kills, ${String(disturbed.stopped)} backend stopped for ${String(stopBackendForMs / 1000)} s, ` +
      `${String(disturbed.silenced)} connections silenced\n` +
      `slowest answer ${(slowestMs / 1000).toFixed(2)} s, allowed ${String(deadlineMs / 1000 + 1)} s${slow ? ': TOO SLOW' : ''}\n`,
  );
  const failures = answers.filter(({ status }) => status !== undefined && status >= 500);
  for (const text of new Set(failures.map(({ status, text: said }) => `${String(status)} ${said}`)))
    console.log(`  ${text}`);
  for (const { name, status, text } of refusedButMade.slice(0, 10))
    console.log(`  made, but ${String(status)}: ${name} ${text}`);
  console.log(
    `\n${formatTable([
      ['what', 'count', ''],
      ...checks.map(({ what, count, ok }) => [what, String(count), ok ? 'ok' : 'WRONG']),
    ])}`,
  );
  process.exitCode = checks.every(({ ok }) => ok) && !slow ? 0 : 1;
} finally {
  for (const service of services) await service?.kill();
  await Promise.all(consoles.map(({ stop }) => stop()));
  await proxy.close();
  await postgres.stop();
  if (process.env['KEEP'] === undefined) await rm(folder, { recursive: true, force: true });
  else console.log(`logs in ${folder}`);
}
