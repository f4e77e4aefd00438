import { describe, expect, test } from '@jest/globals';
import { nodeSystem } from '../../src/lib/system.js';
import { makePasswords } from '../../src/users/passwords.js';
import { makeUsers } from '../../src/users/users.js';
import { until } from '../support/until.js';
import { cookieOf, makeBrowser } from '../support/web.js';
import {
  addUser,
  expectRefused,
  locationOf,
  signInAtProvider,
  withIdentityProvider,
  withSingleSignOn,
} from './singleSignOnFixture.js';

const provider = withIdentityProvider();

describe('who somebody is', () => {
  const api = withSingleSignOn(provider);
  const asPerson = (sub: string, claims: object = {}): void =>
    provider().person({ sub, email: 'anna@example.org', email_verified: true, ...claims });

  test('is known by issuer and subject after the first time, whatever the address is', async () => {
    const id = await addUser(api.admin);
    // With a space it is another text, which may be somebody else's.
    asPerson('anna-0', { email: ' anna@example.org' });
    expectRefused(await signInAtProvider(api), 'single-sign-on-email');
    asPerson('anna-1');
    expect(locationOf(await signInAtProvider(api))).toBe('/');
    expect(await api.tables.users.find(id)).toMatchObject({
      issuer: provider().issuer,
      subject: 'anna-1',
    });
    for (const claims of [
      { email: 'anna.weber@example.org' },
      { email: undefined, email_verified: undefined },
      { email_verified: false },
    ]) {
      asPerson('anna-1', claims);
      const answer = await signInAtProvider(api);
      expect(locationOf(answer)).toBe('/');
      expect(await makeBrowser(api, cookieOf(answer)).get('/session')).toMatchObject({ body: { id } });
    }
  });

  test('is not told by an address that was given to somebody else', async () => {
    const id = await addUser(api.admin);
    asPerson('anna-1');
    expect(locationOf(await signInAtProvider(api))).toBe('/');
    asPerson('somebody-else');
    expectRefused(await signInAtProvider(api), 'single-sign-on-other-person');
    const [entry] = await api.tables.auditLog.newest({}, undefined, 1);
    expect(entry).toMatchObject({
      action: 'user.sign-in-refused',
      subjectId: String(id),
      detail: { reason: 'other person' },
    });
    asPerson('anna-1');
    expect(locationOf(await signInAtProvider(api))).toBe('/');
  });

  test('can be forgotten, which ends the sessions', async () => {
    const id = await addUser(api.admin);
    // As the command line does it.
    const users = makeUsers({
      table: api.tables.users,
      passwords: makePasswords(nodeSystem),
      system: nodeSystem,
      changed: () => undefined,
      notify: () => undefined,
    });
    const actor = { kind: 'command line', name: null, address: null } as const;
    await expect(users.resetIdentity(id, actor)).rejects.toMatchObject({ code: 'no-single-sign-on' });
    asPerson('anna-1');
    const before = makeBrowser(api, cookieOf(await signInAtProvider(api)));
    await users.resetIdentity(id, actor);
    await until('the session ends', async () => (await before.get('/session')).status === 401);
    asPerson('anna-2');
    expect(locationOf(await signInAtProvider(api))).toBe('/');
    asPerson('anna-1');
    expectRefused(await signInAtProvider(api), 'single-sign-on-other-person');
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
  const api = withSingleSignOn(provider, env);

  test(`is believed with ${what}, and only with it`, async () => {
    await addUser(api.admin);
    await addUser(api.admin, { name: 'Eve', email: 'anna@example.com' });
    for (const claims of bad) {
      provider().person({ sub: 'bad', email: 'anna@example.org', ...claims });
      expectRefused(await signInAtProvider(api), 'single-sign-on-email');
    }
    provider().person({ email: 'anna@example.org', ...good });
    expect(locationOf(await signInAtProvider(api))).toBe('/');
  });

  test('what is said of one address does not count for another', async () => {
    await addUser(api.admin);
    provider().person({ xms_edov: true, email_verified: true });
    provider().userInfo({ email: 'anna@example.org', email_verified: false });
    expectRefused(await signInAtProvider(api), 'single-sign-on-email');
  });
});
