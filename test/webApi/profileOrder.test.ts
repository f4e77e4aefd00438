import { beforeAll, expect, test } from '@jest/globals';
import type { WebSchema } from '../../handlers/web/handler.js';
import { withAdmin } from '../support/api.js';
import { signInNew, type Browser } from '../support/web.js';

/** The order of the profiles, and which is chosen before anybody chooses one. */
const api = withAdmin();

let [house, tower] = [0, 0];
let [day, week, conference] = [0, 0, 0];
let staff: Browser;

const add = async (name: string, siteIds: number[] | null = null): Promise<number> => {
  const answer = await api.admin.post('/profiles', { name, maxUses: 1, expireMinutes: 1440, siteIds });
  return (answer.body as { id: number }).id;
};
beforeAll(async () => {
  [house, tower] = [await api.addSite({ name: 'Haus' }), await api.addSite({ name: 'Turm' })];
  [day, week, conference] = [await add('Tag'), await add('Woche'), await add('Konferenz', [tower])];
  staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds: [house, tower] });
});

const list = async (browser: Browser) => (await browser.get('/profiles')).body as WebSchema<'ProfileList'>;
const idsOf = ({ profiles }: { profiles: { id: number }[] }) => profiles.map(({ id }) => id);
const desk = async (browser: Browser) => ((await browser.get('/desk')).body as WebSchema<'Desk'>).sites;
const reorder = (profileIds: number[], revision: number) =>
  api.admin.put('/profile-order', { profileIds, revision });
const setDefault = async (profileId: number | null): Promise<void> =>
  expect((await api.admin.put('/default-profile', { profileId })).status).toBe(204);

test('without an order they are sorted by name; with one that holds for every list, at the desk, too', async () => {
  expect(idsOf(await list(api.admin))).toEqual([conference, day, week]);
  expect((await reorder([week, conference, day], (await list(api.admin)).revision)).status).toBe(204);
  for (const browser of [api.admin, staff]) {
    expect(idsOf(await list(browser))).toEqual([week, conference, day]);
    expect((await desk(browser)).map(idsOf)).toEqual([
      [week, day],
      [week, conference, day],
    ]);
  }
});

test('of two administrators who put the same list in order, the later one is told, and nothing is lost', async () => {
  const { revision } = await list(api.admin);
  expect((await reorder([day, week, conference], revision)).status).toBe(204);
  const told = { status: 409, body: { error: 'refused', message: 'changed-meanwhile' } };
  expect(await reorder([conference, week, day], revision)).toMatchObject(told);
  expect(idsOf(await list(api.admin))).toEqual([day, week, conference]);
  // Nor does an order without a profile that was added meanwhile, or with one that is gone, change anything.
  const now = (await list(api.admin)).revision;
  expect(await reorder([day, week], now)).toMatchObject(told);
  expect(await reorder([day, week, conference, 9999], now)).toMatchObject(told);
  expect((await reorder([day, day, week], now)).status).toBe(400);
  expect((await list(api.admin)).revision).toBe(now);
});

test('nothing is chosen at first; the default is where it applies, and a default of the site comes before it', async () => {
  const defaults = async () => (await desk(staff)).map(({ defaultProfileId }) => defaultProfileId);
  expect(await defaults()).toEqual([null, null]);
  await setDefault(conference);
  expect(await defaults()).toEqual([null, conference]);
  await setDefault(day);
  expect(await defaults()).toEqual([day, day]);
  await api.admin.patch(`/sites/${String(tower)}`, { defaultProfileId: week });
  expect(await defaults()).toEqual([day, week]);
  expect((await list(api.admin)).profiles.filter(({ isDefault }) => isDefault)).toMatchObject([{ id: day }]);
  await setDefault(null);
  expect(await defaults()).toEqual([null, week]);
  await api.admin.patch(`/sites/${String(tower)}`, { defaultProfileId: null });
});

test('a default that is removed leaves none', async () => {
  const passing = await add('Vorübergehend');
  await setDefault(passing);
  expect((await desk(staff))[0]).toMatchObject({ defaultProfileId: passing });
  expect((await api.admin.delete(`/profiles/${String(passing)}`)).status).toBe(204);
  expect((await desk(staff))[0]).toMatchObject({ defaultProfileId: null });
});

test('a default that does not exist is not found', async () => {
  expect((await api.admin.put('/default-profile', { profileId: 9999 })).status).toBe(404);
});

test('the audit log tells who put them in order, and which is the default', async () => {
  await setDefault(day);
  expect((await reorder(idsOf(await list(api.admin)), (await list(api.admin)).revision)).status).toBe(204);
  await setDefault(null);
  const { entries } = (await api.admin.get('/audit?area=profile')).body as WebSchema<'AuditPage'>;
  expect(entries.slice(0, 3)).toMatchObject([
    { action: 'profile.default', subjectName: null, detail: { removed: true } },
    { action: 'profile.order', actorName: 'Anna Berger', detail: { count: 3 } },
    { action: 'profile.default', subjectName: 'Tag', subjectId: String(day) },
  ]);
});
