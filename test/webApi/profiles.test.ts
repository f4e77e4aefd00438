import { expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { signInNew, type Browser } from '../support/web.js';

const api = withAdmin({ perTest: 'service' });

const dayGuest = { name: 'Tagesgast', maxUses: 1, expireMinutes: 1440 };
const add = async (admin: Browser, fields: object = {}): Promise<number> => {
  const answer = await admin.post('/profiles', { ...dayGuest, ...fields });
  expect(answer.status).toBe(201);
  return (answer.body as { id: number }).id;
};
const list = async (browser: Browser): Promise<Record<string, unknown>[]> =>
  ((await browser.get('/profiles')).body as { profiles: Record<string, unknown>[] }).profiles;
const names = async (browser: Browser) => (await list(browser)).map(({ name }) => name);

test('a profile is added with its defaults, changed as a whole, and removed; the audit log tells', async () => {
  const id = await add(api.admin);
  const limits = { down: 0, up: 0, quotaMb: 0, siteIds: null, isDefault: false };
  expect(await list(api.admin)).toEqual([{ id, ...dayGuest, ...limits }]);
  const site = await api.addSite();
  const change = { ...dayGuest, name: 'Woche', expireMinutes: 10_080, down: 20_000, siteIds: [site, site] };
  const changed = { id, ...change, up: 0, quotaMb: 0, siteIds: [site], isDefault: false };
  expect(await api.admin.put(`/profiles/${String(id)}`, change)).toMatchObject({
    status: 200,
    body: changed,
  });
  expect(await list(api.admin)).toEqual([changed]);
  expect((await api.admin.delete(`/profiles/${String(id)}`)).status).toBe(204);
  expect(await list(api.admin)).toEqual([]);
  expect((await api.admin.get('/audit?area=profile')).body).toMatchObject({
    entries: [
      { action: 'profile.remove', subjectName: 'Woche', actorName: 'Anna Berger' },
      { action: 'profile.change', detail: { expireMinutes: 10_080, sites: String(site) } },
      { action: 'profile.add', subjectKind: 'profile', subjectId: String(id), detail: { sites: 'all' } },
    ],
  });
});

test('names are unique without regard to case, are sorted as people sort, and a profile may keep its own', async () => {
  await add(api.admin, { name: 'Zimmer 10' });
  await add(api.admin, { name: 'Zimmer 9' });
  const id = await add(api.admin, { name: 'ärzte' });
  const taken = { status: 409, body: { message: 'name-taken' } };
  expect(await api.admin.post('/profiles', { ...dayGuest, name: 'ÄRZTE' })).toMatchObject(taken);
  expect(await api.admin.put(`/profiles/${String(id)}`, { ...dayGuest, name: 'zimmer 9' })).toMatchObject(
    taken,
  );
  expect((await api.admin.put(`/profiles/${String(id)}`, { ...dayGuest, name: 'Ärzte' })).status).toBe(200);
  expect(await names(api.admin)).toEqual(['Ärzte', 'Zimmer 9', 'Zimmer 10']);
});

test('a profile that is not valid is refused, and nothing is stored', async () => {
  const cases: [string, object, number, string][] = [
    ['no name', { name: '' }, 400, 'name-invalid'],
    ['a control character in its name', { name: 'a\u0007b' }, 400, 'name-invalid'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 400, 'name-invalid'],
    ['no uses', { maxUses: 0 }, 400, 'number-invalid'],
    ['a validity of 0', { expireMinutes: 0 }, 400, 'number-invalid'],
    ['a validity beyond 31 bits', { expireMinutes: 2_147_483_648 }, 400, 'number-invalid'],
    ['a negative limit', { up: -1 }, 400, 'number-invalid'],
    ['a site that does not exist', { siteIds: [999] }, 409, 'unknown-site'],
  ];
  const path = `/profiles/${String(await add(api.admin, { name: 'Alt' }))}`;
  for (const [name, fields, status, message] of cases) {
    const posted = await api.admin.post('/profiles', { ...dayGuest, ...fields });
    expect({ name, ...posted }).toMatchObject({ name, status, body: { message } });
    const changed = await api.admin.put(path, { ...dayGuest, ...fields });
    expect({ name, ...changed }).toMatchObject({ name, status });
  }
});

test('a body of 64 KiB and more is refused', async () => {
  const answer = await api.admin.post('/profiles', { ...dayGuest, name: 'x'.repeat(65_536) });
  expect(answer).toMatchObject({ status: 413, body: { message: 'too-large' } });
});

test('script and formulas in a name come back as text', async () => {
  const name = '=cmd|\'/c calc\'!A1<script>alert("x")</script>';
  await add(api.admin, { name });
  expect(await names(api.admin)).toEqual([name]);
});

test('staff see the profiles of their sites, and of these only their own sites', async () => {
  const [own, other] = [await api.addSite(), await api.addSite({ name: 'Turm' })];
  await add(api.admin, { name: 'alle' });
  await add(api.admin, { name: 'beide', siteIds: [own, other] });
  await add(api.admin, { name: 'fremd', siteIds: [other] });
  await add(api.admin, { name: 'keine', siteIds: [] });
  const staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds: [own] });
  expect(await list(staff)).toMatchObject([
    { name: 'alle', siteIds: null },
    { name: 'beide', siteIds: [own] },
  ]);
  const nowhere = await signInNew(api, api.admin, { name: 'Eva', role: 'staff' });
  expect(await list(nowhere)).toEqual([]);
});

test('sites lose a default that is removed, or that is no longer for them', async () => {
  const [one, two] = [await api.addSite({ name: 'A' }), await api.addSite({ name: 'B' })];
  const id = await add(api.admin);
  for (const site of [one, two])
    expect((await api.admin.patch(`/sites/${String(site)}`, { defaultProfileId: id })).status).toBe(200);
  const defaults = async () =>
    ((await api.admin.get('/sites')).body as { sites: { defaultProfileId: number | null }[] }).sites.map(
      ({ defaultProfileId }) => defaultProfileId,
    );
  expect(await defaults()).toEqual([id, id]);
  await api.admin.put(`/profiles/${String(id)}`, { ...dayGuest, siteIds: [two] });
  expect(await defaults()).toEqual([null, id]);
  await api.admin.delete(`/profiles/${String(id)}`);
  expect(await defaults()).toEqual([null, null]);
});

test('a change of profiles raises their revision, which the events tell of', async () => {
  const { revisions } = api.tables;
  const before = await revisions.current('profiles');
  await add(api.admin);
  expect(await revisions.current('profiles')).toBe(before + 1);
});
