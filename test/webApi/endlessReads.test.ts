import { once } from 'node:events';
import { request as sendRequest, type ClientRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import pg from 'pg';
import { openDatabase } from '../../src/database/database.js';
import { makePostgresDatabase, type TestDatabase } from '../support/databases.js';
import { startService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { signInFirst, signInNew, type Browser } from '../support/web.js';

/** Reading the audit log takes forever from now on; what is written to it fails. */
const makeAuditEndless = async (db: Knex, isPostgres: boolean): Promise<void> => {
  await db.raw('alter table audit_log rename to audit_kept');
  const endless = isPostgres
    ? 'pg_sleep(36000)'
    : '(with recursive n (i) as (select 1 union all select i + 1 from n) select i from n where i < 0)';
  await db.raw(`create view audit_log as select audit_kept.* from audit_kept, ${endless} as endless`);
};

/** How many files one user may download at a time. */
const maxFiles = 4;

const databases = ['SQLite', 'PostgreSQL'] as const;
const startOn = async (
  name: (typeof databases)[number],
  env: Record<string, string>,
): Promise<{ service: TestService; own?: TestDatabase; url: string }> => {
  if (name === 'SQLite') {
    const service = await startService({ env });
    return { service, url: `sqlite:${service.dataDir}/voucherd.sqlite` };
  }
  const own = await makePostgresDatabase();
  const service = await startService({ env: { ...env, DATABASE_URL: own.url } });
  return { service, own, url: own.url };
};

describe.each(databases)('on %s', (name) => {
  let started: Awaited<ReturnType<typeof startOn>>;
  let admin: Browser;
  /** Somebody else. On SQLite they wait for one of two connections, which are busy. */
  let staff: Browser | undefined;
  const start = async (env: Record<string, string>): Promise<void> => {
    started = await startOn(name, env);
    admin = await signInFirst(started.service);
    if (started.own) staff = await signInNew(started.service, admin, { name: 'Jonas', role: 'staff' });
    const database = openDatabase(started.url, { timeoutMs: 120_000 });
    await makeAuditEndless(database.write, name === 'PostgreSQL');
    await database.close();
  };
  const stop = async (): Promise<void> => {
    await started.service.stop();
    await started.own?.drop();
  };

  describe('with a short time limit', () => {
    beforeAll(() => start({ DATABASE_TIMEOUT_S: '2' }));
    afterAll(stop);

    test.each(['/audit', '/audit.csv'])('%s that takes too long is 503, and is logged', async (path) => {
      const answer = await admin.get(path);
      expect(answer).toMatchObject({ status: 503, body: { error: 'unavailable', message: 'unavailable' } });
      expect(answer.headers['retry-after']).toBe('1');
      expect((await admin.get('/vouchers')).status).toBe(200);
    });
  });

  describe('with a long one', () => {
    // The limits of statement and request are far away.
    beforeAll(() => start({ DATABASE_TIMEOUT_S: '600', CONTROLLER_DEADLINE_S: '300' }));
    afterAll(stop);

    test.each(['/audit', '/audit.csv'])('%s is interrupted when its clients are gone', async (path) => {
      const isFile = path.endsWith('.csv');
      const ask = (): ClientRequest => {
        const headers = { Cookie: admin.cookie, 'Sec-Fetch-Site': 'same-origin' };
        const sent = sendRequest(`${started.service.url}/web${path}`, { agent: false, headers });
        sent.on('error', () => undefined);
        sent.end();
        return sent;
      };
      const asked = Array.from({ length: isFile ? maxFiles : 6 }, ask);
      await Promise.all(asked.map((one) => once(one, 'finish')));
      // Answered from memory on SQLite, whose two connections are busy, after the service has read the others.
      for (let index = 0; index < 5; index += 1) expect((await admin.get('/session')).status).toBe(200);
      if (started.own)
        await until('they run', async () => (await countSleeping(started.url)) === asked.length);
      if (isFile) {
        const refused = await admin.get(path);
        expect(refused).toMatchObject({
          status: 429,
          body: { error: 'rate_limited', message: 'files-limit' },
        });
        expect(refused.headers['retry-after']).toBe('5');
        for (const file of ['/vouchers.csv', '/audit.csv?language=de'])
          expect((await admin.get(file)).status).toBe(429);
        const selection = { ids: [1], layout: 'slip', paper: 'a4' };
        expect((await admin.post('/vouchers/slips', selection)).status).toBe(429);
        if (staff) expect((await staff.get('/vouchers.csv')).status).toBe(200);
      }
      for (const one of asked) one.destroy();
      expect((await admin.get('/vouchers')).status).toBe(200);
      if (started.own) await until('none runs', async () => (await countSleeping(started.url)) === 0);
      await until('files are made again', async () => (await admin.get('/vouchers.csv')).status === 200);
    });
  });
});

const countSleeping = async (url: string): Promise<number> => {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    "select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
  );
  await client.end();
  return rows.length;
};
