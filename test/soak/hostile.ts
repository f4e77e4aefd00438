import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { formatTable } from '../../scripts/lib/textTable.js';
import { runCommand, startServiceProcess } from '../../scripts/lib/serviceProcess.js';

// Ten thousand requests of hostile clients, beside one that asks for /healthz every 10 ms: how long that one waited, which
// answers the others got, and how much memory the service used.

const requests = Number(process.env['REQUESTS'] ?? 10_000);
const atATime = 32;
const quietMs = 3_000;
/** A hostile client without an answer disconnects after this time. */
const patienceMs = 2_000;
const kib64 = 64 * 1024;

interface Attack {
  readonly title: string;
  /** What is written, on its own connection. */
  bytes(key: string): string;
  /** The number of requests in it. */
  readonly count?: number;
  /** Never reads the answers. */
  readonly deaf?: boolean;
}

const head = (line: string, headers: readonly string[] = []): string =>
  [line, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');

const post = (key: string, body: string): string =>
  head('POST /vouchers.php HTTP/1.1', [
    `Authorization: Bearer ${key}`,
    `Content-Length: ${String(Buffer.byteLength(body))}`,
  ]) + body;

const digits = '1'.repeat(60_000);
const keepAlive = (path: string, headers: readonly string[] = []): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');

const attacks: readonly Attack[] = [
  { title: 'long digits, site_id', bytes: (key) => post(key, `{"site_id":"${digits}x","name":"a"}`) },
  {
    title: 'long digits, qos',
    bytes: (key) => post(key, `{"site_id":9,"name":"a","qos":{"down":"${digits}."}}`),
  },
  {
    title: 'long digits, query',
    bytes: (key) =>
      head(`GET /vouchers.php?site_id=${'1'.repeat(15_000)}x HTTP/1.1`, [`Authorization: Bearer ${key}`]),
  },
  { title: 'long name', bytes: (key) => post(key, JSON.stringify({ site_id: 1, name: 'ä'.repeat(30_000) })) },
  { title: 'blanks for a name', bytes: (key) => post(key, `{"site_id":1,"name":"${' '.repeat(60_000)}"}`) },
  { title: 'deep JSON', bytes: (key) => post(key, '['.repeat(kib64 - 1)) },
  { title: 'deep objects', bytes: (key) => post(key, '{"qos":'.repeat(9_000)) },
  { title: 'too large a body', bytes: (key) => post(key, 'x'.repeat(2 * kib64)) },
  { title: 'odd method', bytes: () => head('FOO /vouchers.php HTTP/1.1') },
  { title: 'lower-case method', bytes: () => head('post /vouchers.php HTTP/1.1') },
  { title: 'CONNECT', bytes: () => head('CONNECT /vouchers.php HTTP/1.1') },
  { title: 'long method', bytes: () => head(`${'A'.repeat(10_000)} /vouchers.php HTTP/1.1`) },
  { title: 'slashes', bytes: () => head(`GET ${'/'.repeat(15_000)}vouchers.php HTTP/1.1`) },
  { title: 'percent signs', bytes: () => head(`GET /${'%'.repeat(15_000)} HTTP/1.1`) },
  {
    title: 'blanks in Authorization',
    bytes: () => head('GET /sites.php HTTP/1.1', [`Authorization: Bearer ${' '.repeat(15_000)}x y`]),
  },
  {
    title: 'long Host',
    bytes: () => ['GET /openapi.php HTTP/1.1', `Host: ${'a.'.repeat(7_000)}-`, '', ''].join('\r\n'),
  },
  { title: 'no HTTP', bytes: () => `${'\u0016\u0003\u0001'.repeat(500)}\r\n\r\n` },
  { title: 'half a request', bytes: () => 'GET /sites.php HTTP/1.1\r\nHost: local' },
  {
    title: 'pipelining, never reads',
    bytes: () => keepAlive('/openapi.php').repeat(100),
    count: 100,
    deaf: true,
  },
  {
    title: 'pipelining lists, never reads',
    bytes: (key) => keepAlive('/vouchers.php?site_id=1', [`X-API-Key: ${key}`]).repeat(100),
    count: 100,
    deaf: true,
  },
  {
    title: 'large file, never reads',
    bytes: () => keepAlive('/docs/swagger-ui-bundle.js').repeat(10),
    count: 10,
    deaf: true,
  },
];

const statusOf = (bytes: Buffer): string =>
  /^HTTP\/1\.1 (\d{3})/.exec(bytes.subarray(0, 16).toString('latin1'))?.[1] ?? 'none';

const attack = (url: string, key: string, { bytes, deaf = false }: Attack): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const chunks: Buffer[] = [];
    const socket: Socket = connect(Number(port), hostname, () => socket.write(bytes(key)));
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    if (deaf) socket.pause();
    else socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(deaf ? 'not read' : statusOf(Buffer.concat(chunks)));
    });
  });

const residentMb = (pid: number): number => {
  const [, pages = '0'] = readFileSync(`/proc/${String(pid)}/statm`, 'utf8').split(' ');
  return (Number(pages) * 4096) / 1024 ** 2;
};

interface Figures {
  readonly waits: readonly number[];
  readonly failures: number;
}

const describeWaits = ({ waits, failures }: Figures): string => {
  const sorted = [...waits].sort((a, b) => a - b);
  const at = (part: number): string => (sorted[Math.floor((sorted.length - 1) * part)] ?? NaN).toFixed(1);
  return `${String(waits.length)} answers, ${String(failures)} failed; median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
};

const folder = await mkdtemp(join(tmpdir(), 'voucherd-hostile-'));
const env = { DATA_DIR: folder, LOG_LEVEL: 'warn' };
try {
  await runCommand(['migrate'], env);
  const key = await runCommand(
    ['key', 'create', '--name', 'Last', '--scope', 'write', '--rate-limit', '0'],
    env,
  );
  await runCommand(['controller', 'add', '--name', 'simuliert', '--kind', 'simulated'], env);
  await runCommand(['site', 'add', '--name', 'Hauptgebäude', '--controller', 'simuliert'], env);
  const service = await startServiceProcess(env, join(folder, 'service.log'));
  const probe = new Worker(new URL('./hostile/healthzProbe.js', import.meta.url), {
    workerData: service.url,
  });
  const figures = async (message: 'next' | 'stop'): Promise<Figures> => {
    const answer = once(probe, 'message');
    probe.postMessage(message);
    return ((await answer) as [Figures])[0];
  };
  for (let count = 0; count < 200; count++)
    await fetch(`${service.url}/vouchers.php`, {
      method: 'POST',
      headers: { 'X-API-Key': key },
      body: JSON.stringify({ site_id: 1, name: `Gast ${String(count)}` }),
    });
  await figures('next');
  await sleep(quietMs);
  const quiet = await figures('next');
  const quietMb = residentMb(service.pid);

  let peakMb = quietMb;
  const watch = setInterval(() => (peakMb = Math.max(peakMb, residentMb(service.pid))), 100);
  const statuses = new Map<Attack, Map<string, number>>();
  let sent = 0;
  let next = 0;
  const lane = async (): Promise<void> => {
    while (sent < requests) {
      const chosen = attacks[next++ % attacks.length];
      if (!chosen) return;
      sent += chosen.count ?? 1;
      const status = await attack(service.url, key, chosen);
      const counts = statuses.get(chosen) ?? new Map<string, number>();
      statuses.set(chosen, counts.set(status, (counts.get(status) ?? 0) + 1));
    }
  };
  await Promise.all(Array.from({ length: atATime }, lane));
  const loaded = await figures('next');
  clearInterval(watch);
  await sleep(quietMs);
  const after = await figures('stop');
  const afterMb = residentMb(service.pid);
  const ended = await service.stop();

  const rows = attacks.map((one) => [
    one.title,
    [...(statuses.get(one) ?? [])].map(([status, count]) => `${String(count)} × ${status}`).join(', '),
  ]);
  console.log(`${formatTable([['what was sent', 'answers'], ...rows])}\n`);
  console.log(`${String(sent)} requests, ${String(atATime)} connections at a time`);
  console.log(`/healthz before: ${describeWaits(quiet)}`);
  console.log(`/healthz beside: ${describeWaits(loaded)}`);
  console.log(`/healthz after:  ${describeWaits(after)}`);
  console.log(
    `memory: ${quietMb.toFixed(0)} MB before, ${peakMb.toFixed(0)} MB at most, ${afterMb.toFixed(0)} MB after`,
  );
  console.log(`the service ended with status ${String(ended)}`);
  process.exitCode = loaded.failures + after.failures === 0 && ended === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
