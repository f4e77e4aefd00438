import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makePostgresDatabase, type TestDatabase } from '../support/databases.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { startService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

let own: TestDatabase;
let folder: TestFolder;
let one: TestService;
let two: TestService;
/** Two more, whose orders that are never answered end soon, but not before a busy machine has written them down. */
let hasty: TestService;
let hastyToo: TestService;
const start = (deadlineS = '600') =>
  startService({
    dataDir: folder.path,
    env: { DATABASE_URL: own.url, CONTROLLER_DEADLINE_S: deadlineS },
  });
beforeAll(async () => {
  [own, folder] = [await makePostgresDatabase(), await makeFolder()];
  [one, two, hasty, hastyToo] = await Promise.all([start(), start(), start('5'), start('5')]);
});
afterAll(async () => {
  await Promise.all([one, two, hasty, hastyToo].map((service) => service.stop()));
  await own.drop();
  await folder.remove();
});

const order = (service: TestService, key: string, siteId: number, headers = {}) =>
  service.post('/vouchers.php', { site_id: siteId, name: 'Berger' }, { key, headers });
const codes = async (service: TestService, key: string, siteId: number) => {
  const { body } = await service.get(`/vouchers.php?site_id=${siteId}`, { key });
  return (body as { vouchers: { voucher_code: string }[] }).vouchers.map(({ voucher_code }) => voucher_code);
};
const codeOf = ({ body }: { body: unknown }) => (body as { code: string }).code;

describe('the service on PostgreSQL', () => {
  test('creates, lists and replays as on SQLite', async () => {
    const [key, siteId] = [await one.addKey(), await one.addSite({ name: 'Gästehaus' })];
    const headers = { 'Idempotency-Key': 'bestellung-1' };
    const first = await order(one, key, siteId, headers);
    expect(first).toMatchObject({ status: 201, body: { site: 'Gästehaus', max_uses: 1 } });
    const { body } = await one.get(`/vouchers.php?site_id=${siteId}`, { key });
    expect(body).toEqual({
      vouchers: [
        {
          voucher_code: codeOf(first),
          voucher_name: expect.stringMatching(/^\d{4}-\d\d-\d\d_Berger$/),
          max_uses: 1,
          expire_minutes: 480,
          status: 'valid',
          used_count: 0,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
          expires_at: null,
        },
      ],
    });
    const second = await order(one, key, siteId, headers);
    expect([second.text, second.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
  });

  test('accepts exactly as many requests in a window as the limit of the key', async () => {
    const key = await one.addKey({ rateLimit: 5 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => one.get('/sites.php', { key })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
  });

  test('records a voucher whose answer was lost', async () => {
    const [key, siteId] = [await one.addKey(), await one.addSite({ fault: 'lost-answer' })];
    expect((await order(hasty, key, siteId)).status).toBe(500);
    expect(await codes(one, key, siteId)).toEqual([]);
    await until('it is due and settled', async () => (await hasty.app.reconcile()) === 0);
    expect(await codes(one, key, siteId)).toHaveLength(1);
  });

  test('says that it is ready', async () => {
    await until('it is ready', async () => (await one.get('/readyz')).text === '{"status":"ready"}');
  });
});

describe('two processes on one PostgreSQL', () => {
  test('a list read that begins after a 201 was sent, by any process, contains that voucher', async () => {
    const [key, siteId] = [await one.addKey(), await one.addSite()];
    const made: string[] = [];
    for (const [writer, reader] of [
      [one, two],
      [two, one],
      [one, two],
    ] as const) {
      made.unshift(codeOf(await order(writer, key, siteId)));
      expect(new Set(await codes(reader, key, siteId))).toEqual(new Set(made));
    }
  });

  test("a key's limit holds across all processes", async () => {
    const key = await one.addKey({ rateLimit: 10 });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (index % 2 ? one : two).get('/sites.php', { key })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  });

  test('a revoked key is refused by every process', async () => {
    const key = await one.addKey();
    for (const service of [one, two]) expect((await service.get('/sites.php', { key })).status).toBe(200);
    await one.tables.apiKeys.revoke(key.slice(4, 12), Date.now());
    for (const service of [one, two])
      await until(
        'the key is refused',
        async () => (await service.get('/sites.php', { key })).status === 401,
      );
  });

  test('a repetition that reaches another process gets the first answer', async () => {
    const [key, siteId] = [await one.addKey(), await one.addSite()];
    const headers = { 'Idempotency-Key': 'bestellung-2' };
    const first = await order(one, key, siteId, headers);
    const second = await order(two, key, siteId, headers);
    expect([second.status, second.text]).toEqual([201, first.text]);
  });

  test('orders with one Idempotency-Key that reach both at once make one voucher', async () => {
    const [key, siteId] = [await one.addKey(), await one.addSite()];
    const headers = { 'Idempotency-Key': 'bestellung-3' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => order(index % 2 ? one : two, key, siteId, headers)),
    );
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await codes(one, key, siteId)).toHaveLength(1);
  });

  test('both reconciling at once record and announce a voucher once', async () => {
    const [key, siteId] = [await one.addKey(), await one.addSite({ name: 'Doppelt', fault: 'lost-answer' })];
    expect((await order(hasty, key, siteId)).status).toBe(500);
    await until('it is due and settled', async () => {
      const [left] = await Promise.all([hasty.app.reconcile(), hastyToo.app.reconcile()]);
      return left === 0;
    });
    expect(await codes(two, key, siteId)).toHaveLength(1);
    expect(await one.database.read('notifications').where({ site: 'Doppelt' })).toHaveLength(1);
  });
});
