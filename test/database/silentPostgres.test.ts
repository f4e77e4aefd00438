import { beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { startSilencingProxy } from '../../simulators/silencingProxy.js';
import { openDatabase } from '../../src/database/database.js';
import { migrations } from '../../src/database/migrations/index.js';
import { migrate, runMigrations } from '../../src/database/migrator.js';
import { withApi } from '../support/api.js';
import { startProgram } from '../support/cli.js';
import { makePostgresDatabase } from '../support/databases.js';
import { forEachTest } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { refusal } from '../support/refusal.js';
import { send, type Answer } from '../support/service.js';
import { until } from '../support/until.js';

const unavailable = refusal(
  503,
  'unavailable',
  'Der Dienst ist überlastet oder nicht bereit, bitte in 1 s erneut versuchen',
);
const unreachable = refusal(500, 'server_error', 'Die Datenbank ist nicht erreichbar');
const own = forEachTest(makePostgresDatabase, 'drop');
const folder = forEachTest(makeFolder, 'remove');
const proxy = forEachTest(() => startSilencingProxy(own.url), 'close');

describe('a service whose database falls silent', () => {
  let siteId: number;
  const api = withApi({
    beforeStart: () => ({
      dataDir: folder.path,
      env: {
        DATABASE_URL: proxy.through(own.url),
        DATABASE_TIMEOUT_S: '10',
      },
    }),
    perTest: 'service',
    key: { rateLimit: 1_000_000 },
  });

  beforeEach(async () => {
    siteId = await api.addSite();
    await list();
  });

  const list = (): Promise<Answer> => api.listVouchers(siteId);
  const many = (): Promise<Answer[]> => Promise.all(Array.from({ length: 20 }, list));
  const order = (): Promise<Answer> => api.createVoucher({ site_id: siteId, name: 'Berger' });
  const isBack = () => until('lists are given again', async () => (await list()).status === 200);

  test('one connection that falls silent keeps nobody waiting for ever', async () => {
    proxy.silenceLast();
    for (const { status } of await many()) expect([200, 500, 503]).toContain(status);
    await isBack();
  });

  test('connections that fell silent together are noticed together', async () => {
    await many();
    proxy.silenceOpen();
    await until('one was noticed', async () => (await list()).status !== 200);
    await isBack();
    expect(proxy.open()).toBeGreaterThan(0);
  });

  test('a backend that is stopped keeps nobody waiting for ever', async () => {
    const { rows } = await api.database.read.raw<{ rows: { pid: number }[] }>(
      'select pg_backend_pid() as pid',
    );
    const pid = rows[0]?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      for (const { status } of await many()) expect([200, 500, 503]).toContain(status);
      await isBack();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });

  test('while nothing comes through, requests end, then 503 comes at once, and nobody learns where the database is', async () => {
    proxy.silence();
    const waited = await many();
    for (const answer of waited)
      expect(answer).toMatchObject(answer.status === 500 ? unreachable : unavailable);
    const refused = await until('refused at once', async () => {
      const answer = await order();
      return answer.status === 503 && answer;
    });
    expect(refused).toMatchObject(unavailable);
    expect(refused.headers['retry-after']).toBe('1');
    const ready = await api.get('/readyz');
    expect(ready).toMatchObject({
      status: 503,
      body: { status: 'unavailable', reason: 'the database does not answer' },
    });
    expect((await api.get('/healthz')).status).toBe(200);
    for (const { text } of [...waited, refused, ready]) expect(text).not.toContain('127.0.0.1');
    proxy.resume();
    await isBack();
    expect((await order()).status).toBe(201);
  });

  test('/readyz has a second of patience', async () => {
    proxy.silence();
    const { status, body } = await api.get('/readyz');
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: 'unavailable' });
    proxy.resume();
    await until('ready again', async () => (await api.get('/readyz')).status === 200);
  });

  test('an intent that was written although the answer of the database was lost is removed', async () => {
    const other = new pg.Client(own.url);
    await other.connect();
    try {
      await other.query('begin; lock table intents in share mode');
      const answer = order();
      await until('the intent is about to be written', async () => {
        // Other tests have other databases, whose tables have the same numbers.
        const { rows } = await other.query(
          `select 1 from pg_locks join pg_database on oid = database
           where not granted and datname = current_database() and relation = 'intents'::regclass`,
        );
        return rows.length === 1;
      });
      proxy.silenceOpen();
      await other.query('commit');
      await until(
        'it is written',
        async () => (await other.query('select 1 from intents')).rows.length === 1,
      );
      expect(await answer).toMatchObject(unreachable);
      await until(
        'it is removed',
        async () => (await other.query('select 1 from intents')).rows.length === 0,
      );
    } finally {
      await other.end();
    }
  });

  test('a voucher that the controller has made is recorded on another connection, and the answer is 201', async () => {
    siteId = await api.addSite({ latencyMs: 2000 });
    const answer = order();
    const { intents, vouchers } = api.tables;
    await until(
      'the intent is written, or it is done already',
      async () => (await intents.count()) + (await vouchers.count([siteId])) > 0,
    );
    proxy.silenceOpen();
    expect((await answer).status).toBe(201);
    await isBack();
    expect((await list()).body).toMatchObject({ vouchers: [{ voucher_name: expect.any(String) }] });
  });
});

test('SIGTERM ends the process although the database is silent', async () => {
  const program = startProgram(['serve', '--json'], {
    DATA_DIR: folder.path,
    PORT: '0',
    DATABASE_URL: proxy.through(own.url),
    DATABASE_TIMEOUT_S: '10',
    STOP_DEADLINE_S: '120',
  });
  const url = await program.url();
  proxy.silence();
  const answer = send(url, 'GET', '/sites.php', { key: `uvt_${'0'.repeat(40)}` }).catch(() => undefined);
  await until('it is noticed', async () => (await send(url, 'GET', '/readyz')).status === 503);
  program.process.kill('SIGTERM');
  const { status } = await program.ended;
  await answer;
  expect(status).not.toBeNull();
});

test('the start says within its time that nothing answers, and which setting to look at', async () => {
  proxy.silence();
  const env = { DATA_DIR: folder.path, DATABASE_URL: proxy.through(own.url), DATABASE_TIMEOUT_S: '1' };
  const { status, err } = await startProgram(['serve'], env).ended;
  expect(status).toBe(6);
  expect(err).toMatch(/^voucherd: PostgreSQL at 127\.0\.0\.1:\d+ does not answer: .*DATABASE_URL\n$/);
});

test('a migration that others hold up lets those through who come after it, and runs once it can', async () => {
  // The server ends a transaction that is idle for so long.
  const database = openDatabase(own.url, { timeoutMs: 300_000 });
  try {
    await migrate(database);
    const backup = await database.write.transaction();
    await backup.raw('lock table vouchers in access share mode');
    const column = {
      name: '9999_column',
      up: (db: typeof database.write) => db.raw('alter table vouchers add column more integer'),
    };
    let isDone = false;
    const [begun, blocked]: [string[], string[]] = [[], []];
    const migrated = runMigrations(database, [...migrations, column], {
      onBegin: (name) => void begun.push(name),
      onBlocked: (name) => void blocked.push(name),
    }).finally(() => (isDone = true));
    await until('the migration was held up', () => blocked.length > 0);
    expect(await database.read('vouchers').select('id')).toEqual([]);
    expect(isDone).toBe(false);
    await backup.commit();
    expect(await migrated).toEqual(['9999_column']);
    expect([begun, blocked]).toEqual([['9999_column'], ['9999_column']]);
  } finally {
    await database.close();
  }
});

test('a migration may take longer than a statement of a request', async () => {
  const database = openDatabase(own.url, { timeoutMs: 6_000 });
  try {
    await migrate(database);
    await expect(database.write.raw('select pg_sleep(7)')).rejects.toThrow('statement timeout');
    const slow = { name: '9999_slow', up: (db: typeof database.write) => db.raw('select pg_sleep(7)') };
    expect(await runMigrations(database, [...migrations, slow])).toEqual(['9999_slow']);
  } finally {
    await database.close();
  }
});
