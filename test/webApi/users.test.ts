import { expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { adminPassword, makeBrowser, signIn, signInNew, type Browser } from '../support/web.js';

const api = withAdmin({ perTest: 'service' });

const idOf = async (admin: Browser, name: string): Promise<number> => {
  const { users } = (await admin.get('/users')).body as { users: { id: number; name: string }[] };
  return users.find((user) => user.name === name)!.id;
};

test('a user gets a password that is shown once, and is listed without it', async () => {
  const siteId = await api.addSite();
  const created = await api.admin.post('/users', {
    name: ' Jonas Weber ',
    email: 'jonas@example.org',
    role: 'staff',
    siteIds: [siteId],
  });
  expect(created).toMatchObject({
    status: 201,
    body: { user: { name: 'Jonas Weber', role: 'staff', siteIds: [siteId], passwordIsTemporary: true } },
  });
  const { password } = created.body as { password: string };
  const list = await api.admin.get('/users');
  expect((list.body as { users: { name: string }[] }).users.map(({ name }) => name)).toEqual([
    'Anna Berger',
    'Jonas Weber',
  ]);
  expect(list.text).not.toContain(password);
  await signIn(api, 'jonas@example.org', password);
});

test('a user may have more sites than one statement can insert', async () => {
  const first = await api.addSite();
  const { tables } = api.app;
  const { controllerId } = (await tables.sites.all()).find(({ id }) => id === first)!;
  const siteIds = [first];
  for (let count = 0; count < 600; count += 1) {
    const site = { name: `Haus ${String(count)}`, active: true, controllerId, controllerSite: String(count) };
    siteIds.push(await tables.sites.add(site, 0));
  }
  const created = await api.admin.post('/users', { name: 'Jonas', role: 'staff', siteIds });
  expect(created).toMatchObject({ status: 201, body: { user: { siteIds } } });
});

test('a change of the role ends the sessions of the user, and so does disabling them', async () => {
  const staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff' });
  const id = await idOf(api.admin, 'Jonas');
  expect(await api.admin.patch(`/users/${String(id)}`, { role: 'admin' })).toMatchObject({
    status: 200,
    body: { role: 'admin' },
  });
  expect((await staff.get('/session')).status).toBe(401);
  const again = await signIn(api, 'Jonas', adminPassword);
  expect((await again.get('/users')).status).toBe(200);
  const disabled = await api.admin.patch(`/users/${String(id)}`, { isDisabled: true });
  expect((disabled.body as { disabledAt: string | null }).disabledAt).not.toBeNull();
  expect((await again.get('/session')).status).toBe(401);
  const login = { login: 'Jonas', password: adminPassword };
  expect((await makeBrowser(api).post('/session', login)).status).toBe(401);
  await api.admin.patch(`/users/${String(id)}`, { isDisabled: false });
  await signIn(api, 'Jonas', adminPassword);
});

test('an administrator changes name and e-mail address, and the sessions of the user go on', async () => {
  const staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff' });
  const path = `/users/${String(await idOf(api.admin, 'Jonas'))}`;
  const change = { name: ' Jonas Weber-Öztürk ', email: ' Jonas@Example.org ' };
  expect(await api.admin.patch(path, change)).toMatchObject({
    status: 200,
    body: { name: 'Jonas Weber-Öztürk', email: 'Jonas@Example.org', role: 'staff' },
  });
  expect((await staff.get('/session')).body).toMatchObject({ name: 'Jonas Weber-Öztürk' });
  for (const login of ['JONAS weber-öztürk', 'jonas@example.org']) await signIn(api, login, adminPassword);
  expect((await makeBrowser(api).post('/session', { login: 'Jonas', password: adminPassword })).status).toBe(
    401,
  );
  expect((await api.admin.get('/audit?area=user')).body).toMatchObject({
    entries: expect.arrayContaining([
      expect.objectContaining({
        action: 'user.change',
        subjectName: 'Jonas Weber-Öztürk',
        detail: { formerName: 'Jonas', email: 'Jonas@Example.org', formerEmail: null },
      }),
    ]),
  });
  expect(await api.admin.patch(path, { email: '' })).toMatchObject({ status: 200, body: { email: null } });
  expect(await api.admin.patch(path, { email: null })).toMatchObject({ status: 200, body: { email: null } });
});

test('a name or address is refused that is not valid, or that of another user', async () => {
  const cases: [string, object, number, string][] = [
    ['that of another user', { name: 'ANNA BERGER' }, 409, 'name-taken'],
    ['the address of another user', { name: 'anna@example.org' }, 409, 'name-taken'],
    ['an address that another user has', { email: 'ANNA@example.org' }, 409, 'email-taken'],
    ['an address that is the name of another user', { email: 'x@y' }, 409, 'email-taken'],
    ['an empty name', { name: ' ' }, 400, 'name-invalid'],
    ['a name with a control character', { name: 'a\u0000b\u202e' }, 400, 'name-invalid'],
    ['a name of 64 KiB', { name: 'x'.repeat(65_000) }, 400, 'name-invalid'],
    ['an address of 64 KiB', { email: `${'x'.repeat(65_000)}@y` }, 400, 'email-invalid'],
    ['no address', { email: 'jonas' }, 400, 'email-invalid'],
  ];
  const anna = `/users/${String(await idOf(api.admin, 'Anna Berger'))}`;
  expect((await api.admin.patch(anna, { email: 'anna@example.org' })).status).toBe(200);
  await api.admin.post('/users', { name: 'x@y', role: 'staff' });
  const created = await api.admin.post('/users', {
    name: 'Jonas',
    role: 'staff',
    email: 'jonas@example.org',
  });
  const { user: jonas } = created.body as { user: { id: number } };
  const path = `/users/${String(jonas.id)}`;
  for (const [name, change, status, message] of cases) {
    const answer = await api.admin.patch(path, { role: 'viewer', ...change });
    expect({ name, ...answer }).toMatchObject({ name, status, body: { message } });
    expect((await api.admin.get('/users')).body).toMatchObject({ users: expect.arrayContaining([jonas]) });
  }
});

test('the last administrator can be neither disabled, nor made staff, nor removed', async () => {
  const path = `/users/${String(await idOf(api.admin, 'Anna Berger'))}`;
  const refused = { status: 409, body: { message: 'last-administrator' } };
  expect(await api.admin.patch(path, { isDisabled: true })).toMatchObject(refused);
  expect(await api.admin.patch(path, { role: 'staff' })).toMatchObject(refused);
  expect(await api.admin.delete(path)).toMatchObject(refused);
  expect((await api.admin.get('/session')).status).toBe(200);
});

test('an administrator resets a password, ends all sessions, and removes a user', async () => {
  const staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff' });
  const path = `/users/${String(await idOf(api.admin, 'Jonas'))}`;
  expect((await api.admin.get(`${path}/sessions`)).body).toMatchObject({ sessions: [{ isCurrent: false }] });
  expect((await api.admin.delete(`${path}/sessions`)).status).toBe(204);
  expect((await staff.get('/session')).status).toBe(401);
  const reset = await api.admin.post(`${path}/password`);
  await signIn(api, 'Jonas', (reset.body as { password: string }).password);
  expect((await api.admin.delete(`${path}/second-factor`)).body).toMatchObject({
    message: 'no-second-factor',
  });
  expect((await api.admin.delete(path)).status).toBe(204);
  expect((await api.admin.delete(path)).status).toBe(404);
});

test('the audit log tells who did what, is filtered, and is exported without formulas', async () => {
  const name = '=HYPERLINK("https://evil.example")';
  await api.admin.post('/users', { name, role: 'staff' });
  await makeBrowser(api).post('/session', { login: 'Anna Berger', password: 'falsch' });
  const { entries } = (await api.admin.get('/audit?area=user')).body as {
    entries: { action: string; subjectName: string | null; actorName: string | null; address: string }[];
  };
  expect(entries.map(({ action }) => action)).toEqual([
    'user.sign-in-refused',
    'user.create',
    'user.sign-in',
    'user.create',
  ]);
  expect(entries[1]).toMatchObject({ actorName: 'Anna Berger', subjectName: name, address: '127.0.0.1' });
  const none = await api.admin.get('/audit?area=key');
  expect(none.body).toEqual({ entries: [], next: null });
  const file = await api.admin.get('/audit.csv');
  expect(file.headers).toMatchObject({
    'content-type': expect.stringMatching(/^text\/csv/),
    'content-disposition': 'attachment; filename="audit.csv"',
  });
  expect(file.text).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
  expect((await api.admin.get('/audit?cursor=falsch')).status).toBe(400);
  expect((await api.admin.get('/audit?from=gestern')).body).toMatchObject({ message: 'time-invalid' });
});
