import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makePostgresDatabase, type TestDatabase } from '../support/databases.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { startService, type TestService } from '../support/service.js';

const hourMs = 3_600_000;

let own: TestDatabase;
let folder: TestFolder;
/** Three processes on one PostgreSQL, whose clocks are hours apart. */
let right: TestService;
let ahead: TestService;
let behind: TestService;
const start = (skewMs: number) =>
  startService({
    dataDir: folder.path,
    system: { now: () => Date.now() + skewMs },
    env: { DATABASE_URL: own.url, CONTROLLER_DEADLINE_S: '600' },
  });
beforeAll(async () => {
  [own, folder] = [await makePostgresDatabase(), await makeFolder()];
  right = await start(0);
  [ahead, behind] = await Promise.all([start(hourMs), start(-hourMs)]);
});
afterAll(async () => {
  await Promise.all([right, ahead, behind].map((service) => service.stop()));
  await own.drop();
  await folder.remove();
});

const order = (service: TestService, key: string, siteId: number, headers = {}) =>
  service.post('/vouchers.php', { site_id: siteId, name: 'Berger' }, { key, headers });

test('a key’s limit holds across them, and none locks the key for the others', async () => {
  const key = await right.addKey({ rateLimit: 9 });
  const services = [ahead, behind, right];
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => services[index % 3]!.get('/sites.php', { key })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
  for (const { status, headers } of answers) {
    const seconds = Number(headers[status === 429 ? 'retry-after' : 'ratelimit-reset']);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
  }
});

test('their vouchers have the time at which they were made', async () => {
  const [key, siteId] = [await right.addKey(), await right.addSite()];
  for (const service of [ahead, right, behind]) await order(service, key, siteId);
  const { body } = await behind.get(`/vouchers.php?site_id=${siteId}`, { key });
  const { vouchers } = body as { vouchers: { created_at: string }[] };
  expect(vouchers).toHaveLength(3);
  for (const { created_at } of vouchers)
    expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(hourMs / 2);
});

test('a key that expires is refused by all of them at the same time', async () => {
  const [current, over] = [
    await right.addKey({ expiresAt: Date.now() + hourMs / 2 }),
    await right.addKey({ expiresAt: Date.now() - hourMs / 2 }),
  ];
  for (const service of [ahead, right, behind]) {
    expect((await service.get('/sites.php', { key: current })).status).toBe(200);
    expect((await service.get('/sites.php', { key: over })).status).toBe(401);
  }
});

test('an order whose outcome is unknown has the time at which it was written down', async () => {
  const [key, siteId] = [await right.addKey(), await right.addSite({ fault: 'disconnect' })];
  for (const service of [ahead, behind]) expect((await order(service, key, siteId)).status).toBe(500);
  const intents = await right.tables.intents.all();
  expect(intents).toHaveLength(2);
  for (const { createdAt } of intents) expect(Math.abs(createdAt - Date.now())).toBeLessThan(hourMs / 2);
});

test('an answer is kept for a day, whichever of them gave it', async () => {
  const [key, siteId] = [await right.addKey(), await right.addSite()];
  const headers = { 'Idempotency-Key': 'bestellung-1' };
  const first = await order(ahead, key, siteId, headers);
  const dayOld = Date.now() - 24 * hourMs + hourMs / 2;
  await right.database.write('idempotency_keys').update({ created_at: dayOld });
  for (const service of [ahead, right, behind])
    expect((await order(service, key, siteId, headers)).text).toBe(first.text);
});
