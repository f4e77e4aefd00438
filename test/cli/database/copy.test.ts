import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { WebSchema } from '../../../handlers/web/handler.js';
import { startUnifiConsole, type UnifiConsole } from '../../../simulators/unifi/console.js';
import type { Signals } from '../../../src/lib/signals.js';
import { openDatabase } from '../../../src/database/database.js';
import { expectOneLine, run, startProgram, type Program } from '../../support/cli.js';
import {
  makeEmptyPostgresDatabase,
  makePostgresDatabase,
  putSqliteDatabase,
} from '../../support/databases.js';
import { forAllTests } from '../../support/fixture.js';
import { makeFolder, type TestFolder } from '../../support/folder.js';
import { fillEveryTable } from '../../support/sampleRows.js';
import { plantSecrets } from '../../support/secretLeaks.js';
import { startStallingProxy } from '../../support/stallingProxy.js';
import { executeSql } from '../../support/sqliteFile.js';
import { startService, type TestService } from '../../support/service.js';
import { makeBrowser, signInFirst } from '../../support/web.js';

const folder = forAllTests(makeFolder, 'remove');
const postgres = forAllTests(makeEmptyPostgresDatabase, 'drop');

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
    const move = async (options: string[], url: string): Promise<void> => {
      await service.stop();
      const { status, out, err } = await run(['database', 'copy', ...options, '--json'], {
        DATA_DIR: folder.path,
        DATABASE_URL: postgres.url,
      });
      expect({ status, err }).toEqual({ status: 0, err: '' });
      expect(JSON.parse(out)).toContainEqual({ table: 'kiosks', rows: 1 });
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
    await move(['--from', folder.path], postgres.url);
    const file = join(folder.path, 'back.sqlite');
    await move(['--to', file], `sqlite:${file}`);
    const ids = await service.database.read('vouchers').orderBy('id').pluck('id');
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});

describe('a copy that is killed', () => {
  test.each([
    // Some tables are copied by then.
    ['SQLite to PostgreSQL', /insert into "users"/],
    ['PostgreSQL to SQLite', /select .* from "users"/],
  ] as const)('can be started again, and has everything: %s', async (direction, statement) => {
    const isToPostgres = direction === 'SQLite to PostgreSQL';
    const [own, server] = [
      await makeFolder(),
      await (isToPostgres ? makeEmptyPostgresDatabase() : makePostgresDatabase()),
    ];
    const file = join(own.path, 'voucherd.sqlite');
    if (isToPostgres) await putSqliteDatabase(own.path);
    const source = openDatabase(isToPostgres ? `sqlite:${file}` : server.url, { timeoutMs: 120_000 });
    await fillEveryTable(source, 25);
    await source.close();
    const start = (url: string): Program =>
      startProgram(['database', 'copy', '--json', isToPostgres ? '--from' : '--to', file], {
        DATA_DIR: own.path,
        DATABASE_URL: url,
      });
    const proxy = await startStallingProxy(server.url, statement);
    const { process: child, ended } = start(proxy.url);
    const outcome = await Promise.race([proxy.stalled, ended]);
    expect(outcome).toBeUndefined();
    child.kill('SIGKILL');
    await ended;
    await proxy.stop();
    const target = isToPostgres ? server.url : `sqlite:${file}`;
    const env = { DATA_DIR: own.path, DATABASE_URL: target };
    const served = await startProgram(['serve'], env).ended;
    expect(served).toMatchObject({ status: 5, err: expect.stringContaining('is an unfinished copy: run ') });
    const doctor = await run(['doctor', '--json'], env);
    expect(JSON.parse(doctor.out)).toContainEqual({
      check: 'database',
      ok: false,
      message: expect.stringContaining('is an unfinished copy: run '),
      remedy: 'finish the copy, or name another database in DATABASE_URL',
    });
    const { status, out, err } = await start(server.url).ended;
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const rows = new Set((JSON.parse(out) as { rows: number }[]).map((table) => table.rows));
    expect(rows).toEqual(new Set([25]));
    await server.drop();
    await own.remove();
  });
});

describe('what is wrong is said in one line, and changes nothing', () => {
  let own: TestFolder;
  beforeAll(async () => {
    own = await makeFolder();
    await putSqliteDatabase(own.path);
  });
  afterAll(() => own.remove());
  const secret = 'geheim47';
  const elsewhere = `postgres://uv:${secret}@127.0.0.1:1/x`;
  const copy = (argv: string[], url = elsewhere) =>
    run(['database', 'copy', ...argv], { DATA_DIR: own.path, DATABASE_URL: url });

  test('of what is named', async () => {
    const to = join(own.path, 'new', 'x.sqlite');
    const wrong: [argv: string[], line: string][] = [
      [[], 'name the SQLite file: give either --from FILE or --to FILE'],
      [['--from', own.path, '--to', to], 'give either --from FILE or --to FILE'],
      [['--from', `mysql://uv:${secret}@x/y`], '--from is not allowed: the name of a SQLite file'],
      [['--from', '/nowhere/x.sqlite'], 'there is no database in /nowhere/x.sqlite'],
      [['--to', 'x'.repeat(65_536)], '--to is not allowed: the name of a SQLite file'],
      [['--to', ''], '--to: "" is not allowed: it is empty'],
      [
        ['--from', own.path],
        'PostgreSQL at 127.0.0.1:1 refuses connections: start it, or correct DATABASE_URL',
      ],
      [['--to', to], 'PostgreSQL at 127.0.0.1:1 refuses connections: start it, or correct DATABASE_URL'],
    ];
    for (const [argv, line] of wrong) {
      const ended = await copy(argv);
      expectOneLine(ended, line);
      expect([argv, ended.err.includes(secret), ended.err.length < 400]).toEqual([argv, false, true]);
    }
    expect(existsSync(join(own.path, 'new'))).toBe(false);
    expect(readdirSync(own.path)).toEqual(['voucherd.sqlite']);
  });

  test('of settings that name no PostgreSQL', async () => {
    const ended = await run(['database', 'copy', '--from', own.path], { DATA_DIR: own.path });
    expectOneLine(ended, 'name the PostgreSQL in DATABASE_URL or DATABASE_URL_FILE');
    expect(ended.status).toBe(5);
  });

  test('of a SQLite file of another program, or of a service: it stays as it is, byte for byte', async () => {
    const other = await makeFolder();
    const file = join(other.path, 'notes.sqlite');
    await executeSql(file, 'create table notes (text)');
    const before = readFileSync(file);
    expectOneLine(await copy(['--from', file]), `${file} has tables of another program (notes)`);
    expectOneLine(await copy(['--to', file]), 'the target is not empty, it has tables (notes)');
    expectOneLine(await copy(['--to', own.path]), 'the target is not empty, it has tables (');
    expect(readdirSync(other.path)).toEqual(['notes.sqlite']);
    expect(readFileSync(file).equals(before)).toBe(true);
    await other.remove();
  });

  test('of a file that is no database', async () => {
    const other = await makeFolder();
    const to = join(other.path, 'notes.txt');
    writeFileSync(to, 'Milch und Brot\n'.repeat(100));
    expectOneLine(await copy(['--to', to]), `${to} is no SQLite database`);
    expect(readdirSync(other.path)).toEqual(['notes.txt']);
    expect(readFileSync(to, 'utf8')).toBe('Milch und Brot\n'.repeat(100));
    await other.remove();
  });
});

test('a copy that is interrupted says so, and the same command starts it again and prints what was copied', async () => {
  const [own, server] = [await makeFolder(), await makeEmptyPostgresDatabase()];
  await putSqliteDatabase(own.path);
  const source = openDatabase(`sqlite:${own.path}/voucherd.sqlite`);
  await fillEveryTable(source, 2);
  await source.close();
  const argv = ['database', 'copy', '--from', own.path];
  const env = { DATA_DIR: own.path, DATABASE_URL: server.url };
  const atOnce: Signals = {
    on: (signal, listener) => signal === 'SIGINT' && listener(),
    off: () => undefined,
  };
  const interrupted = await run(argv, env, atOnce);
  expectOneLine(interrupted, 'interrupted: nothing was copied; run the same command again');
  expect(interrupted.status).toBe(130);
  const { status, out, err } = await run(argv, env);
  expect(status).toBe(0);
  expect(out).toMatch(/^table +rows\n/);
  expect(out).toMatch(/^users +2$/m);
  expect(err).toMatch(/^copied \d+ rows of \d+ tables\. Next: let the service use the copy/);
  expectOneLine(await run(argv, env), 'the target is not empty, it has tables (');
  await server.drop();
  await own.remove();
});
