import { expect, test } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { withAdmin } from '../support/api.js';
import { adminPassword, cookieOf, makeBrowser, signIn, signInNew, type Browser } from '../support/web.js';

const api = withAdmin({ perTest: 'service' });

test('a session is a cookie that script can not read, and ends at sign-out', async () => {
  const login = { login: 'anna berger', password: adminPassword };
  const answer = await makeBrowser(api).post('/session', login);
  expect(answer.headers['set-cookie']?.[0]).toMatch(
    /^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
  );
  const browser = makeBrowser(api, cookieOf(answer));
  const out = await browser.delete('/session');
  expect(out.status).toBe(204);
  expect(out.headers['set-cookie']?.[0]).toMatch(/^session=; .*Max-Age=0/);
  expect(await browser.get('/session')).toMatchObject({ status: 401, body: { message: 'session-ended' } });
});

test('an unknown user and a wrong password are answered alike', async () => {
  const visitor = makeBrowser(api);
  const refused = { status: 401, body: { error: 'unauthorized', message: 'sign-in-refused' } };
  expect(await visitor.post('/session', { login: 'Anna Berger', password: 'falsch' })).toMatchObject(refused);
  expect(await visitor.post('/session', { login: 'Niemand', password: 'falsch' })).toMatchObject(refused);
});

test('after ten attempts at an account nothing is checked, and the answer says when to come back', async () => {
  const visitor = makeBrowser(api);
  for (let attempt = 0; attempt < 10; attempt += 1)
    await visitor.post('/session', { login: 'Anna Berger', password: 'falsch' });
  const answer = await visitor.post('/session', { login: 'Anna Berger', password: adminPassword });
  expect(answer).toMatchObject({ status: 429, body: { message: 'too-many-attempts' } });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
});

test('guesses elsewhere keep neither a session from changing its password nor its browser from signing in', async () => {
  const visitor = makeBrowser(api);
  const login = { login: 'Anna Berger', password: adminPassword };
  const signedIn = await visitor.post('/session', login);
  const [, known = ''] = signedIn.headers['set-cookie'] ?? [];
  expect(known).toMatch(/^known-browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/);
  // All of an address, which is everybody's here, and all of the account.
  for (let attempt = 0; attempt < 40; attempt += 1)
    await visitor.post('/session', {
      login: attempt < 15 ? 'Anna Berger' : `Gast ${attempt}`,
      password: 'falsch',
    });
  expect((await visitor.post('/session', login)).status).toBe(429);
  const next = 'Lampe Fluss Zwiebel 7';
  const changed = await api.admin.put('/account/password', { current: adminPassword, password: next });
  expect(changed.status).toBe(204);
  const knownBrowser = makeBrowser(api, known.split(';')[0]);
  expect((await knownBrowser.post('/session', { ...login, password: next })).status).toBe(200);
});

test('a session has ten wrong passwords in a quarter of an hour', async () => {
  const change = (current: string) =>
    api.admin.put('/account/password', { current, password: 'Lampe Fluss Zwiebel 7' });
  for (let attempt = 0; attempt < 10; attempt += 1) expect((await change('falsch')).status).toBe(409);
  expect((await change(adminPassword)).status).toBe(429);
});

test('a temporary password has to be changed before anything else', async () => {
  const created = await api.admin.post('/users', { name: 'Jonas', role: 'admin' });
  const { password } = created.body as { password: string };
  const jonas = await signIn(api, 'Jonas', password);
  expect(await jonas.get('/session')).toMatchObject({ body: { mustChangePassword: true } });
  expect(await jonas.get('/users')).toMatchObject({
    status: 403,
    body: { message: 'password-change-required' },
  });
  const changed = await jonas.put('/account/password', { current: password, password: adminPassword });
  expect(changed.status).toBe(204);
  expect((await jonas.get('/session')).status).toBe(401);
  expect((await makeBrowser(api, cookieOf(changed)).get('/users')).status).toBe(200);
});

test('right after a sign-in with a temporary password, only the new one is asked for', async () => {
  const created = await api.admin.post('/users', { name: 'Jonas', role: 'staff' });
  const { password } = created.body as { password: string };
  const jonas = await signIn(api, 'Jonas', password);
  expect((await jonas.get('/session')).body).toMatchObject({
    mustChangePassword: true,
    asksCurrentPassword: false,
  });
  expect(await jonas.put('/account/password', { password: 'kurz' })).toMatchObject({
    status: 409,
    body: { message: 'password-short' },
  });
  const changed = await jonas.put('/account/password', { password: adminPassword });
  expect(changed.status).toBe(204);
  const again = makeBrowser(api, cookieOf(changed));
  expect((await again.get('/session')).body).toMatchObject({
    mustChangePassword: false,
    asksCurrentPassword: true,
  });
  expect(await again.put('/account/password', { password: 'Lampe Fluss Zwiebel 7' })).toMatchObject({
    status: 409,
    body: { message: 'current-password-missing' },
  });
});

test('a quarter of an hour later, the temporary password is asked for again', async () => {
  const created = await api.admin.post('/users', { name: 'Jonas', role: 'staff' });
  const { password } = created.body as { password: string };
  const jonas = await signIn(api, 'Jonas', password);
  await api.database.write('sessions').update({ created_at: api.app.now() - 15 * 60_000 });
  await api.tables.users.change(1, () => ({ endsSessions: false, audit: null }));
  expect((await jonas.get('/session')).body).toMatchObject({ asksCurrentPassword: true });
  expect(await jonas.put('/account/password', { password: adminPassword })).toMatchObject({
    status: 409,
    body: { message: 'current-password-missing' },
  });
  expect((await jonas.put('/account/password', { current: password, password: adminPassword })).status).toBe(
    204,
  );
});

test.each([
  ['the current one is wrong', { current: 'falsch', password: adminPassword }, 409, 'password-wrong'],
  ['the new one is short', { current: adminPassword, password: 'kurz' }, 409, 'password-short'],
  ['there is no new one', { current: adminPassword }, 400, 'password-short'],
])('a password is not changed when %s', async (_, body, status, message) => {
  expect(await api.admin.put('/account/password', body)).toMatchObject({ status, body: { message } });
  expect((await api.admin.get('/session')).status).toBe(200);
});

/** Sets up a second factor, and returns how to make its codes. */
const enrol = async (browser: Browser) => {
  const begun = await browser.post('/account/second-factor', { current: adminPassword });
  expect(begun.status).toBe(200);
  const { secret } = begun.body as { secret: string };
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const confirmed = await browser.put('/account/second-factor', { code: totp.generate() });
  expect(confirmed.status).toBe(200);
  const { recoveryCodes } = confirmed.body as { recoveryCodes: string[] };
  return { browser: makeBrowser(api, cookieOf(confirmed)), recoveryCodes };
};

test('with a second factor a password alone is not enough, and a recovery code works once', async () => {
  const { recoveryCodes } = await enrol(api.admin);
  expect(recoveryCodes).toHaveLength(10);
  const login = { login: 'Anna Berger', password: adminPassword };
  const visitor = makeBrowser(api);
  const first = await visitor.post('/session', login);
  expect(first).toMatchObject({ status: 200, body: { outcome: 'code-required' } });
  expect(first.headers['set-cookie']).toBeUndefined();
  const [code] = recoveryCodes;
  await signIn(api, 'Anna Berger', adminPassword, code);
  expect((await visitor.post('/session', { ...login, code })).status).toBe(401);
});

test('a role that has to have a second factor may do nothing else before it is set up, and keeps it', async () => {
  const staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff' });
  expect((await api.admin.put('/sign-in-rules', { secondFactorRoles: ['staff'] })).status).toBe(204);
  expect(await staff.get('/session')).toMatchObject({ body: { mustSetUpSecondFactor: true } });
  expect(await staff.get('/account/sessions')).toMatchObject({
    status: 403,
    body: { message: 'second-factor-required' },
  });
  const { browser } = await enrol(staff);
  expect((await browser.get('/account/sessions')).status).toBe(200);
  expect(await browser.post('/account/second-factor/remove', { current: adminPassword })).toMatchObject({
    status: 409,
    body: { message: 'second-factor-required' },
  });
});

test('sessions are listed, and ended one by one', async () => {
  const other = await signIn(api, 'Anna Berger', adminPassword);
  const { sessions } = (await api.admin.get('/account/sessions')).body as {
    sessions: { id: string; isCurrent: boolean }[];
  };
  expect(sessions).toHaveLength(2);
  const foreign = sessions.find(({ isCurrent }) => !isCurrent)!;
  expect((await api.admin.delete(`/account/sessions/${foreign.id}`)).status).toBe(204);
  expect((await other.get('/session')).status).toBe(401);
  expect((await api.admin.get('/session')).status).toBe(200);
  expect((await api.admin.delete(`/account/sessions/${foreign.id}`)).status).toBe(404);
});

test('no answer may be stored, by a browser or on the way', async () => {
  for (const path of ['/session', '/users', '/audit.csv', '/nothing-there'])
    expect((await api.admin.get(path)).headers['cache-control'] ?? 'no-store').toBe('no-store');
  expect((await api.admin.get('/audit.csv')).headers['cache-control']).toBe('no-store');
});

test('the language is kept with the user', async () => {
  expect((await api.admin.put('/account/language', { language: 'en' })).status).toBe(204);
  expect(await api.admin.get('/session')).toMatchObject({ body: { language: 'en' } });
  expect((await api.admin.put('/account/language', { language: 'fr' })).status).toBe(204);
  // Guests read it, but no page for users is in it.
  expect((await api.admin.put('/account/language', { language: 'pl' })).status).toBe(400);
});
