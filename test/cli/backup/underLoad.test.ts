import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readAllRows } from '../../support/allRows.js';
import { run, startProgram, type Program } from '../../support/cli.js';
import { putSqliteDatabase } from '../../support/databases.js';
import { makeFolder, type TestFolder } from '../../support/folder.js';

/** How many backups are made while orders run: one in `npm test`, many in `npm run soak -- backup`. */
const rounds = Number(process.env['BACKUP_ROUNDS'] ?? 1);
const clients = 4;

let folder: TestFolder;
const dataDir = () => join(folder.path, 'data');
const started: Program[] = [];
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(async () => {
  for (const { process } of started) process.kill('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
  await folder.remove();
});

const env = (data: string) => ({
  DATA_DIR: data,
  ADDRESS: 'https://hooks.example.org/services/x',
  PHRASE: 'vier Pferde ziehen leise',
});
const voucherd = async (data: string, ...argv: string[]): Promise<string> => {
  const ended = await run(argv, env(data));
  expect([argv, ended]).toEqual([argv, expect.objectContaining({ status: 0 })]);
  return ended.out.trim();
};

interface Service {
  readonly url: string;
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

const startService = async (data: string): Promise<Service> => {
  const settings = { PORT: '0', LOG_LEVEL: 'silent', SYNC_INTERVAL_S: '0', DATA_DIR: data };
  const service = startProgram(['serve', '--json'], settings);
  started.push(service);
  return {
    url: await service.url(),
    signal: (name) => void service.process.kill(name),
    stop: async () => {
      service.process.kill('SIGTERM');
      expect(await service.ended).toMatchObject({ status: 0 });
    },
  };
};

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const request = async (url: string, key: string, path: string, body?: object): Promise<Answer> => {
  const response = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${key}` },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** What a backup, restored, has to have in common with the database later: all of its vouchers, unchanged. */
const codesIn = async (data: string): Promise<Set<unknown>> =>
  new Set((await readAllRows(join(data, 'voucherd.sqlite')))['vouchers']?.map(({ code }) => code));

test('a backup under load, restored elsewhere, is equal: lists, keys, secrets and the next order', async () => {
  mkdirSync(dataDir());
  await putSqliteDatabase(dataDir());
  await voucherd(dataDir(), 'controller', 'add', '--name', 'Haus', '--kind', 'simulated');
  const site = await voucherd(dataDir(), 'site', 'add', '--name', 'Hauptgebäude', '--controller', 'Haus');
  const key = await voucherd(
    dataDir(),
    ...['key', 'create', '--name', 'Kasse', '--scope', 'write', '--rate-limit', '0'],
  );
  const service = await startService(dataDir());
  await voucherd(dataDir(), 'webhook', 'add', '--name', 'Chat', '--format', 'slack', '--url-env', 'ADDRESS');
  await voucherd(dataDir(), 'webhook', 'disable', 'Chat');

  const ordered: string[] = [];
  const failed: Answer[] = [];
  let isOver = false;
  const order = async (url: string): Promise<Answer> =>
    request(url, key, '/vouchers.php', { site_id: Number(site), name: 'Familie Berger' });
  const load = Array.from({ length: clients }, async () => {
    while (!isOver) {
      const answer = await order(service.url);
      if (answer.status === 201) ordered.push(String(answer.body['code']));
      else failed.push(answer);
    }
  });
  const taken: unknown[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = [...ordered];
    const file = join(folder.path, `${String(round)}.backup`);
    // A process of its own, as an operator runs it.
    const backup = await startProgram(['backup', file, '--json'], env(dataDir())).ended;
    expect(backup).toMatchObject({ status: 0, err: '' });
    const elsewhere = join(folder.path, `round-${String(round)}`);
    await voucherd(elsewhere, 'restore', file, '--key-file', join(dataDir(), 'secret.key'));
    const codes = await codesIn(elsewhere);
    taken.push(...((await readAllRows(join(elsewhere, 'voucherd.sqlite')))['vouchers'] ?? []));
    expect(before.filter((code) => !codes.has(code))).toEqual([]);
    const { rows } = JSON.parse(backup.out) as { rows: Record<string, number> };
    expect(codes.size).toBe(rows['vouchers']);
    rmSync(elsewhere, { recursive: true });
  }
  const last = join(folder.path, 'last.backup');
  isOver = true;
  await Promise.all(load);
  expect(failed).toEqual([]);
  expect(ordered.length).toBeGreaterThan(0);
  const list = await request(service.url, key, `/vouchers.php?site_id=${site}&limit=200`);
  // It runs, and does nothing: what is read afterwards is what the backup has read.
  service.signal('SIGSTOP');
  await voucherd(dataDir(), 'backup', last, '--with-key', '--pass-phrase-env', 'PHRASE');
  const stored = await readAllRows(join(dataDir(), 'voucherd.sqlite'));
  service.signal('SIGCONT');
  await service.stop();

  const elsewhere = join(folder.path, 'elsewhere');
  await voucherd(elsewhere, 'restore', last, '--pass-phrase-env', 'PHRASE');
  const restored = await readAllRows(join(elsewhere, 'voucherd.sqlite'));
  expect(restored).toEqual(stored);
  const recorded = new Set(stored['vouchers']?.map((voucher) => JSON.stringify(voucher)));
  expect(taken.filter((voucher) => !recorded.has(JSON.stringify(voucher)))).toEqual([]);
  expect(new Set(ordered)).toEqual(await codesIn(elsewhere));
  expect(readFileSync(join(elsewhere, 'secret.key'))).toEqual(readFileSync(join(dataDir(), 'secret.key')));

  const second = await startService(elsewhere);
  expect(await request(second.url, key, `/vouchers.php?site_id=${site}&limit=200`)).toEqual(list);
  expect((await order(second.url)).status).toBe(201);
  expect(await voucherd(elsewhere, 'webhook', 'list')).toContain('hooks.example.org');
  await second.stop();
});
