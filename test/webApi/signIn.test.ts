import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { withApi } from '../support/api.js';
import { makeClock } from '../support/clock.js';
import type { Answer } from '../support/service.js';
import {
  adminPassword,
  cookieOf,
  makeBrowser,
  signIn,
  signInFirst,
  signInNew,
  type Browser,
} from '../support/web.js';

const clock = makeClock();
const api = withApi({ key: false, site: false, system: { now: clock.now } });
const other = 'Lampe Fluss Zwiebel 7';
const anna = { login: 'Anna Berger', password: adminPassword };

let admin: Browser;
let visitor: Browser;
/** What everybody is told before there is an administrator and after. */
let starts: Answer[];
let withoutToken: Answer;
beforeAll(async () => {
  visitor = makeBrowser(api);
  const before = await visitor.get('/start');
  const wrong = { token: 'falsch', name: 'Eve', password: adminPassword };
  withoutToken = await visitor.post('/first-administrator', wrong);
  admin = await signInFirst(api);
  starts = [before, await visitor.get('/start')];
});
// Everybody here has the same address, whose attempts the tests would share.
beforeEach(() => clock.advance(15 * 60_000));

/** Adds a user, and returns their temporary password. */
const add = async (name: string, role = 'staff'): Promise<string> => {
  const created = await admin.post('/users', { name, role });
  expect(created.status).toBe(201);
  return (created.body as { password: string }).password;
};

test('the first administrator is made with the token of the terminal, once', async () => {
  expect(starts.map(({ body }) => body)).toMatchObject([
    { needsAdministrator: true },
    { needsAdministrator: false },
  ]);
  expect(withoutToken).toMatchObject({ status: 409, body: { error: 'refused', message: 'setup-refused' } });
  expect(await api.app.firstStartUrl()).toBeUndefined();
  expect(await admin.get('/session')).toMatchObject({
    status: 200,
    body: { name: 'Anna Berger', role: 'admin', language: 'de', mustChangePassword: false },
  });
});

test('an unknown user and a wrong password are answered alike', async () => {
  const refused = { status: 401, body: { error: 'unauthorized', message: 'sign-in-refused' } };
  for (const login of ['Anna Berger', 'Niemand'])
    expect(await visitor.post('/session', { login, password: 'falsch' })).toMatchObject(refused);
});

test('after ten attempts at an account nothing is checked, and the answer says when to come back', async () => {
  for (let attempt = 0; attempt < 10; attempt += 1)
    await visitor.post('/session', { ...anna, password: 'falsch' });
  const answer = await visitor.post('/session', anna);
  expect(answer).toMatchObject({ status: 429, body: { message: 'too-many-attempts' } });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
});

test('guesses elsewhere keep neither a session from changing its password nor its browser from signing in', async () => {
  const jonas = await signInNew(api, admin, { name: 'Jonas', role: 'staff' });
  const login = { login: 'Jonas', password: adminPassword };
  const [, known = ''] = (await visitor.post('/session', login)).headers['set-cookie'] ?? [];
  expect(known).toMatch(/^known-browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/);
  // All of an address, which is everybody's here, and all of the account.
  for (let attempt = 0; attempt < 40; attempt += 1)
    await visitor.post('/session', { login: attempt < 15 ? 'Jonas' : `Gast ${attempt}`, password: 'falsch' });
  expect((await visitor.post('/session', login)).status).toBe(429);
  const changed = await jonas.put('/account/password', { current: adminPassword, password: other });
  expect(changed.status).toBe(204);
  const knownBrowser = makeBrowser(api, known.split(';')[0]);
  expect((await knownBrowser.post('/session', { ...login, password: other })).status).toBe(200);
});

test('a temporary password has to be changed before anything else', async () => {
  const password = await add('Petra', 'admin');
  const petra = await signIn(api, 'Petra', password);
  expect(await petra.get('/session')).toMatchObject({ body: { mustChangePassword: true } });
  expect(await petra.get('/users')).toMatchObject({
    status: 403,
    body: { message: 'password-change-required' },
  });
  const changed = await petra.put('/account/password', { current: password, password: adminPassword });
  expect(changed.status).toBe(204);
  expect((await petra.get('/session')).status).toBe(401);
  expect((await makeBrowser(api, cookieOf(changed)).get('/users')).status).toBe(200);
});

test('right after a sign-in with a temporary password, only the new one is asked for', async () => {
  const vera = await signIn(api, 'Vera', await add('Vera'));
  expect((await vera.get('/session')).body).toMatchObject({
    mustChangePassword: true,
    asksCurrentPassword: false,
  });
  expect(await vera.put('/account/password', { password: 'kurz' })).toMatchObject({
    status: 409,
    body: { message: 'password-short' },
  });
  const changed = await vera.put('/account/password', { password: adminPassword });
  expect(changed.status).toBe(204);
  const again = makeBrowser(api, cookieOf(changed));
  expect((await again.get('/session')).body).toMatchObject({
    mustChangePassword: false,
    asksCurrentPassword: true,
  });
  expect(await again.put('/account/password', { password: other })).toMatchObject({
    status: 409,
    body: { message: 'current-password-missing' },
  });
});

test('a quarter of an hour later, the temporary password is asked for again', async () => {
  const current = await add('Kurt');
  const kurt = await signIn(api, 'Kurt', current);
  clock.advance(15 * 60_000);
  expect((await kurt.get('/session')).body).toMatchObject({ asksCurrentPassword: true });
  expect(await kurt.put('/account/password', { password: adminPassword })).toMatchObject({
    status: 409,
    body: { message: 'current-password-missing' },
  });
  expect((await kurt.put('/account/password', { current, password: adminPassword })).status).toBe(204);
});

/** Sets up a second factor, and returns how to go on. */
const enrol = async (browser: Browser) => {
  const begun = await browser.post('/account/second-factor', { current: adminPassword });
  expect(begun.status).toBe(200);
  const { secret } = begun.body as { secret: string };
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const confirmed = await browser.put('/account/second-factor', {
    code: totp.generate({ timestamp: clock.now() }),
  });
  expect(confirmed.status).toBe(200);
  const { recoveryCodes } = confirmed.body as { recoveryCodes: string[] };
  return { browser: makeBrowser(api, cookieOf(confirmed)), recoveryCodes };
};

test('with a second factor a password alone is not enough, and a recovery code works once', async () => {
  const { recoveryCodes } = await enrol(await signInNew(api, admin, { name: 'Ole', role: 'staff' }));
  expect(recoveryCodes).toHaveLength(10);
  const login = { login: 'Ole', password: adminPassword };
  const first = await visitor.post('/session', login);
  expect(first).toMatchObject({ status: 200, body: { outcome: 'code-required' } });
  expect(first.headers['set-cookie']).toBeUndefined();
  const [code] = recoveryCodes;
  await signIn(api, 'Ole', adminPassword, code);
  expect((await visitor.post('/session', { ...login, code })).status).toBe(401);
});

test('a role that has to have a second factor may do nothing else before it is set up, and keeps it', async () => {
  const viewer = await signInNew(api, admin, { name: 'Nina', role: 'viewer' });
  expect((await admin.put('/sign-in-rules', { secondFactorRoles: ['viewer'] })).status).toBe(204);
  expect(await viewer.get('/session')).toMatchObject({ body: { mustSetUpSecondFactor: true } });
  expect(await viewer.get('/account/sessions')).toMatchObject({
    status: 403,
    body: { message: 'second-factor-required' },
  });
  const { browser } = await enrol(viewer);
  expect((await browser.get('/account/sessions')).status).toBe(200);
  expect(await browser.post('/account/second-factor/remove', { current: adminPassword })).toMatchObject({
    status: 409,
    body: { message: 'second-factor-required' },
  });
});
