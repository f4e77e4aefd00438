import { describe, expect, test } from '@jest/globals';
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

describe('roles from a claim', () => {
  const api = withSingleSignOn(provider, {
    OIDC_ROLE_CLAIM: 'groups',
    OIDC_ADMIN_VALUE: 'wifi-admins',
    OIDC_VIEWER_VALUE: 'auditors',
  });
  const asPerson = (groups: unknown): void =>
    provider().person({ email: 'anna@example.org', email_verified: true, name: 'Anna Berger', groups });
  const roleAfterSignIn = async (): Promise<unknown> => {
    const answer = await signInAtProvider(api);
    expect(locationOf(answer)).toBe('/');
    const { body } = await makeBrowser(api, cookieOf(answer)).get('/session');
    return (body as { role: string }).role;
  };

  test('unknown people are created with it, and it is applied at each sign-in', async () => {
    asPerson(['guests', 'wifi-admins']);
    expect(await roleAfterSignIn()).toBe('admin');
    expect((await api.admin.get('/users')).body).toMatchObject({
      users: [{ name: 'Anna Berger', email: 'anna@example.org', hasPassword: false }, { name: 'Chef' }],
    });
    asPerson('guests');
    expect(await roleAfterSignIn()).toBe('staff');
    asPerson('wifi-admins');
    expect(await roleAfterSignIn()).toBe('admin');
    asPerson(['guests', 'auditors']);
    expect(await roleAfterSignIn()).toBe('viewer');
    asPerson(['auditors', 'wifi-admins']);
    expect(await roleAfterSignIn()).toBe('admin');
  });

  test('somebody whose name is taken is called by their address', async () => {
    await addUser(api.admin, { name: 'Anna Berger', email: 'another@example.org' });
    asPerson('guests');
    expect(await roleAfterSignIn()).toBe('staff');
    expect((await api.admin.get('/users')).text).toContain('"name":"anna@example.org"');
  });

  test('without a role nobody enters', async () => {
    const cases: [unknown][] = [[undefined], [''], [[]], [[1]], [{ a: 1 }]];
    for (const [groups] of cases) {
      asPerson(groups);
      expectRefused(await signInAtProvider(api), 'single-sign-on-role');
    }
  });

  test('the last administrator keeps their role', async () => {
    const id = await addUser(api.admin, { role: 'admin' });
    const { body } = await api.admin.get('/users');
    const chef = (body as { users: { id: number; name: string }[] }).users.find(
      ({ name }) => name === 'Chef',
    );
    asPerson('wifi-admins');
    expect(await roleAfterSignIn()).toBe('admin');
    await api.tables.users.change(chef?.id ?? 0, () => ({
      values: { disabledAt: Date.now() },
      endsSessions: true,
      audit: null,
    }));
    asPerson('guests');
    expectRefused(await signInAtProvider(api), 'last-administrator');
    expect(await api.tables.users.find(id)).toMatchObject({ role: 'admin' });
  });

  test('a role does not let a disabled user in', async () => {
    const id = await addUser(api.admin);
    await api.admin.patch(`/users/${String(id)}`, { isDisabled: true });
    asPerson('wifi-admins');
    expectRefused(await signInAtProvider(api), 'single-sign-on-disabled');
    expect((await api.admin.get('/users')).body).toMatchObject({
      users: [{ name: 'Anna B.', role: 'staff' }, {}],
    });
  });
});
