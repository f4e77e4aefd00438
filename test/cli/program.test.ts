import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../src/database/database.js';
import { makeTables } from '../../src/app/tables.js';
import { root } from '../support/built.js';
import { run, startProgram, type Program } from '../support/cli.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { send } from '../support/service.js';
import { until } from '../support/until.js';

let folder: TestFolder;
let env: Record<string, string>;
let key: string;
let database: Database;
const started: Program[] = [];
beforeAll(async () => {
  folder = await makeFolder();
  env = { DATA_DIR: folder.path, PORT: '0', CONTROLLER_DEADLINE_S: '60' };
  key = (await run(['key', 'create', '--name', 'Rezeption', '--scope', 'write', '--yes'], env)).out.trim();
  database = openDatabase(`sqlite:${folder.path}/voucherd.sqlite`);
});
afterEach(async () => {
  for (const program of started.splice(0)) {
    program.process.kill('SIGKILL');
    await program.ended;
  }
  await database.write('intents').delete();
});
afterAll(async () => {
  await database.close();
  await folder.remove();
});

/** Starts a command that does not outlive its test. */
const start = (argv: readonly string[], values: Record<string, string> = {}): Program => {
  const program = startProgram(argv, { ...env, ...values });
  started.push(program);
  return program;
};

/** Adds a site whose controller takes this long, and returns its id. */
const addSite = async (latencyMs: number): Promise<number> => {
  const name = `Konsole ${latencyMs} ${performance.now()}`;
  await run(
    ['controller', 'add', '--name', name, '--kind', 'simulated', '--latency-ms', String(latencyMs)],
    env,
  );
  return Number((await run(['site', 'add', '--name', 'Hauptgebäude', '--controller', name], env)).out);
};

/** Starts `serve` with an order in flight. */
const startWithOrder = async (latencyMs: number, values = {}) => {
  const siteId = await addSite(latencyMs);
  const program = start(['serve', '--json'], values);
  const url = await program.url();
  const answer = send(url, 'POST', '/vouchers.php', { key, body: { site_id: siteId, name: 'Berger' } });
  const outcome = answer.then(
    ({ status }) => status,
    () => 'connection lost' as const,
  );
  const { intents, vouchers } = makeTables(database);
  const recorded = () => vouchers.newest(siteId, 200);
  await until(
    'the order is in flight, or done already',
    async () => (await intents.all()).length + (await recorded()).length > 0,
  );
  return { program, outcome, recorded };
};

/** Checks that each line is a JSON object, and that none holds the key. */
const expectJsonLog = (out: string): void => {
  const lines = out.trim().split('\n');
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) expect(JSON.parse(line)).toBeInstanceOf(Object);
  expect(out).not.toContain(key);
};

describe.each([
  { title: 'SIGTERM', signals: ['SIGTERM'] },
  { title: 'SIGINT from the terminal, and SIGTERM for it from npm,', signals: ['SIGINT', 'SIGTERM'] },
] as const)('$title', ({ signals }) => {
  test('finishes what is in flight and ends with 0; its log is one JSON object per line', async () => {
    const { program, outcome, recorded } = await startWithOrder(1500);
    for (const signal of signals) program.process.kill(signal);
    expect(await outcome).toBe(201);
    const { out, ...ended } = await program.ended;
    // Where the first administrator is made is no line of the log.
    const err = expect.stringMatching(/^The web UI has no users yet[^]*\/first-start#token=\S{43}\n\n$/);
    expect(ended).toEqual({ status: 0, err });
    expect(await recorded()).toHaveLength(1);
    expectJsonLog(out);
  });
});

test('a second signal ends it at once', async () => {
  const { program, outcome } = await startWithOrder(600_000, { CONTROLLER_DEADLINE_S: '600' });
  program.process.kill('SIGTERM');
  await until('it stops', () => program.out().includes('stopping'));
  await until('it has ended', () => {
    program.process.kill('SIGTERM');
    return program.process.exitCode !== null;
  });
  expect(await outcome).toBe('connection lost');
  expect((await program.ended).status).toBe(130);
});

test('a controller that was given up does not keep the process from ending', async () => {
  const { program, outcome } = await startWithOrder(600_000, { CONTROLLER_DEADLINE_S: '1' });
  expect(await outcome).toBe(500);
  program.process.kill('SIGTERM');
  await until('it has ended', () => program.process.exitCode !== null);
  expect((await program.ended).status).toBe(0);
});

test('help that nobody reads to its end is no error', async () => {
  const child = spawn(process.execPath, ['scripts/voucherd.mjs', 'serve', '--help'], { cwd: root });
  child.stdout.destroy();
  const said = text(child.stderr);
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await said).toBe('');
});
