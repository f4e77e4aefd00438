import { describe, expect, test } from '@jest/globals';
import { draftAudit } from '../../src/audit/audit.js';
import type { SignInResult } from '../../src/auth/signIn.js';
import { cleanUpAuth } from '../../src/app/cleanUpJobs.js';
import {
  goodPassword,
  makeAuthFixture,
  peopleDatabases,
  someActor,
  someClient,
} from '../support/authFixture.js';
import { makePostgresDatabase, makeSqliteDatabase } from '../support/databases.js';
import { addressOf, attempts, minuteMs, outcomesOf, tooLong, withAnna } from './signInFixture.js';

describe.each(peopleDatabases)('attempts to sign in on %s', (_, make) => {
  const given = withAnna(make);
  const { signIn, refusals } = given;

  test(`of ${attempts} attempts at one account, 10 are checked, from one address or from many`, async () => {
    const before = given.auth.passwords.hashed();
    const results = await Promise.all(
      Array.from({ length: attempts }, (_each, index) => signIn('Anna', `guess ${index}`, addressOf(index))),
    );
    expect(outcomesOf(results)).toEqual({ refused: 10, throttled: attempts - 10 });
    expect(given.auth.passwords.hashed() - before).toBe(10);
    // Not even the right password is checked now.
    expect(await signIn('anna', goodPassword, '203.0.113.9')).toEqual({
      outcome: 'throttled',
      retryAfterSeconds: 900,
    });
    await given.auth.clock.advance(15 * minuteMs);
    expect(await signIn('anna', goodPassword, '203.0.113.9')).toMatchObject({ outcome: 'signed-in' });
  });

  test('name and e-mail address of a user are counted together, and nobody can tell', async () => {
    const answersOf = async (logins: readonly string[]): Promise<SignInResult[]> => {
      const answers: SignInResult[] = [];
      for (let index = 0; index < 24; index += 1)
        answers.push(await signIn(logins[index % 2]!, `guess ${index}`, addressOf(index)));
      return answers;
    };
    const known = await answersOf(['Anna', 'anna@example.org']);
    expect(outcomesOf(known)).toEqual({ refused: 20, throttled: 4 });
    expect(await answersOf(['Nemo', 'nemo@example.org'])).toEqual(known);
    // Of the twenty of Anna ten were compared with her password.
    const reasons = (await refusals()).filter(({ subjectName }) => subjectName === 'Anna');
    const countOf = (reason: string): number =>
      reasons.filter(({ detail }) => detail['reason'] === reason).reduce((sum, { count }) => sum + count, 0);
    expect([countOf('password'), countOf('account')]).toEqual([10, 10]);
  });

  test('the right password under the other name is not accepted once the attempts of a user are used up', async () => {
    for (let index = 0; index < 10; index += 1) await signIn('Anna', `guess ${index}`, addressOf(index));
    expect(await signIn('anna@example.org', goodPassword, '203.0.113.9')).toEqual({ outcome: 'refused' });
    await given.auth.clock.advance(15 * minuteMs);
    expect(await signIn('anna@example.org', goodPassword, '203.0.113.9')).toMatchObject({
      outcome: 'signed-in',
    });
  });

  test(`of ${attempts} attempts from one address over many accounts, at most 30 are checked`, async () => {
    for (let index = 0; index < 40; index += 1)
      await given.auth.tables.users.add(
        {
          ...(await given.auth.tables.users.find(given.anna.id))!,
          name: `user ${index}`,
          nameKey: `user ${index}`,
          email: null,
          emailKey: null,
        },
        [],
        draftAudit(someActor, 'user.create', given.auth.clock.now()),
      );
    const before = given.auth.passwords.hashed();
    const results: SignInResult[] = [];
    // In small groups, so that none is refused because too many are checked at once.
    for (let index = 0; index < attempts; index += 20)
      results.push(
        ...(await Promise.all(
          Array.from({ length: 20 }, (_each, offset) => signIn(`user ${index + offset}`, `${goodPassword}x`)),
        )),
      );
    expect(outcomesOf(results)).toEqual({ refused: 30, throttled: attempts - 30 });
    expect(given.auth.passwords.hashed() - before).toBe(30);
    expect(await signIn('Anna', goodPassword)).toMatchObject({ outcome: 'throttled' });
    expect(await signIn('Anna', goodPassword, '203.0.113.9')).toMatchObject({ outcome: 'signed-in' });
  });

  test('all addresses of one IPv6 network count together', async () => {
    for (let index = 0; index < 30; index += 1)
      await signIn(`user ${index % 10}`, tooLong, `2001:db8:0:1::${index.toString(16)}`);
    expect(await signIn('Anna', goodPassword, '2001:db8::1:ffff:0:0:1')).toMatchObject({
      outcome: 'throttled',
    });
    expect(await signIn('Anna', goodPassword, '2001:db8:0:2::1')).toMatchObject({ outcome: 'signed-in' });
  });

  test('who signs in does not use up attempts', async () => {
    for (let count = 0; count < 12; count += 1)
      expect(await signIn('Anna', goodPassword)).toMatchObject({ outcome: 'signed-in' });
  });

  test('a flood of refusals makes few entries, which say how many there were', async () => {
    for (let index = 0; index < attempts; index += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_each, offset) =>
          signIn(`user ${offset}`, tooLong, addressOf(index + offset)),
        ),
      );
    const entries = await refusals();
    expect(entries.length).toBeLessThanOrEqual(22);
    expect(entries.reduce((sum, { count }) => sum + count, 0)).toBe(attempts);
    for (let index = 0; index < attempts / 2; index += 1) await signIn('Anna', tooLong, '203.0.113.9');
    const all = await refusals();
    expect(all.length).toBeLessThanOrEqual(24);
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(attempts * 1.5);
  });

  test('alike refusals of a minute are one entry, and those of the next one another', async () => {
    for (let minute = 0; minute < 2; minute += 1) {
      for (let count = 0; count < 3; count += 1) await signIn('Anna', tooLong);
      await given.auth.clock.advance(minuteMs);
    }
    expect(await refusals()).toMatchObject([
      { action: 'user.sign-in-refused', subjectName: 'Anna', address: '198.51.100.7', count: 3 },
      { action: 'user.sign-in-refused', subjectName: 'Anna', address: '198.51.100.7', count: 3 },
    ]);
  });

  test('windows that have ended are removed from the database', async () => {
    await signIn('Anna', tooLong);
    await given.auth.clock.advance(15 * minuteMs);
    await cleanUpAuth(given.auth.database, given.auth.tables, given.auth.clock.now());
    expect(await given.auth.database.read('rate_limits').select()).toEqual([]);
  });
});

test(`of ${attempts} attempts at one account on two processes with PostgreSQL, 10 are checked`, async () => {
  const auth = await makeAuthFixture(makePostgresDatabase);
  const processes = [auth, auth.open()];
  const results = await Promise.all(
    Array.from({ length: attempts }, (_, index) =>
      processes[index % 2]!.signIn({ login: 'Anna', password: goodPassword }, someClient(addressOf(index))),
    ),
  );
  expect(outcomesOf(results)).toEqual({ refused: 10, throttled: attempts - 10 });
  expect(processes.reduce((sum, { passwords }) => sum + passwords.hashed(), 0)).toBe(10);
  await auth.remove();
});

test(`of ${attempts} attempts at once from many addresses over many accounts, those beyond the queue are refused`, async () => {
  const auth = await makeAuthFixture(makeSqliteDatabase);
  const results = await Promise.all(
    Array.from({ length: attempts }, (_, index) =>
      auth.signIn({ login: `user ${index}`, password: goodPassword }, someClient(addressOf(index))),
    ),
  );
  const { refused = 0, busy = 0, ...others } = outcomesOf(results);
  expect(others).toEqual({});
  expect(refused + busy).toBe(attempts);
  expect(auth.passwords.hashed()).toBe(refused);
  // Those that wait and those that are being hashed.
  expect(refused).toBeGreaterThanOrEqual(22);
  await auth.remove();
});
