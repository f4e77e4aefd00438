import { describe, expect, test } from '@jest/globals';
import {
  goodPassword,
  makeAuthFixture,
  peopleDatabases,
  rowsOf,
  someActor,
  someUser,
} from '../support/authFixture.js';
import { forEachTest } from '../support/fixture.js';

const hourMs = 3_600_000;
const admin = { name: 'Chefin', password: goodPassword };

describe.each(peopleDatabases)('the first start on %s', (_, make) => {
  const auth = forEachTest(() => makeAuthFixture(make), 'remove');
  const create = (token: string, values = {}) =>
    auth.firstStart.create(token, { ...admin, ...values }, '192.0.2.1');

  test('gives a token, stored as a hash, that makes one administrator', async () => {
    const begun = await auth.firstStart.begin();
    expect(begun).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: auth.clock.now() + hourMs,
    });
    expect(JSON.stringify(await auth.database.read('setup_tokens').select())).not.toContain(begun!.token);
    expect(await create(begun!.token)).toMatchObject({ name: 'Chefin', role: 'admin', hasPassword: true });
    expect(await auth.firstStart.begin()).toBeUndefined();
    const before = await rowsOf(auth.database);
    await expect(create(begun!.token, { name: 'Andere' })).rejects.toMatchObject({ code: 'setup-refused' });
    expect(await rowsOf(auth.database)).toEqual(before);
    expect((await auth.audit.search({})).entries).toMatchObject([
      { action: 'user.create', actorKind: 'system', actorName: 'first start', address: '192.0.2.1' },
    ]);
  });

  test('gives a token at each start, and any process accepts any of them', async () => {
    const other = auth.open();
    const [first, second] = [await auth.firstStart.begin(), await other.firstStart.begin()];
    expect(second!.token).not.toBe(first!.token);
    await other.firstStart.create(first!.token, admin, '192.0.2.1');
    await expect(create(second!.token, { name: 'Andere' })).rejects.toMatchObject({
      code: 'setup-refused',
    });
  });

  test('makes one administrator, however many ask at the same time', async () => {
    const begun = await auth.firstStart.begin();
    const other = auth.open();
    const results = await Promise.allSettled(
      [auth, other, auth, other].map(({ firstStart }, index) =>
        firstStart.create(begun!.token, { ...admin, name: `Chefin ${index}` }, '192.0.2.1'),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await auth.users.list()).toHaveLength(1);
  });

  test('refuses a token that has expired or is none, without hashing a password', async () => {
    const begun = await auth.firstStart.begin();
    await auth.clock.advance(-hourMs - 1);
    await expect(create(begun!.token)).rejects.toMatchObject({ code: 'setup-refused' });
    await auth.clock.advance(2 * hourMs + 1);
    for (const token of [begun!.token, '', '\0', 'x'.repeat(65_536)])
      await expect(create(token)).rejects.toMatchObject({ code: 'setup-refused' });
    expect(auth.passwords.hashed()).toBe(0);
    expect(await auth.users.list()).toEqual([]);
  });

  test('keeps the token when name or password are refused', async () => {
    const begun = await auth.firstStart.begin();
    await expect(create(begun!.token, { password: 'kurz' })).rejects.toMatchObject({
      code: 'password-short',
    });
    await expect(create(begun!.token, { name: '\0' })).rejects.toMatchObject({ code: 'name-invalid' });
    expect(await create(begun!.token)).toMatchObject({ name: 'Chefin' });
  });

  test('is over once a user was created by other means', async () => {
    const begun = await auth.firstStart.begin();
    await auth.users.create(someUser({ role: 'admin' }), someActor);
    await expect(create(begun!.token)).rejects.toMatchObject({ code: 'setup-refused' });
    expect(await auth.database.read('setup_tokens').select()).toEqual([]);
  });
});
