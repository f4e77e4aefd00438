import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { rowsOf } from '../support/serviceInternals.js';
import { makeBrowser } from '../support/web.js';
import { decide, makeGuest, waiting } from './guestsFixture.js';

const api = withAdmin({ site: {} });
let profileId = 0;
beforeAll(async () => {
  const profile = { name: 'Tag', maxUses: 1, expireMinutes: 1440 };
  ({ id: profileId } = (await api.admin.post('/profiles', profile)).body as { id: number });
  for (const slug of ['see', 'berg']) await addPage(slug);
});

const addPage = async (slug: string, values: object = {}): Promise<void> => {
  const page = { siteId: api.siteId, profileId, perHour: 100, asksName: true, perDevice: 50, slug };
  const added = await api.admin.post('/kiosks', { ...page, needsApproval: true, ...values });
  expect(added.status).toBe(201);
};
const vouchers = async () => (await rowsOf(api, 'vouchers')).length;
const waitingIds = async () => (await waiting(api.admin)).map(({ id }) => id);

test('a guest withdraws a request: staff no longer see it, and can not agree to it', async () => {
  const { order, withdraw, find } = makeGuest(api, 'see');
  const [gone, other] = [randomUUID(), randomUUID()];
  await order({ name: 'Zoë' }, gone);
  await order({ name: 'Jan' }, other);
  expect((await withdraw(gone.toUpperCase())).status).toBe(204);
  expect(await waitingIds()).toEqual([other]);
  expect((await find(gone)).status).toBe(404);
  expect((await decide(api.admin, gone, true)).status).toBe(404);
  expect((await withdraw(gone)).status).toBe(204);
  expect(await vouchers()).toBe(0);
  // Their name is not kept.
  expect((await rowsOf(api, 'guest_requests')).map((row) => row['name'])).toEqual(['Jan']);
  expect((await order({ name: 'Zoë' })).body).toMatchObject({ state: 'waiting' });
});

test('only the page where it was asked withdraws a request, and only from its own origin', async () => {
  const id = randomUUID();
  await makeGuest(api, 'see').order({ name: 'Ida' }, id);
  expect((await makeGuest(api, 'berg').withdraw(id)).status).toBe(204);
  expect((await makeGuest(api, 'unbekannt').withdraw(id)).status).toBe(404);
  expect((await makeGuest(api, 'see').withdraw(`${id}x`)).status).toBe(400);
  const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://elsewhere.example' };
  const foreign = await makeBrowser(api).request('DELETE', `/guest/see/orders/${id}`, { headers });
  expect(foreign.status).toBe(403);
  expect(await waitingIds()).toContain(id);
});

test('what was decided stays: the guest who withdraws too late still gets the code', async () => {
  const { order, withdraw, find } = makeGuest(api, 'see');
  const [yes, no] = [randomUUID(), randomUUID()];
  await order({ name: 'Mia' }, yes);
  await order({ name: 'Tom' }, no);
  await decide(api.admin, yes, true);
  await decide(api.admin, no, false);
  const late = { status: 409, body: { message: 'guest-request-decided' } };
  expect(await withdraw(yes)).toMatchObject(late);
  expect(await withdraw(no)).toMatchObject(late);
  expect((await find(yes)).body).toMatchObject({ state: 'made' });
  expect((await find(no)).body).toMatchObject({ state: 'refused' });
});

test('of an approval and a withdrawal at the same moment exactly one wins', async () => {
  const { order, withdraw, find } = makeGuest(api, 'berg');
  for (let round = 0; round < 5; round += 1) {
    const id = randomUUID();
    await order({}, id);
    const before = await vouchers();
    const [withdrawn, decided] = await Promise.all(
      round % 2 === 0
        ? [withdraw(id), decide(api.admin, id, true)]
        : [decide(api.admin, id, true), withdraw(id)].reverse(),
    );
    const isWithdrawn = withdrawn!.status === 204;
    expect([withdrawn!.status, decided!.status]).toEqual(isWithdrawn ? [204, 404] : [409, 204]);
    expect((await vouchers()) - before).toBe(isWithdrawn ? 0 : 1);
    expect((await find(id)).status).toBe(isWithdrawn ? 404 : 200);
  }
});
