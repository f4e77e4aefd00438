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

/** How many reads of one user run or wait, and how many of them that make a table as a file. */
const places = { '/audit': 31, '/audit.csv': 5 };

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
  /** Somebody else. */
  let staff: Browser;
  const start = async (env: Record<string, string>): Promise<void> => {
    started = await startOn(name, env);
    admin = await signInFirst(started.service);
    staff = await signInNew(started.service, admin, { name: 'Jonas', role: 'staff' });
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

    test('a user waits for their own reads, which end with their clients, and nobody else does', async () => {
      const refused: Record<string, number> = {};
      const ask = (path: string): ClientRequest => {
        const headers = { Cookie: admin.cookie, 'Sec-Fetch-Site': 'same-origin' };
        const sent = sendRequest(`${started.service.url}/web${path}`, { agent: false, headers });
        sent.on('error', () => undefined);
        sent.on('response', ({ statusCode, headers: answered }) => {
          expect([statusCode, answered['retry-after']]).toEqual([503, '1']);
          refused[path] = (refused[path] ?? 0) + 1;
        });
        sent.end();
        return sent;
      };
      const asked = Object.entries(places).flatMap(([path, count]) =>
        Array.from({ length: count + 3 }, () => ask(path)),
      );
      for (const path of Object.keys(places))
        await until(`the queue for ${path} is full`, () => refused[path] === 3);
      if (started.own) await until('one of each runs', async () => (await countSleeping(started.url)) === 2);
      for (const path of ['/vouchers?text=gast', '/vouchers.csv', '/overview?days=90', '/sites'])
        expect([path, (await staff.get(path)).status]).toEqual([path, 200]);
      // What changes something does not queue, nor what every page begins with.
      expect((await admin.get('/session')).status).toBe(200);
      expect((await admin.put('/account/language', { language: 'en' })).status).toBe(204);
      for (const one of asked) one.destroy();
      for (const path of ['/vouchers', '/vouchers.csv'])
        await until(`${path} is read again`, async () => (await admin.get(path)).status === 200);
      if (started.own) await until('none runs', async () => (await countSleeping(started.url)) === 0);
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
