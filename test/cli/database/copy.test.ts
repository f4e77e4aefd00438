import { randomBytes, randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { WebSchema } from '../../../handlers/web/handler.js';
import { startUnifiConsole, type UnifiConsole } from '../../../simulators/unifi/console.js';
import { copyCommand } from '../../../src/cli/database/copy.js';
import { exitStatusOf } from '../../../src/cli/exitStatus.js';
import type { Io } from '../../../src/cli/io.js';
import type { Signals } from '../../../src/lib/signals.js';
import { openDatabase } from '../../../src/database/database.js';
import { acquireServiceLock } from '../../../src/database/serviceLock.js';
import { markUnfinishedCopy } from '../../../src/database/unfinishedCopy.js';
import { expectOneLine, run, startProgram, type Program } from '../../support/cli.js';
import {
  makeEmptyPostgresDatabase,
  makePostgresDatabase,
  putSqliteDatabase,
  type TestDatabase,
} from '../../support/databases.js';
import { makeFolder, type TestFolder } from '../../support/folder.js';
import { fillEveryTable } from '../../support/sampleRows.js';
import { plantSecrets } from '../../support/secretLeaks.js';
import { startStallingProxy } from '../../support/stallingProxy.js';
import { executeSql } from '../../support/sqliteFile.js';
import { startService, type TestService } from '../../support/service.js';
import { makeBrowser, signInFirst } from '../../support/web.js';

let folder: TestFolder;
let postgres: TestDatabase;
beforeAll(async () => {
  [folder, postgres] = [await makeFolder(), await makeEmptyPostgresDatabase()];
});
afterAll(async () => {
  await postgres.drop();
  await folder.remove();
});

/** On a machine that is busy a small copy, too, takes long enough for a line of progress. */
const withoutProgress = (err: string): string => err.replace(/^(?:copying|comparing) .*\n/gm, '');

interface PrintedResult {
  readonly from: string;
  readonly to: string;
  readonly equal: boolean;
  readonly resumed: boolean;
  readonly tables: readonly { readonly table: string; readonly source: { readonly rows: number } }[];
}

describe('a service that moves from SQLite to PostgreSQL, and back into another file', () => {
  const apiKey = randomBytes(16).toString('hex');
  plantSecrets([apiKey]);
  let unifi: UnifiConsole;
  let service: TestService;
  beforeAll(async () => {
    unifi = await startUnifiConsole({ apiKey });
  });
  afterAll(async () => {
    await service.stop();
    await unifi.stop();
  });

  const start = async (databaseUrl?: string): Promise<void> => {
    const env = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
    service = await startService({ dataDir: folder.path, env });
  };

  test('keys, sessions, kiosk links, encrypted credentials and ids go on', async () => {
    await start();
    const key = await service.addKey();
    const admin = await signInFirst(service);
    const controller = {
      ...{ name: 'Konsole', kind: 'unifi', url: unifi.url, fingerprint: unifi.fingerprint },
      credentials: { apiKey },
    };
    const added = await admin.post('/controllers', controller);
    expect(added).toMatchObject({ status: 201 });
    const { id: controllerId } = added.body as { id: number };
    const siteId = await service.tables.sites.add(
      { name: 'Haus', active: true, controllerId, controllerSite: null },
      service.app.now(),
    );
    const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
    const profile = await admin.post('/profiles', { ...limits, name: 'Tagesgast', siteIds: null });
    const { id: profileId } = profile.body as { id: number };
    const kiosk = await admin.post('/kiosks', { siteId, profileId, perHour: 20, asksName: false });
    const token = (kiosk.body as WebSchema<'CreatedKiosk'>).path.split('#')[1] ?? '';
    const order = (name: string) => service.post('/vouchers.php', { site_id: siteId, name }, { key });
    const list = async () => (await service.get(`/vouchers.php?site_id=${String(siteId)}`, { key })).body;
    for (const name of ['Berger', 'Müller 🛜', 'O’Neil "x"']) expect((await order(name)).status).toBe(201);

    let expected = await list();
    const move = async (options: string[], env: Record<string, string>, url: string): Promise<void> => {
      await service.stop();
      const { status, out, err } = await run(['database', 'copy', ...options, '--json'], {
        DATA_DIR: folder.path,
        ...env,
      });
      expect({ status, err: withoutProgress(err) }).toEqual({ status: 0, err: '' });
      expect(JSON.parse(out)).toMatchObject({ equal: true, resumed: false });
      await start(url);
      expect(await list()).toEqual(expected);
      expect(await makeBrowser(service, admin.cookie).get('/session')).toMatchObject({
        status: 200,
        body: { name: 'Anna Berger' },
      });
      const tablet = makeBrowser(service);
      const headers = { 'X-Kiosk-Token': token };
      expect((await tablet.request('GET', '/kiosk', { headers })).status).toBe(200);
      const taken = await tablet.request('PUT', `/kiosk/orders/${randomUUID()}`, { headers, body: {} });
      expect(taken).toMatchObject({ status: 200, body: { code: expect.any(String) } });
      // The console gets the stored key, so it was decrypted.
      expect(await order('neu')).toMatchObject({ status: 201 });
      expected = await list();
    };
    await move(['--to-env', 'TARGET'], { TARGET: postgres.url }, postgres.url);
    const file = join(folder.path, 'back.sqlite');
    await move(['--to', file], { DATABASE_URL: postgres.url }, `sqlite:${file}`);
    const ids = await service.database.read('vouchers').orderBy('id').pluck('id');
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});

describe('a copy that is killed', () => {
  test.each([
    // The second page of a table, and a table further on.
    ['SQLite to PostgreSQL', [/insert into "site_logos"/, /insert into "voucher_words"/]],
    ['PostgreSQL to SQLite', [/from "site_logos" where/, /from "vouchers" order by/]],
  ] as const)('twice goes on, and is equal: %s', async (direction, statements) => {
    const isToPostgres = direction === 'SQLite to PostgreSQL';
    const [own, server] = [await makeFolder(), await makePostgresDatabase()];
    const file = join(own.path, 'voucherd.sqlite');
    if (isToPostgres) await putSqliteDatabase(own.path);
    const source = openDatabase(isToPostgres ? `sqlite:${file}` : server.url, { timeoutMs: 120_000 });
    await fillEveryTable(source, 25);
    await source.close();
    const places = isToPostgres
      ? ['--from', file, '--to-env', 'SERVER']
      : ['--from-env', 'SERVER', '--to', file];
    const start = (url: string): Program =>
      startProgram(['database', 'copy', '--json', ...places], { DATA_DIR: own.path, SERVER: url });
    for (const statement of statements) {
      const proxy = await startStallingProxy(server.url, statement);
      const { process: child, ended } = start(proxy.url);
      const outcome = await Promise.race([proxy.stalled, ended]);
      expect(outcome).toBeUndefined();
      child.kill('SIGKILL');
      await ended;
      await proxy.stop();
    }
    const { status, out, err } = await start(server.url).ended;
    expect({ status, err: withoutProgress(err) }).toEqual({
      status: 0,
      err: expect.stringMatching(/^continuing: [1-9]\d* rows were copied before\n$/),
    });
    expect(JSON.parse(out)).toMatchObject({ equal: true, resumed: true });
    await server.drop();
    await own.remove();
  });
});

describe('what is wrong is said in one line, and no password is shown', () => {
  const secret = 'geheim47';
  const copy = (argv: string[], env: Record<string, string> = {}) =>
    run(['database', 'copy', ...argv], { DATA_DIR: folder.path, ...env });

  const wrong: [what: string, argv: string[], env: Record<string, string>, line: string][] = [
    ['no target', [], {}, 'the target is missing: give --to FILE'],
    [
      'a password in an argument',
      ['--to', `postgres://uv:${secret}@127.0.0.1/x`],
      {},
      '--to must not hold the password',
    ],
    [
      'a password as a parameter',
      ['--to', `postgres://127.0.0.1/x?password=${secret}`],
      {},
      '--to must not hold the password',
    ],
    ['an address of something else', ['--to', `mysql://uv:${secret}@x/y`], {}, '--to: "…" is not allowed'],
    ['a broken address', ['--to-env', 'T'], { T: `postgres://uv:${secret}@[/x` }, '--to-env: "postgres:…"'],
    [
      'a server that does not run',
      ['--to-env', 'T'],
      { T: `postgres://uv:${secret}@127.0.0.1:1/x` },
      'PostgreSQL at 127.0.0.1:1 refuses connections: start it, or correct --to-env',
    ],
    ['two targets', ['--to', 'x', '--to-env', 'T'], { T: 'x' }, '--to and --to-env exclude each other'],
    [
      'no source',
      ['--from', '/nowhere/x.sqlite', '--to', 'x'],
      {},
      'there is no database in /nowhere/x.sqlite',
    ],
    ['a name that no file can have', ['--to', 'x'.repeat(65_536)], {}, 'no file can have this name'],
    ['an empty name', ['--to', ''], {}, '--to: "" is not allowed: it is empty'],
  ];

  test('of a place that is missing, or that can not be used', async () => {
    await putSqliteDatabase(folder.path);
    for (const [what, argv, env, line] of wrong) {
      const ended = await copy(argv, env);
      expectOneLine(ended, line);
      expect([what, ended.err.includes(secret), ended.err.length < 400]).toEqual([what, false, true]);
    }
  });

  test('the same database twice, also by another path', async () => {
    await putSqliteDatabase(folder.path);
    for (const to of [
      folder.path,
      `${folder.path}/../${folder.path.split('/').at(-1) ?? ''}/voucherd.sqlite`,
    ])
      expectOneLine(await copy(['--to', to]), 'source and target are the same database');
  });
});

test('doctor says that the database is an unfinished copy', async () => {
  const own = await makeFolder();
  await putSqliteDatabase(own.path);
  const database = openDatabase(`sqlite:${own.path}/voucherd.sqlite`);
  await markUnfinishedCopy(database.write, { identity: 'x', label: '/var/lib/voucherd/old.sqlite' });
  await database.close();
  const { out } = await run(['doctor', '--json'], { DATA_DIR: own.path });
  expect(JSON.parse(out)).toContainEqual({
    check: 'database',
    ok: false,
    message: expect.stringContaining('is an unfinished copy of /var/lib/voucherd/old.sqlite'),
    remedy: 'finish the copy, or name another database in DATABASE_URL',
  });
  await own.remove();
});

describe('what is refused changes nothing', () => {
  let own: TestFolder;
  beforeAll(async () => {
    own = await makeFolder();
    await putSqliteDatabase(own.path);
  });
  afterAll(() => own.remove());
  const database = (...argv: string[]) => run(['database', ...argv], { DATA_DIR: own.path });

  test('a comparison with a database that does not exist', async () => {
    const to = join(own.path, 'new', 'x.sqlite');
    const ended = await database('compare', '--to', to);
    expectOneLine(ended, `there is no database in ${to}: name one that exists with --to`);
    expect(ended.status).toBe(4);
    expect(existsSync(join(own.path, 'new'))).toBe(false);
  });

  test('a copy while a service uses the source', async () => {
    const release = await acquireServiceLock(`sqlite:${own.path}/voucherd.sqlite`);
    const ended = await database('copy', '--to', join(own.path, 'new', 'x.sqlite'));
    await release();
    expectOneLine(ended, /stop it first/);
    expect(existsSync(join(own.path, 'new'))).toBe(false);
  });

  test('a copy to a file of another program', async () => {
    const other = await makeFolder();
    const to = join(other.path, 'notes.txt');
    writeFileSync(to, 'Milch und Brot\n'.repeat(100));
    const ended = await database('copy', '--to', to);
    expect(ended.status).not.toBe(0);
    expect(readdirSync(other.path)).toEqual(['notes.txt']);
    expect(readFileSync(to, 'utf8')).toBe('Milch und Brot\n'.repeat(100));
    await other.remove();
  });

  test('a database of another program, in any place: it stays as it is, byte for byte', async () => {
    const other = await makeFolder();
    const file = join(other.path, 'notes.sqlite');
    await executeSql(file, 'create table notes (text)');
    const before = readFileSync(file);
    for (const argv of [
      ['copy', '--to', file],
      ['copy', '--restart', '--to', file],
      ['copy', '--from', file, '--to', join(other.path, 'new.sqlite')],
      ['compare', '--to', file],
      ['compare', '--from', file, '--to', own.path],
    ]) {
      const ended = await database(...argv);
      expectOneLine(ended, `${file} has tables of another program (notes): name a database of voucherd`);
      expect(ended.status).toBe(5);
    }
    expect(readdirSync(other.path)).toEqual(['notes.sqlite']);
    expect(readFileSync(file).equals(before)).toBe(true);
    await other.remove();
  });
});

test('a copy that is interrupted says so, and the same command continues it', async () => {
  const own = await makeFolder();
  await putSqliteDatabase(own.path);
  const source = openDatabase(`sqlite:${own.path}/voucherd.sqlite`);
  await fillEveryTable(source, 2);
  await source.close();
  const to = join(own.path, 'copy.sqlite');
  const io: Io = { env: { DATA_DIR: own.path }, out: () => undefined, err: () => undefined };
  const atOnce: Signals = {
    on: (signal, listener) => signal === 'SIGINT' && listener(),
    off: () => undefined,
  };
  const error: unknown = await copyCommand(io, { to }, atOnce).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ message: 'interrupted: run the same command again, it continues' });
  expect(exitStatusOf(error)).toBe(130);
  // A file that was copied is another database, as soon as something uses it.
  const sibling = join(own.path, 'sibling.sqlite');
  copyFileSync(`${own.path}/voucherd.sqlite`, sibling);
  const mixed = await run(['database', 'copy', '--from', sibling, '--to', to], { DATA_DIR: own.path });
  expectOneLine(
    mixed,
    `is an unfinished copy of ${own.path}/voucherd.sqlite, and ${sibling} is another database that was copied from there`,
  );
  expect(mixed.status).toBe(5);
  const again = await run(['database', 'copy', '--to', to], { DATA_DIR: own.path });
  expect(again).toMatchObject({ status: 0, err: expect.stringMatching(/^continuing: /) });
  const ended = await run(['database', 'compare', '--to', to], { DATA_DIR: own.path }, atOnce);
  expect(ended).toEqual({
    status: 130,
    out: '',
    err: 'voucherd: interrupted: not everything was compared, and nothing was changed\n',
  });
  await own.remove();
});

describe('what is printed', () => {
  let own: TestFolder;
  beforeAll(async () => {
    own = await makeFolder();
    await putSqliteDatabase(own.path);
    const source = openDatabase(`sqlite:${own.path}/voucherd.sqlite`);
    await fillEveryTable(source, 2);
    await source.close();
  });
  afterAll(() => own.remove());
  const database = (...argv: string[]) => run(['database', ...argv], { DATA_DIR: own.path });

  test('a table with the rows and the checksum of each, and what comes next', async () => {
    const { status, out, err } = await database('copy', '--to', join(own.path, 'copy.sqlite'));
    expect(status).toBe(0);
    expect(out).toMatch(/^table +source +target +checksum +result\n/);
    expect(out).toMatch(/^voucher_words +6 +6 +[0-9a-f]{16} +equal$/m);
    expect(withoutProgress(err)).toMatch(
      /^equal: \d+ rows in \d+ tables\nnext: let the service use .*copy\.sqlite, /,
    );
  });

  test('as JSON, with the whole checksums', async () => {
    const { status, out } = await database('compare', '--to', join(own.path, 'copy.sqlite'), '--json');
    expect(status).toBe(0);
    const result = JSON.parse(out) as PrintedResult;
    expect(result).toMatchObject({
      ...{ from: join(own.path, 'voucherd.sqlite'), to: join(own.path, 'copy.sqlite'), equal: true },
    });
    expect(result.tables.find(({ table }) => table === 'users')).toEqual({
      table: 'users',
      equal: true,
      source: { rows: 2, checksum: expect.stringMatching(/^[0-9a-f]{64}$/) },
      target: { rows: 2, checksum: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  test('what differs, with a status other than 0', async () => {
    const copied = openDatabase(`sqlite:${own.path}/copy.sqlite`);
    await copied.write('users').where({ id: 1 }).update({ name: 'anders' });
    await copied.close();
    const { status, out, err } = await database('compare', '--to', join(own.path, 'copy.sqlite'));
    expect({ status, err: withoutProgress(err) }).toEqual({
      status: 1,
      err: 'voucherd: source and target differ in users\n',
    });
    expect(out).toMatch(/^users +2 +2 +[0-9a-f]{16} +DIFFERENT [0-9a-f]{16}$/m);
  });

  test('to a finished copy nothing is copied again', async () => {
    const again = await database('copy', '--to', join(own.path, 'copy.sqlite'));
    expectOneLine(
      again,
      /the target is not empty, it has rows in api_keys\. Name an empty database; .* database compare /,
    );
  });
});
