import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  goodPassword,
  makeAuthFixture,
  peopleDatabases,
  someActor,
  someClient,
  someUser,
} from '../support/authFixture.js';
import { forAllTests } from '../support/fixture.js';

describe.each(peopleDatabases)('links to choose a password on %s', (_, make) => {
  const auth = forAllTests(() => makeAuthFixture(make), 'remove');
  beforeAll(async () => {
    await auth.users.create(someUser({ name: 'Chefin', role: 'admin' }), someActor);
  });

  test('of ten who use one at the same time, in two processes, exactly one wins', async () => {
    const other = auth.open();
    const { id } = await auth.users.create(someUser({ email: 'anna@example.org' }), someActor);
    const user = (await auth.tables.users.find(id))!;
    const { token } = (await auth.tokens.make(user, 'password-reset'))!;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (__, index) =>
        (index % 2 === 0 ? auth : other).forgottenPassword.choose(
          token,
          `${goodPassword} ${String(index)}`,
          someClient(),
        ),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'token-refused' });
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    const signedIn = await auth.signIn(
      { login: 'anna@example.org', password: `${goodPassword} ${String(winner)}` },
      someClient(),
    );
    expect(signedIn.outcome).toBe('signed-in');
    expect(await auth.tokens.findUser(token)).toBeUndefined();
  });

  test('one ends when it has expired, or when a process of an earlier time has made it', async () => {
    const { id } = await auth.users.create(someUser({ email: 'berta@example.org' }), someActor);
    const user = (await auth.tables.users.find(id))!;
    const { token, lifetimeMs } = (await auth.tokens.make(user, 'invitation'))!;
    expect(lifetimeMs).toBe(3 * 86_400_000);
    expect(await auth.tokens.findUser(token)).toBe(id);
    await auth.database.write('account_tokens').update({ expires_at: auth.clock.now() + 4 * 86_400_000 });
    expect(await auth.tokens.findUser(token)).toBeUndefined();
    await auth.database.write('account_tokens').update({ expires_at: auth.clock.now() });
    expect(await auth.tokens.findUser(token)).toBeUndefined();
    expect(await auth.tables.accountTokens.removeExpired(auth.clock.now())).toBe(1);
  });
});
