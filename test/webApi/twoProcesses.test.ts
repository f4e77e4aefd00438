import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { acceptedFor } from '../support/acceptedFor.js';
import { makePostgresDatabase, type TestDatabase } from '../support/databases.js';
import { readEvents } from '../support/eventReader.js';
import { startService, type TestService } from '../support/service.js';
import { adminPassword, makeBrowser, signIn, signInFirst, signInNew, type Browser } from '../support/web.js';

let database: TestDatabase;
let [one, other] = [] as unknown as [TestService, TestService];
let admin: Browser;

beforeAll(async () => {
  database = await makePostgresDatabase();
  const env = { DATABASE_URL: database.url };
  one = await startService({ env });
  // The key of the secrets is the same on all machines.
  other = await startService({ env, dataDir: one.dataDir });
  admin = await signInFirst(one);
});
afterAll(async () => {
  await other.stop();
  await one.stop();
  await database.drop();
});

/** The same browser, answered by the other process. */
const elsewhere = ({ cookie }: Browser): Browser => makeBrowser(other, cookie);

const staffWithId = async (name: string): Promise<{ staff: Browser; path: string }> => {
  const staff = await signInNew(one, admin, { name, role: 'staff' });
  const { users } = (await admin.get('/users')).body as { users: { id: number; name: string }[] };
  return { staff, path: `/users/${String(users.find((user) => user.name === name)!.id)}` };
};

/** How long after a change the other process still accepted the session. */
const acceptedElsewhere = async (browser: Browser, change: () => Promise<unknown>): Promise<number> => {
  const isAccepted = async () => (await elsewhere(browser).get('/session')).status === 200;
  expect(await isAccepted()).toBe(true);
  return acceptedFor(change, isAccepted);
};

test('a session that one process began is known to the other', async () => {
  expect(await elsewhere(admin).get('/session')).toMatchObject({
    status: 200,
    body: { name: 'Anna Berger' },
  });
});

test.each([
  ['a session that was ended', (path: string) => admin.delete(`${path}/sessions`)],
  ['a user whose role was changed', (path: string) => admin.patch(path, { role: 'admin' })],
  ['a user who was disabled', (path: string) => admin.patch(path, { isDisabled: true })],
  ['a user who was removed', (path: string) => admin.delete(path)],
])('%s is refused by the other process within a second', async (name, change) => {
  const { staff, path } = await staffWithId(name);
  expect(await acceptedElsewhere(staff, () => change(path))).toBeLessThan(1000);
});

test('a user who signed out of one process is refused by the other', async () => {
  const browser = await signIn(one, 'Anna Berger', adminPassword);
  expect(await acceptedElsewhere(browser, () => browser.delete('/session'))).toBeLessThan(1000);
});

test('a change that one process makes is told by the other', async () => {
  const headers = { Cookie: admin.cookie };
  const events = readEvents(await fetch(`${other.url}/web/events`, { headers }));
  await admin.post('/users', { name: 'Neu', role: 'staff' });
  expect(await events.next()).toEqual({ event: 'changed', data: ['people'] });
  await events.close();
});
