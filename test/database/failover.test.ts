import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/database.js';
import { makePostgresDatabase } from '../support/databases.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { startPostgresPair, type PostgresPair } from '../support/postgresPair.js';
import { refusal } from '../support/refusal.js';
import { startService, type Answer, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const readOnly = refusal(500, 'server_error', 'Die Datenbank kann nur gelesen werden');
const unavailable = refusal(
  503,
  'unavailable',
  'Der Dienst ist überlastet oder nicht bereit, bitte in 1 s erneut versuchen',
);

describe('a primary and its standby', () => {
  let pair: PostgresPair;
  let folder: TestFolder;
  let service: TestService;
  let key: string;
  let siteId: number;
  beforeAll(async () => {
    [pair, folder] = [await startPostgresPair(), await makeFolder()];
  });
  afterEach(() => service.stop());
  afterAll(async () => {
    await pair.close();
    await folder.remove();
  });

  const begin = async (url: string): Promise<void> => {
    service = await startService({
      dataDir: folder.path,
      env: { DATABASE_URL: url, DATABASE_TIMEOUT_S: '20', CONTROLLER_DEADLINE_S: '600' },
    });
    key = await service.addKey();
    siteId = await service.addSite();
  };
  const order = (name: string): Promise<Answer> =>
    service.post('/vouchers.php', { site_id: siteId, name }, { key });
  /** More at once than there are open connections. */
  const orderMany = (name: string): Promise<Answer[]> =>
    Promise.all(Array.from({ length: 30 }, (_, number) => order(`${name} ${number}`)));
  const ready = (): Promise<Answer> => service.get('/readyz');
  const statuses = (answers: readonly Answer[]): number[] => [
    ...new Set(answers.map(({ status }) => status)),
  ];

  test('an address that leads to a standby is not ready and says why, until that one is the primary', async () => {
    await begin(pair.urls[0]);
    await pair.stop(0);
    await pair.promote(1);
    await pair.demote(0);
    const notReady = await until('it is noticed', async () => {
      const answer = await ready();
      return answer.text.includes('only be read') && answer;
    });
    expect(notReady).toMatchObject({
      status: 503,
      body: { status: 'unavailable', reason: 'the database can only be read' },
    });
    for (const answer of await orderMany('late')) expect(answer).toMatchObject(unavailable);
    await pair.stop(1);
    await pair.promote(0);
    await until('it is ready again', async () => (await ready()).status === 200);
    expect(statuses(await orderMany('again'))).toEqual([201]);
    await pair.demote(1);
  });

  test('sessions that can no longer write are given to nobody, and nothing is ordered meanwhile', async () => {
    await begin(pair.urls[0]);
    expect(statuses(await orderMany('before'))).toEqual([201]);
    await pair.query(0, 'alter system set default_transaction_read_only = on');
    await pair.query(0, 'select pg_reload_conf()');
    const hit = await until('the first session is hit', async () => {
      const answer = await order('hit');
      return answer.status !== 201 && answer;
    });
    expect(hit).toMatchObject(hit.status === 500 ? readOnly : unavailable);
    const refused = await orderMany('refused');
    for (const answer of refused) expect(answer).toMatchObject(unavailable);
    expect((await ready()).body).toMatchObject({ reason: 'the database can only be read' });
    await pair.query(0, 'alter system reset default_transaction_read_only');
    await pair.query(0, 'select pg_reload_conf()');
    await until('orders are taken again', async () => (await order('after')).status === 201);
    const { text } = await service.get(`/vouchers.php?site_id=${siteId}`, { key });
    expect(text).not.toContain('_refused');
  });
});

test('a connection that can not write is not given out', async () => {
  const own = await makePostgresDatabase();
  const database = openDatabase(own.url, { timeoutMs: 120_000, poolMax: 2 });
  try {
    await database.write.transaction(async (writable) => {
      const { rows } = await writable.raw<{ rows: { name: string }[] }>('select current_database() as name');
      await writable.raw(`alter database ${rows[0]!.name} set default_transaction_read_only = on`);
      await writable.commit();
    });
    await database.write.transaction(async (writable) => {
      // The other connection has to be opened now.
      await expect(database.read.raw('select 1')).rejects.toMatchObject({
        name: 'DatabaseUnavailable',
        code: 'read-only',
      });
      expect(database.unavailableCode).toBe('read-only');
      await writable('leases').whereRaw('1 = 0').delete();
    });
    // The one that can write is still there.
    await until('it is found', () => !database.isUnavailable);
    await database.write('leases').whereRaw('1 = 0').delete();
  } finally {
    await database.close();
    await own.drop();
  }
});
