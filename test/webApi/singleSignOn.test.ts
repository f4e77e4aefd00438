import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startOidcProvider, type OidcProvider } from '../../simulators/oidcProvider.js';
import { nodeSystem } from '../../src/lib/system.js';
import { makePasswords } from '../../src/users/passwords.js';
import { makeUsers } from '../../src/users/users.js';
import { plantSecrets } from '../support/secretLeaks.js';
import { send, withServicePerTest, type Answer, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { cookieOf, makeBrowser, signInFirst, type Browser } from '../support/web.js';

let provider: OidcProvider;
beforeAll(async () => {
  provider = await startOidcProvider();
  plantSecrets([provider.clientSecret]);
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.behave({});
  provider.person({ email: 'anna@example.org', email_verified: true, name: 'Anna Berger' });
});

const settings = () => ({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.clientId,
  OIDC_CLIENT_SECRET: provider.clientSecret,
  OIDC_NAME: 'Firma',
});
const locationOf = ({ headers }: Answer): string => headers.location ?? '';

/** A browser that goes to the provider. Returns what it brings back: our address with the answer, and its cookie. */
const visitProvider = async (service: TestService): Promise<{ back: URL; cookie: string }> => {
  const begun = await makeBrowser(service).get('/single-sign-on');
  expect(begun.status).toBe(302);
  const target = new URL(locationOf(begun));
  expect(target.origin).toBe(provider.issuer);
  const answer = await send(target.origin, 'GET', target.pathname + target.search);
  expect(answer.status).toBe(302);
  return { back: new URL(locationOf(answer)), cookie: cookieOf(begun) };
};

/** Comes back from the provider, as a navigation from another site. */
const comeBack = (service: TestService, { back, cookie }: { back: URL; cookie: string }): Promise<Answer> =>
  service.request('GET', back.pathname + back.search, {
    headers: { 'Sec-Fetch-Site': 'cross-site', ...(cookie !== '' && { Cookie: cookie }) },
  });

const signInAtProvider = async (service: TestService): Promise<Answer> =>
  comeBack(service, await visitProvider(service));

const expectRefused = (answer: Answer, reason: string): void => {
  expect([answer.status, locationOf(answer)]).toEqual([302, `/sign-in?reason=${reason}`]);
  expect(answer.headers['set-cookie']?.join() ?? '').not.toMatch(/(^|,)session=[^;]/);
};

const addUser = async (admin: Browser, values: object = {}): Promise<number> => {
  const body = { name: 'Anna B.', email: 'Anna@Example.org', role: 'staff', ...values };
  const created = await admin.post('/users', body);
  expect(created.status).toBe(201);
  return (created.body as { user: { id: number } }).user.id;
};

describe('users that an administrator has created', () => {
  const service = withServicePerTest(() => ({ env: settings() }));

  test('the pages know what the provider is called', async () => {
    expect(await makeBrowser(service).get('/start')).toMatchObject({ body: { singleSignOn: 'Firma' } });
  });

  test('are signed in by their verified e-mail address, with the role that they have', async () => {
    const admin = await signInFirst(service, 'Chef');
    await addUser(admin);
    const answer = await signInAtProvider(service);
    expect([answer.status, locationOf(answer)]).toEqual([302, '/']);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/);
    const browser = makeBrowser(service, cookieOf(answer));
    expect(await browser.get('/session')).toMatchObject({
      status: 200,
      body: { name: 'Anna B.', role: 'staff' },
    });
    const [entry] = await service.service.tables.auditLog.newest({}, undefined, 1);
    expect(entry).toMatchObject({ action: 'user.sign-in', actorName: 'Anna B.' });
  });

  test('keep a cookie that is sealed, short-lived and out of reach of script', async () => {
    const begun = await makeBrowser(service).get('/single-sign-on');
    expect(begun.headers['set-cookie']?.[0]).toMatch(
      /^single-sign-on=v2:[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
    const query = new URL(locationOf(begun)).searchParams;
    expect(query.get('redirect_uri')).toBe(`${service.url}/web/single-sign-on/callback`);
    expect(query.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(begun.headers['set-cookie']?.[0]).not.toContain(query.get(name));
  });

  test('an unknown person is refused, and no user is made', async () => {
    const admin = await signInFirst(service, 'Chef');
    expectRefused(await signInAtProvider(service), 'single-sign-on-unknown');
    expect((await admin.get('/users')).body).toMatchObject({ users: [{ name: 'Chef' }] });
    const [entry] = await service.service.tables.auditLog.newest({}, undefined, 1);
    expect(entry).toMatchObject({ action: 'user.sign-in-refused', detail: { reason: 'single sign-on' } });
  });

  test('after 30 attempts from an address the provider is not asked any more', async () => {
    const admin = await signInFirst(service);
    await addUser(admin);
    // Those that succeed do not count.
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(locationOf(await signInAtProvider(service))).toBe('/');
    const { back, cookie } = await visitProvider(service);
    back.searchParams.set('code', 'guessed');
    for (let attempt = 0; attempt < 30; attempt += 1)
      expectRefused(await comeBack(service, { back, cookie }), 'single-sign-on-refused');
    expectRefused(await comeBack(service, { back, cookie }), 'single-sign-on-throttled');
    expectRefused(await signInAtProvider(service), 'single-sign-on-throttled');
  });

  test('a name that looks like the address is not the address', async () => {
    const admin = await signInFirst(service, 'Chef');
    await addUser(admin, { name: 'anna@example.org', email: null });
    expectRefused(await signInAtProvider(service), 'single-sign-on-unknown');
  });

  test('a disabled user is refused', async () => {
    const admin = await signInFirst(service, 'Chef');
    const id = await addUser(admin);
    await admin.patch(`/users/${String(id)}`, { isDisabled: true });
    expectRefused(await signInAtProvider(service), 'single-sign-on-disabled');
  });

  test.each<[string, Record<string, unknown>]>([
    ['is not verified', { email: 'anna@example.org', email_verified: false }],
    ['is verified as a text', { email: 'anna@example.org', email_verified: 'true' }],
    ['says nothing of being verified', { email: 'anna@example.org' }],
    ['is missing', { email_verified: true }],
    ['is an object', { email: { a: 1 }, email_verified: true }],
    ['only looks like it', { email: 'ａnna@example.org', email_verified: true }],
  ])('an address that %s is refused', async (_, claims) => {
    await addUser(await signInFirst(service, 'Chef'));
    provider.person(claims);
    expectRefused(await signInAtProvider(service), 'single-sign-on-email');
  });

  test('the address may come from the userinfo endpoint', async () => {
    await addUser(await signInFirst(service, 'Chef'));
    provider.person({});
    provider.userInfo({ email: 'anna@example.org', email_verified: true });
    expect(locationOf(await signInAtProvider(service))).toBe('/');
  });

  test.each<[string, Parameters<OidcProvider['behave']>[0]]>([
    ['another nonce', { claims: { nonce: 'other' } }],
    ['another audience', { claims: { aud: 'other' } }],
    ['another issuer', { claims: { iss: 'https://id.example.org' } }],
    ['a time that is over', { claims: { exp: 1 } }],
    ['a signature of another key', { hasWrongKey: true }],
    ['an error', { error: 'access_denied' }],
  ])('an answer with %s is refused', async (_, faults) => {
    await addUser(await signInFirst(service, 'Chef'));
    provider.behave(faults);
    expectRefused(await signInAtProvider(service), 'single-sign-on-refused');
  });

  test('an answer that belongs to another browser, or comes twice, is refused', async () => {
    await addUser(await signInFirst(service, 'Chef'));
    const visit = await visitProvider(service);
    const other = await visitProvider(service);
    expectRefused(await comeBack(service, { ...visit, cookie: '' }), 'single-sign-on-expired');
    expectRefused(
      await comeBack(service, { ...visit, cookie: 'single-sign-on=v2:AAAA' }),
      'single-sign-on-expired',
    );
    expectRefused(await comeBack(service, { ...visit, cookie: other.cookie }), 'single-sign-on-refused');
    expect(locationOf(await comeBack(service, visit))).toBe('/');
    expectRefused(await comeBack(service, visit), 'single-sign-on-refused');
  });
});

describe('who somebody is', () => {
  const service = withServicePerTest(() => ({ env: settings() }));
  const asPerson = (sub: string, claims: object = {}): void =>
    provider.person({ sub, email: 'anna@example.org', email_verified: true, ...claims });

  test('is known by issuer and subject after the first time, whatever the address is', async () => {
    const id = await addUser(await signInFirst(service, 'Chef'));
    asPerson('anna-1');
    expect(locationOf(await signInAtProvider(service))).toBe('/');
    expect(await service.service.tables.users.find(id)).toMatchObject({
      issuer: provider.issuer,
      subject: 'anna-1',
    });
    for (const claims of [
      { email: 'anna.weber@example.org' },
      { email: undefined, email_verified: undefined },
      { email_verified: false },
    ]) {
      asPerson('anna-1', claims);
      const answer = await signInAtProvider(service);
      expect(locationOf(answer)).toBe('/');
      expect(await makeBrowser(service, cookieOf(answer)).get('/session')).toMatchObject({ body: { id } });
    }
  });

  test('is not told by an address that was given to somebody else', async () => {
    const id = await addUser(await signInFirst(service, 'Chef'));
    asPerson('anna-1');
    expect(locationOf(await signInAtProvider(service))).toBe('/');
    asPerson('somebody-else');
    expectRefused(await signInAtProvider(service), 'single-sign-on-other-person');
    const [entry] = await service.service.tables.auditLog.newest({}, undefined, 1);
    expect(entry).toMatchObject({
      action: 'user.sign-in-refused',
      subjectId: String(id),
      detail: { reason: 'other person' },
    });
    asPerson('anna-1');
    expect(locationOf(await signInAtProvider(service))).toBe('/');
  });

  test('can be forgotten, which ends the sessions', async () => {
    const id = await addUser(await signInFirst(service, 'Chef'));
    // As the command line does it.
    const users = makeUsers({
      table: service.service.tables.users,
      passwords: makePasswords(nodeSystem),
      system: nodeSystem,
      changed: () => undefined,
    });
    const actor = { kind: 'command line', name: null, address: null } as const;
    await expect(users.resetIdentity(id, actor)).rejects.toMatchObject({ reason: 'no-single-sign-on' });
    asPerson('anna-1');
    const before = makeBrowser(service, cookieOf(await signInAtProvider(service)));
    await users.resetIdentity(id, actor);
    await until('the session ends', async () => (await before.get('/session')).status === 401);
    asPerson('anna-2');
    expect(locationOf(await signInAtProvider(service))).toBe('/');
    asPerson('anna-1');
    expectRefused(await signInAtProvider(service), 'single-sign-on-other-person');
  });
});

describe.each<[string, Record<string, string>, object, string, object[]]>([
  [
    'xms_edov',
    { OIDC_EMAIL_PROOF: 'xms_edov' },
    { xms_edov: true },
    'the claim xms_edov',
    [{}, { xms_edov: false }, { xms_edov: '0' }, { email_verified: false, xms_edov: true }],
  ],
  [
    'domain',
    { OIDC_EMAIL_PROOF: 'domain', OIDC_EMAIL_DOMAINS: 'example.net,example.org' },
    {},
    'an allowed domain',
    [
      { email: 'anna@example.com' },
      { email: 'anna@sub.example.org' },
      { email: 'anna@example.com', email_verified: true },
      { email_verified: false },
      { email_verified: 'true' },
    ],
  ],
])('a provider without email_verified, with the proof %s', (_, env, good, what, bad) => {
  const service = withServicePerTest(() => ({ env: { ...settings(), ...env } }));

  test(`is believed with ${what}, and only with it`, async () => {
    const admin = await signInFirst(service, 'Chef');
    await addUser(admin);
    await addUser(admin, { name: 'Eve', email: 'anna@example.com' });
    for (const claims of bad) {
      provider.person({ sub: 'bad', email: 'anna@example.org', ...claims });
      expectRefused(await signInAtProvider(service), 'single-sign-on-email');
    }
    provider.person({ email: 'anna@example.org', ...good });
    expect(locationOf(await signInAtProvider(service))).toBe('/');
  });

  test('what is said of one address does not count for another', async () => {
    await addUser(await signInFirst(service, 'Chef'));
    provider.person({ xms_edov: true, email_verified: true });
    provider.userInfo({ email: 'anna@example.org', email_verified: false });
    expectRefused(await signInAtProvider(service), 'single-sign-on-email');
  });
});

describe('over HTTPS', () => {
  const service = withServicePerTest(() => ({ env: { ...settings(), TRUST_PROXY: '127.0.0.1' } }));
  const get = (path: string, cookie = ''): Promise<Answer> =>
    service.request('GET', path, {
      headers: { 'X-Forwarded-Proto': 'https', ...(cookie !== '' && { Cookie: cookie }) },
    });

  test('the cookies have a prefix, and without it they do not count', async () => {
    await addUser(await signInFirst(service, 'Chef'));
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
  const service = withServicePerTest(() => ({
    env: settings(),
    system: { now: () => Date.now() + ahead },
  }));

  test('is worth nothing after ten minutes', async () => {
    await addUser(await signInFirst(service, 'Chef'));
    const visit = await visitProvider(service);
    ahead = 600_000;
    expectRefused(await comeBack(service, visit), 'single-sign-on-expired');
  });
});

describe('roles from a claim', () => {
  const service = withServicePerTest(() => ({
    env: { ...settings(), OIDC_ROLE_CLAIM: 'groups', OIDC_ADMIN_VALUE: 'wifi-admins' },
  }));
  const asPerson = (groups: unknown): void =>
    provider.person({ email: 'anna@example.org', email_verified: true, name: 'Anna Berger', groups });
  const roleAfterSignIn = async (): Promise<unknown> => {
    const answer = await signInAtProvider(service);
    expect(locationOf(answer)).toBe('/');
    const { body } = await makeBrowser(service, cookieOf(answer)).get('/session');
    return (body as { role: string }).role;
  };

  test('unknown people are created with it, and it is applied at each sign-in', async () => {
    const admin = await signInFirst(service, 'Chef');
    asPerson(['guests', 'wifi-admins']);
    expect(await roleAfterSignIn()).toBe('admin');
    expect((await admin.get('/users')).body).toMatchObject({
      users: [{ name: 'Anna Berger', email: 'anna@example.org', hasPassword: false }, { name: 'Chef' }],
    });
    asPerson('guests');
    expect(await roleAfterSignIn()).toBe('staff');
    asPerson('wifi-admins');
    expect(await roleAfterSignIn()).toBe('admin');
  });

  test('somebody whose name is taken is called by their address', async () => {
    const admin = await signInFirst(service, 'Anna Berger');
    asPerson('guests');
    expect(await roleAfterSignIn()).toBe('staff');
    expect((await admin.get('/users')).text).toContain('"name":"anna@example.org"');
  });

  test.each([[undefined], [''], [[]], [[1]], [{ a: 1 }]])(
    'without a role (%j) nobody enters',
    async (groups) => {
      await signInFirst(service, 'Chef');
      asPerson(groups);
      expectRefused(await signInAtProvider(service), 'single-sign-on-role');
    },
  );

  test('the last administrator keeps their role', async () => {
    const admin = await signInFirst(service, 'Chef');
    const id = await addUser(admin, { role: 'admin' });
    const { body } = await admin.get('/users');
    const chef = (body as { users: { id: number; name: string }[] }).users.find(
      ({ name }) => name === 'Chef',
    );
    asPerson('wifi-admins');
    expect(await roleAfterSignIn()).toBe('admin');
    await service.service.tables.users.change(chef?.id ?? 0, () => ({
      values: { disabledAt: Date.now() },
      endsSessions: true,
      audit: null,
    }));
    asPerson('guests');
    expectRefused(await signInAtProvider(service), 'last-administrator');
    expect(await service.service.tables.users.find(id)).toMatchObject({ role: 'admin' });
  });

  test('a role does not let a disabled user in', async () => {
    const admin = await signInFirst(service, 'Chef');
    const id = await addUser(admin);
    await admin.patch(`/users/${String(id)}`, { isDisabled: true });
    asPerson('wifi-admins');
    expectRefused(await signInAtProvider(service), 'single-sign-on-disabled');
    expect((await admin.get('/users')).body).toMatchObject({
      users: [{ name: 'Anna B.', role: 'staff' }, {}],
    });
  });
});

describe('a provider that does not answer', () => {
  const service = withServicePerTest(() => ({ env: settings() }));

  test('keeps nobody from anything else', async () => {
    provider.behave({ isSilent: true });
    const waiting = makeBrowser(service).get('/single-sign-on');
    const admin = await signInFirst(service, 'Chef');
    expect((await admin.get('/users')).status).toBe(200);
    expectRefused(await waiting, 'single-sign-on-unavailable');
  });

  test('or answers with errors is not asked for each browser', async () => {
    provider.behave({ isBroken: true });
    const path = '/.well-known/openid-configuration';
    const before = provider.counts.get(path) ?? 0;
    const visits = await Promise.all(
      Array.from({ length: 5 }, () => makeBrowser(service).get('/single-sign-on')),
    );
    for (const visit of visits) expectRefused(visit, 'single-sign-on-unavailable');
    expect(provider.counts.get(path)).toBe(before + 1);
  });
});

describe('without a provider', () => {
  const service = withServicePerTest();

  test('there is no single sign-on', async () => {
    const visitor = makeBrowser(service);
    expect(await visitor.get('/start')).toMatchObject({ body: { singleSignOn: null } });
    expectRefused(await visitor.get('/single-sign-on'), 'single-sign-on-off');
    expectRefused(await visitor.get('/single-sign-on/callback?code=x&state=y'), 'single-sign-on-off');
  });
});
