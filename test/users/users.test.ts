import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addSite } from '../support/records.js';
import {
  goodPassword,
  hostileTexts,
  makeAuthFixture,
  peopleDatabases,
  rowsOf,
  someActor,
  someClient,
  someUser,
  type AuthFixture,
} from '../support/authFixture.js';

describe.each(peopleDatabases)('users on %s', (_, make) => {
  let auth: AuthFixture;
  beforeAll(async () => {
    auth = await makeAuthFixture(make);
    await auth.users.create(someUser({ name: 'Chefin', role: 'admin' }), someActor);
  });
  afterAll(() => auth.remove());

  const create = (values = {}) => auth.users.create(someUser(values), someActor);
  const signedIn = async (id: number): Promise<string> => {
    const user = await auth.tables.users.find(id);
    return (await auth.sessions.begin(user!, someClient(), { secondFactor: false }))!.token;
  };
  const lastAction = async () => (await auth.audit.search({}, { limit: 1 })).entries[0];

  test('are created with their sites, and listed by name without anything secret', async () => {
    const { siteId } = await addSite(auth.tables);
    const created = await create({
      name: ' Änne ',
      email: 'Aenne@Example.org',
      password: goodPassword,
      language: 'de',
      siteIds: [siteId, siteId],
    });
    expect(created).toEqual({
      id: expect.any(Number),
      name: 'Änne',
      email: 'Aenne@Example.org',
      role: 'staff',
      language: 'de',
      hasPassword: true,
      passwordIsTemporary: false,
      hasSecondFactor: false,
      disabledAt: null,
      createdAt: auth.clock.now(),
      lastSignInAt: null,
      siteIds: [siteId],
    });
    expect(await auth.users.list()).toContainEqual(created);
    expect(await lastAction()).toMatchObject({
      action: 'user.create',
      actorKind: 'user',
      actorName: 'Chefin',
      address: '192.0.2.1',
      subjectKind: 'user',
      subjectId: String(created.id),
      subjectName: 'Änne',
      detail: { role: 'staff' },
    });
  });

  test('are found by name and by e-mail address, whatever the case', async () => {
    const { id } = await create({ name: 'Özil Straße', email: 'oezil@example.org' });
    for (const name of ['ÖZIL STRASSE'.replace('SS', 'ß'), ' özil straße ', 'OEZIL@example.ORG'])
      expect((await auth.users.findByName(name))?.id).toBe(id);
    expect(await auth.users.findByName('nobody')).toBeUndefined();
  });

  test('that are not valid are refused', async () => {
    const cases: [string, object, string][] = [
      ['a name of another case', { name: 'BERT' }, 'name-taken'],
      ['the name of another script variant', { name: 'Ｂert' }, 'name-taken'],
      ['the e-mail address of another', { email: 'BERT@example.org' }, 'email-taken'],
      ['the e-mail address of another as a name', { name: 'bert@example.org' }, 'name-taken'],
      ['a name with 101 characters', { name: 'x'.repeat(101) }, 'name-invalid'],
      ['an e-mail address without @', { email: 'example.org' }, 'email-invalid'],
      ['an e-mail address in brackets', { email: '<anna@example.org>' }, 'email-invalid'],
      ['a long e-mail address', { email: `${'x'.repeat(250)}@example.org` }, 'email-invalid'],
      ['a site that does not exist', { siteIds: [2_000_000] }, 'unknown-site'],
      ['a short password', { password: 'kurz' }, 'password-short'],
    ];
    await create({ name: 'Bert', email: 'bert@example.org' });
    const before = await rowsOf(auth.database);
    for (const [name, values, code] of cases) {
      const refused = await create(values).catch((error: unknown) => error);
      expect([name, refused]).toMatchObject([name, { name: 'UserRefusal', code }]);
      expect(await rowsOf(auth.database)).toEqual(before);
    }
  });

  test('with a hostile text as a name or in an e-mail address are refused', async () => {
    const before = await rowsOf(auth.database);
    const refusalOf = (values: object) => create(values).catch((error: unknown) => error);
    for (const [name, text] of hostileTexts) {
      const refusals = [await refusalOf({ name: text }), await refusalOf({ email: `${text}@example.org` })];
      expect([name, ...refusals]).toMatchObject([name, { code: 'name-invalid' }, { code: 'email-invalid' }]);
      expect(await auth.users.findByName(text)).toBeUndefined();
    }
    expect(await rowsOf(auth.database)).toEqual(before);
  });

  test('with the same name, created at the same time, are one', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_each, index) => create({ name: index % 2 ? 'zugleich' : 'Zugleich' })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test.each([
    ['role', 'user.role', (id: number) => auth.users.setRole(id, 'admin', someActor)],
    ['password', 'user.password', (id: number) => auth.users.setPassword(id, goodPassword, someActor)],
    ['reset password', 'user.password-reset', (id: number) => auth.users.resetPassword(id, someActor)],
    ['state', 'user.disable', (id: number) => auth.users.disable(id, someActor)],
  ])('lose their sessions with another %s', async (_case, action, change) => {
    const { id } = await create();
    const [token, stays] = [await signedIn(id), await signedIn((await create()).id)];
    await change(id);
    expect(await auth.sessions.find(token)).toBeUndefined();
    expect(await auth.sessions.list(id)).toEqual([]);
    expect(await auth.sessions.find(stays)).toBeDefined();
    expect(await lastAction()).toMatchObject({ action, subjectId: String(id) });
  });

  test('keep their sessions when nothing changes, and nothing is recorded', async () => {
    const { id } = await create();
    const token = await signedIn(id);
    const before = await rowsOf(auth.database);
    await auth.users.setRole(id, 'staff', someActor);
    await auth.users.enable(id, someActor);
    expect(await rowsOf(auth.database)).toEqual(before);
    expect(await auth.sessions.find(token)).toBeDefined();
  });

  test('get a generated password that has to be changed', async () => {
    const { id } = await create();
    const password = await auth.users.resetPassword(id, someActor);
    const stored = await auth.tables.users.find(id);
    expect(stored).toMatchObject({ passwordIsTemporary: true });
    expect(await auth.passwords.verify(password, stored!.passwordHash)).toBe(true);
    await auth.users.setPassword(id, goodPassword, someActor);
    expect(await auth.tables.users.find(id)).toMatchObject({ passwordIsTemporary: false });
  });

  test('are told of other sites at once, and stay signed in', async () => {
    const { id } = await create();
    const token = await signedIn(id);
    const { siteId } = await addSite(auth.tables);
    await auth.users.setSites(id, [siteId], someActor);
    expect((await auth.sessions.find(token))?.user.siteIds).toEqual([siteId]);
    await expect(auth.users.setSites(id, [siteId, 2_000_000], someActor)).rejects.toMatchObject({
      code: 'unknown-site',
    });
    expect((await auth.sessions.find(token))?.user.siteIds).toEqual([siteId]);
    await auth.users.setSites(id, [], someActor);
    expect((await auth.sessions.find(token))?.user.siteIds).toEqual([]);
  });

  test('are removed with everything that is theirs; what they did stays', async () => {
    const { siteId } = await addSite(auth.tables);
    const { id, name } = await create({ siteIds: [siteId] });
    const token = await signedIn(id);
    await auth.users.remove(id, someActor);
    expect(await auth.sessions.find(token)).toBeUndefined();
    expect(await auth.users.findByName(name)).toBeUndefined();
    const { entries } = await auth.audit.search({ subjectKind: 'user', subjectId: String(id) });
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'user.create',
      'user.remove',
      'user.sign-in',
    ]);
  });

  test('that do not exist are not changed', async () => {
    for (const change of [
      () => auth.users.setRole(2_000_000, 'admin', someActor),
      () => auth.users.disable(2_000_000, someActor),
      () => auth.users.setPassword(2_000_000, goodPassword, someActor),
      () => auth.users.remove(2_000_000, someActor),
    ])
      await expect(change()).rejects.toMatchObject({ code: 'unknown-user' });
  });
});

describe.each(peopleDatabases)('the last administrator on %s', (_, make) => {
  let auth: AuthFixture;
  beforeAll(async () => {
    auth = await makeAuthFixture(make);
  });
  afterAll(() => auth.remove());

  test('can not be disabled, demoted or removed; another one who is disabled does not count', async () => {
    const { users } = auth;
    const last = await users.create(someUser({ role: 'admin' }), someActor);
    const other = await users.create(someUser({ role: 'admin' }), someActor);
    await users.disable(other.id, someActor);
    const before = await rowsOf(auth.database);
    for (const change of [
      () => users.disable(last.id, someActor),
      () => users.setRole(last.id, 'staff', someActor),
      () => users.remove(last.id, someActor),
    ])
      await expect(change()).rejects.toMatchObject({
        code: 'last-administrator',
        message: 'this is the last administrator who is not disabled: make another one first',
      });
    expect(await rowsOf(auth.database)).toEqual(before);
    await users.enable(other.id, someActor);
    await users.disable(last.id, someActor);
  });

  test('stays when two disable each other at the same time', async () => {
    const { users } = auth;
    for (let round = 0; round < 5; round += 1) {
      const admins = (await users.list()).filter(({ role }) => role === 'admin');
      for (const { id } of admins) await users.enable(id, someActor);
      await Promise.allSettled(admins.map(({ id }) => auth.open().users.disable(id, someActor)));
      const enabled = (await users.list()).filter(
        ({ role, disabledAt }) => role === 'admin' && disabledAt === null,
      );
      expect(enabled).toHaveLength(1);
    }
  });
});
