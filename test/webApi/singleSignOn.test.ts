import { describe, expect, test } from '@jest/globals';
import type { OidcProvider } from '../../simulators/oidcProvider.js';
import { withAdmin } from '../support/api.js';
import { send, type Answer } from '../support/service.js';
import { cookieOf, makeBrowser } from '../support/web.js';
import {
  addUser,
  comeBack,
  expectRefused,
  locationOf,
  settingsFor,
  signInAtProvider,
  visitProvider,
  withIdentityProvider,
} from './singleSignOnFixture.js';

const provider = withIdentityProvider();

describe('users that an administrator has created', () => {
  const api = withAdmin({
    admin: 'Chef',
    beforeStart: () => ({ env: settingsFor(provider()) }),
    perTest: 'service',
  });

  test('the pages know what the provider is called', async () => {
    expect(await makeBrowser(api).get('/start')).toMatchObject({ body: { singleSignOn: 'Firma' } });
  });

  test('are signed in by their verified e-mail address, with the role that they have', async () => {
    await addUser(api.admin);
    const answer = await signInAtProvider(api);
    expect([answer.status, locationOf(answer)]).toEqual([302, '/']);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/);
    const browser = makeBrowser(api, cookieOf(answer));
    expect(await browser.get('/session')).toMatchObject({
      status: 200,
      body: { name: 'Anna B.', role: 'staff' },
    });
    const [entry] = await api.tables.auditLog.newest({}, undefined, 1);
    expect(entry).toMatchObject({ action: 'user.sign-in', actorName: 'Anna B.' });
  });

  test('keep a cookie that is sealed, short-lived and out of reach of script', async () => {
    const begun = await makeBrowser(api).get('/single-sign-on');
    expect(begun.headers['set-cookie']?.[0]).toMatch(
      /^single-sign-on=v2:[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
    const query = new URL(locationOf(begun)).searchParams;
    expect(query.get('redirect_uri')).toBe(`${api.url}/web/single-sign-on/callback`);
    expect(query.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(begun.headers['set-cookie']?.[0]).not.toContain(query.get(name));
  });

  test('an unknown person is refused, and no user is made', async () => {
    expectRefused(await signInAtProvider(api), 'single-sign-on-unknown');
    expect((await api.admin.get('/users')).body).toMatchObject({ users: [{ name: 'Chef' }] });
    const [entry] = await api.tables.auditLog.newest({}, undefined, 1);
    expect(entry).toMatchObject({ action: 'user.sign-in-refused', detail: { reason: 'single sign-on' } });
  });

  test('after 30 attempts from an address the provider is not asked any more', async () => {
    await addUser(api.admin);
    // Those that succeed do not count.
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(locationOf(await signInAtProvider(api))).toBe('/');
    const { back, cookie } = await visitProvider(api);
    back.searchParams.set('code', 'guessed');
    for (let attempt = 0; attempt < 30; attempt += 1)
      expectRefused(await comeBack(api, { back, cookie }), 'single-sign-on-refused');
    expectRefused(await comeBack(api, { back, cookie }), 'single-sign-on-throttled');
    expectRefused(await signInAtProvider(api), 'single-sign-on-throttled');
  });

  test('a name that looks like the address is not the address', async () => {
    await addUser(api.admin, { name: 'anna@example.org', email: null });
    expectRefused(await signInAtProvider(api), 'single-sign-on-unknown');
  });

  test('a disabled user is refused', async () => {
    const id = await addUser(api.admin);
    await api.admin.patch(`/users/${String(id)}`, { isDisabled: true });
    expectRefused(await signInAtProvider(api), 'single-sign-on-disabled');
  });

  test('an address that is not verified, or another one, is refused', async () => {
    const cases: [string, Record<string, unknown>][] = [
      ['is not verified', { email: 'anna@example.org', email_verified: false }],
      ['is verified as a text', { email: 'anna@example.org', email_verified: 'true' }],
      ['says nothing of being verified', { email: 'anna@example.org' }],
      ['is missing', { email_verified: true }],
      ['is an object', { email: { a: 1 }, email_verified: true }],
      ['only looks like it', { email: 'ａnna@example.org', email_verified: true }],
    ];
    await addUser(api.admin);
    for (const [name, claims] of cases) {
      provider().person(claims);
      const answer = await signInAtProvider(api);
      expect([name, locationOf(answer)]).toEqual([name, expect.stringContaining('single-sign-on-email')]);
    }
  });

  test('the address may come from the userinfo endpoint', async () => {
    await addUser(api.admin);
    provider().person({});
    provider().userInfo({ email: 'anna@example.org', email_verified: true });
    expect(locationOf(await signInAtProvider(api))).toBe('/');
  });

  test('an answer that is not valid is refused', async () => {
    const cases: [string, Parameters<OidcProvider['behave']>[0]][] = [
      ['another nonce', { claims: { nonce: 'other' } }],
      ['another audience', { claims: { aud: 'other' } }],
      ['another issuer', { claims: { iss: 'https://id.example.org' } }],
      ['a time that is over', { claims: { exp: 1 } }],
      ['a signature of another key', { hasWrongKey: true }],
      ['an error', { error: 'access_denied' }],
    ];
    await addUser(api.admin);
    for (const [name, faults] of cases) {
      provider().behave(faults);
      const answer = await signInAtProvider(api);
      expect([name, locationOf(answer)]).toEqual([name, expect.stringContaining('single-sign-on-refused')]);
    }
  });

  test('an answer that belongs to another browser, or comes twice, is refused', async () => {
    await addUser(api.admin);
    const visit = await visitProvider(api);
    const other = await visitProvider(api);
    expectRefused(await comeBack(api, { ...visit, cookie: '' }), 'single-sign-on-expired');
    expectRefused(
      await comeBack(api, { ...visit, cookie: 'single-sign-on=v2:AAAA' }),
      'single-sign-on-expired',
    );
    expectRefused(await comeBack(api, { ...visit, cookie: other.cookie }), 'single-sign-on-refused');
    expect(locationOf(await comeBack(api, visit))).toBe('/');
    expectRefused(await comeBack(api, visit), 'single-sign-on-refused');
  });
});

describe('over HTTPS', () => {
  const api = withAdmin({
    admin: 'Chef',
    beforeStart: () => ({ env: { ...settingsFor(provider()), TRUST_PROXY: '127.0.0.1' } }),
    perTest: 'service',
  });
  const get = (path: string, cookie = ''): Promise<Answer> =>
    api.request('GET', path, {
      headers: { 'X-Forwarded-Proto': 'https', ...(cookie !== '' && { Cookie: cookie }) },
    });

  test('the cookies have a prefix, and without it they do not count', async () => {
    await addUser(api.admin);
    const visit = async (): Promise<{ path: string; cookie: string }> => {
      const begun = await get('/web/single-sign-on');
      expect(begun.headers['set-cookie']?.[0]).toMatch(
        /^__Host-single-sign-on=v2:[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/,
      );
      const target = new URL(locationOf(begun));
      const back = new URL(locationOf(await send(target.origin, 'GET', target.pathname + target.search)));
      return { path: back.pathname + back.search, cookie: cookieOf(begun) };
    };
    const { path, cookie } = await visit();
    const planted = await visit();
    expectRefused(await get(path, cookie.replace('__Host-', '')), 'single-sign-on-expired');
    expectRefused(await get(path, `${planted.cookie}; ${cookie}`), 'single-sign-on-expired');
    const answer = await get(path, `${planted.cookie.replace('__Host-', '')}; ${cookie}`);
    expect(locationOf(answer)).toBe('/');
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-session=[\w-]{43}; .*; Secure$/),
      expect.stringMatching(/^__Host-known-browser=[\w-]{43}; .*; Secure$/),
      expect.stringMatching(/^__Host-single-sign-on=; .*Max-Age=0; Secure$/),
    ]);
  });
});

describe('a cookie', () => {
  let ahead = 0;
  const api = withAdmin({
    admin: 'Chef',
    beforeStart: () => ({
      env: settingsFor(provider()),
      system: { now: () => Date.now() + ahead },
    }),
    perTest: 'service',
  });

  test('is worth nothing after ten minutes', async () => {
    await addUser(api.admin);
    const visit = await visitProvider(api);
    ahead = 600_000;
    expectRefused(await comeBack(api, visit), 'single-sign-on-expired');
  });
});

describe('a provider that does not answer', () => {
  const api = withAdmin({
    admin: 'Chef',
    beforeStart: () => ({ env: settingsFor(provider()) }),
    perTest: 'service',
  });

  test('keeps nobody from anything else, and is logged once, with the reason', async () => {
    provider().behave({ isSilent: true });
    const visit = () => makeBrowser(api).get('/single-sign-on');
    const waiting = [visit(), visit()];
    expect((await api.admin.get('/users')).status).toBe(200);
    for (const answer of [...(await Promise.all(waiting)), await visit()])
      expectRefused(answer, 'single-sign-on-unavailable');
    const lines = api.lines.filter((line) => line.includes('identity provider can not be used'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { reason: 'no answer within 5 s', issuer: provider().issuer },
    ]);
  });

  test('or answers with errors is not asked for each browser', async () => {
    provider().behave({ isBroken: true });
    const path = '/.well-known/openid-configuration';
    const before = provider().counts.get(path) ?? 0;
    const visits = await Promise.all(
      Array.from({ length: 5 }, () => makeBrowser(api).get('/single-sign-on')),
    );
    for (const visit of visits) expectRefused(visit, 'single-sign-on-unavailable');
    expect(provider().counts.get(path)).toBe(before + 1);
  });
});

describe('without a provider', () => {
  const api = withAdmin({ admin: 'Chef', perTest: 'service' });

  test('there is no single sign-on', async () => {
    const visitor = makeBrowser(api);
    expect(await visitor.get('/start')).toMatchObject({ body: { singleSignOn: null } });
    expectRefused(await visitor.get('/single-sign-on'), 'single-sign-on-off');
    expectRefused(await visitor.get('/single-sign-on/callback?code=x&state=y'), 'single-sign-on-off');
  });
});
