import { expect, test } from '@jest/globals';
import { withServicePerTest } from '../support/service.js';
import { makeBrowser, signInFirst, signInNew, type Browser } from '../support/web.js';

const service = withServicePerTest();

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
  const admin = await signInFirst(service);
  const id = await add(admin);
  const limits = { down: 0, up: 0, quotaMb: 0, siteIds: null };
  expect(await list(admin)).toEqual([{ id, ...dayGuest, ...limits }]);
  const site = await service.addSite();
  const change = { ...dayGuest, name: 'Woche', expireMinutes: 10_080, down: 20_000, siteIds: [site, site] };
  const changed = { id, ...change, up: 0, quotaMb: 0, siteIds: [site] };
  expect(await admin.put(`/profiles/${String(id)}`, change)).toMatchObject({ status: 200, body: changed });
  expect(await list(admin)).toEqual([changed]);
  expect((await admin.delete(`/profiles/${String(id)}`)).status).toBe(204);
  expect(await list(admin)).toEqual([]);
  expect((await admin.get('/audit?area=profile')).body).toMatchObject({
    entries: [
      { action: 'profile.remove', subjectName: 'Woche', actorName: 'Anna Berger' },
      { action: 'profile.change', detail: { expireMinutes: 10_080, sites: String(site) } },
      { action: 'profile.add', subjectKind: 'profile', subjectId: String(id), detail: { sites: 'all' } },
    ],
  });
});

test('names are unique without regard to case, are sorted as people sort, and a profile may keep its own', async () => {
  const admin = await signInFirst(service);
  await add(admin, { name: 'Zimmer 10' });
  await add(admin, { name: 'Zimmer 9' });
  const id = await add(admin, { name: 'ärzte' });
  const taken = { status: 409, body: { message: 'name-taken' } };
  expect(await admin.post('/profiles', { ...dayGuest, name: 'ÄRZTE' })).toMatchObject(taken);
  expect(await admin.put(`/profiles/${String(id)}`, { ...dayGuest, name: 'zimmer 9' })).toMatchObject(taken);
  expect((await admin.put(`/profiles/${String(id)}`, { ...dayGuest, name: 'Ärzte' })).status).toBe(200);
  expect(await names(admin)).toEqual(['Ärzte', 'Zimmer 9', 'Zimmer 10']);
});

test.each([
  ['no name', { name: '' }, 400, 'name-invalid'],
  ['a control character in its name', { name: 'a\u0007b' }, 400, 'name-invalid'],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, 400, 'name-invalid'],
  ['no uses', { maxUses: 0 }, 400, 'number-invalid'],
  ['a validity of 0', { expireMinutes: 0 }, 400, 'number-invalid'],
  ['a validity beyond 31 bits', { expireMinutes: 2_147_483_648 }, 400, 'number-invalid'],
  ['a negative limit', { up: -1 }, 400, 'number-invalid'],
  ['a site that does not exist', { siteIds: [999] }, 409, 'unknown-site'],
])('a profile with %s is refused, and nothing is stored', async (_, fields, status, message) => {
  const admin = await signInFirst(service);
  const id = await add(admin, { name: 'Alt' });
  expect(await admin.post('/profiles', { ...dayGuest, ...fields })).toMatchObject({
    status,
    body: { message },
  });
  expect(await admin.put(`/profiles/${String(id)}`, { ...dayGuest, ...fields })).toMatchObject({ status });
  expect(await list(admin)).toMatchObject([{ name: 'Alt' }]);
});

test('a body of 64 KiB and more is refused', async () => {
  const admin = await signInFirst(service);
  const answer = await admin.post('/profiles', { ...dayGuest, name: 'x'.repeat(65_536) });
  expect(answer).toMatchObject({ status: 413, body: { message: 'too-large' } });
});

test('script and formulas in a name come back as text', async () => {
  const admin = await signInFirst(service);
  const name = '=cmd|\'/c calc\'!A1<script>alert("x")</script>';
  await add(admin, { name });
  expect(await names(admin)).toEqual([name]);
});

test('a profile that does not exist is not found', async () => {
  const admin = await signInFirst(service);
  expect((await admin.put('/profiles/999', dayGuest)).status).toBe(404);
  expect((await admin.delete('/profiles/999')).status).toBe(404);
});

test('staff see the profiles of their sites, and of these only their own sites', async () => {
  const admin = await signInFirst(service);
  const [own, other] = [await service.addSite(), await service.addSite({ name: 'Turm' })];
  await add(admin, { name: 'alle' });
  await add(admin, { name: 'beide', siteIds: [own, other] });
  await add(admin, { name: 'fremd', siteIds: [other] });
  await add(admin, { name: 'keine', siteIds: [] });
  const staff = await signInNew(service, admin, { name: 'Jonas', role: 'staff', siteIds: [own] });
  expect(await list(staff)).toMatchObject([
    { name: 'alle', siteIds: null },
    { name: 'beide', siteIds: [own] },
  ]);
  const nowhere = await signInNew(service, admin, { name: 'Eva', role: 'staff' });
  expect(await list(nowhere)).toEqual([]);
});

test('staff change nothing, and visitors see nothing', async () => {
  const admin = await signInFirst(service);
  const path = `/profiles/${String(await add(admin))}`;
  const staff = await signInNew(service, admin, { name: 'Jonas', role: 'staff' });
  const changes = [
    await staff.post('/profiles', { ...dayGuest, name: 'Neu' }),
    await staff.put(path, dayGuest),
    await staff.delete(path),
  ];
  expect(changes.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect((await makeBrowser(service).get('/profiles')).status).toBe(401);
  expect(await names(admin)).toEqual(['Tagesgast']);
});

test('sites lose a default that is removed, or that is no longer for them', async () => {
  const admin = await signInFirst(service);
  const [one, two] = [await service.addSite({ name: 'A' }), await service.addSite({ name: 'B' })];
  const id = await add(admin);
  for (const site of [one, two])
    expect((await admin.patch(`/sites/${String(site)}`, { defaultProfileId: id })).status).toBe(200);
  const defaults = async () =>
    ((await admin.get('/sites')).body as { sites: { defaultProfileId: number | null }[] }).sites.map(
      ({ defaultProfileId }) => defaultProfileId,
    );
  expect(await defaults()).toEqual([id, id]);
  await admin.put(`/profiles/${String(id)}`, { ...dayGuest, siteIds: [two] });
  expect(await defaults()).toEqual([null, id]);
  await admin.delete(`/profiles/${String(id)}`);
  expect(await defaults()).toEqual([null, null]);
});

test('a change of profiles raises their revision, which the events tell of', async () => {
  const admin = await signInFirst(service);
  const { revisions } = service.service.tables;
  const before = await revisions.current('profiles');
  await add(admin);
  expect(await revisions.current('profiles')).toBe(before + 1);
});
