import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { WebSchema } from '../../handlers/web/handler.js';
import { withAdmin } from '../support/api.js';
import { statementsOf } from '../support/queryLog.js';
import { makeBrowser } from '../support/web.js';
import { decide, makeGuest } from './guestsFixture.js';

const api = withAdmin({ site: {} });
let profileId = 0;
let token = '';
beforeAll(async () => {
  const profile = { name: 'Tag', maxUses: 1, expireMinutes: 1440, siteIds: [api.siteId] };
  ({ id: profileId } = (await api.admin.post('/profiles', profile)).body as { id: number });
  const wifi = { ssid: 'Gäste', wifiKind: 'wpa', wifiPassword: 'sehr geheim' };
  expect((await api.admin.patch(`/sites/${String(api.siteId)}`, wifi)).status).toBe(200);
  const values = { siteId: api.siteId, profileId, perHour: 100, asksName: true, perDevice: 50 };
  const add = async (more: object) =>
    (await api.admin.post('/kiosks', { ...values, ...more })).body as WebSchema<'CreatedKiosk'>;
  token = (await add({})).path.split('#')[1] ?? '';
  await add({ slug: 'see' });
  await add({ slug: 'berg', needsApproval: true });
});

const large = [
  'kiosks',
  'kiosk_backgrounds',
  'guest_requests',
  'sites',
  'profiles',
  'profile_sites',
  'orders',
];

/** The interval job that looks whether every stored secret can be opened. No request starts it. */
const secretCheck = 'select `sealed_wifi_password` from `sites`';

/** The statements that read all rows of a table of which there may be many. */
const wholeReads = async (work: () => Promise<void>): Promise<string[]> => {
  const statements = await statementsOf(api.database, work);
  expect(statements.length).toBeGreaterThan(3);
  return statements.filter(
    (sql) =>
      sql !== secretCheck &&
      large.some((table) => sql.includes(`from \`${table}\``)) &&
      !sql.includes(' where '),
  );
};

test('what anybody may send reads single rows, never a whole table', async () => {
  const headers = { 'X-Kiosk-Token': token };
  const tablet = makeBrowser(api);
  const take = () => tablet.request('PUT', `/kiosk/orders/${randomUUID()}`, { headers, body: {} });
  // Active sites and their controllers are cached until one changes.
  await take();
  expect(
    await wholeReads(async () => {
      expect((await tablet.request('GET', '/kiosk', { headers })).status).toBe(200);
      expect((await take()).body).toMatchObject({ state: 'made', wifiPassword: 'sehr geheim' });
    }),
  ).toEqual([]);
  const [see, berg] = [makeGuest(api, 'see'), makeGuest(api, 'berg')];
  expect(
    await wholeReads(async () => {
      expect((await see.look()).status).toBe(200);
      const id = randomUUID();
      expect((await see.order({ name: 'Zoë' }, id)).body).toMatchObject({ state: 'made' });
      expect((await see.find(id)).body).toMatchObject({ state: 'made', wifiPassword: 'sehr geheim' });
    }),
  ).toEqual([]);
  const [waits, given] = [randomUUID(), randomUUID()];
  expect(
    await wholeReads(async () => {
      for (const id of [waits, given])
        expect((await berg.order({}, id)).body).toMatchObject({ state: 'waiting' });
      expect((await berg.withdraw(waits)).status).toBe(204);
    }),
  ).toEqual([]);
  expect((await decide(api.admin, given, true)).status).toBe(204);
  expect(
    await wholeReads(async () => {
      expect((await berg.find(given)).body).toMatchObject({ state: 'made' });
    }),
  ).toEqual([]);
});

test('each of them is found by an index', async () => {
  const planOf = async (sql: string): Promise<string> => {
    const rows = (await api.database.read.raw(`explain query plan ${sql}`)) as { detail: string }[];
    return rows.map(({ detail }) => detail).join('\n');
  };
  for (const sql of [
    "select * from kiosks where token_hash = 'x'",
    "select * from kiosks where slug = 'x'",
    "select * from guest_requests where id = 'x'",
    "select * from orders where id = 'x'",
    'select * from profile_sites where profile_id in (1)',
  ])
    expect([sql, await planOf(sql)]).toEqual([sql, expect.stringMatching(/SEARCH .* USING .*INDEX/)]);
});
