import { describe, expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { cleanUpAuth } from '../../src/app/cleanUpJobs.js';
import type { SignInResult } from '../../src/auth/signIn.js';
import {
  goodPassword,
  hostileTexts,
  peopleDatabases,
  someActor,
  someClient,
  someUser,
} from '../support/authFixture.js';
import { addressOf, minuteMs, tooLong, withAnna } from './signInFixture.js';

describe.each(peopleDatabases)('a browser that has signed in before, on %s,', (_, make) => {
  const given = withAnna(make);
  const { signIn } = given;

  /** Guesses until nobody signs in any more: from the address of the browser, and from many others. */
  const exhaust = async (): Promise<void> => {
    for (let index = 0; index < 40; index += 1) await signIn(`user ${index % 20}`, tooLong);
    for (let index = 0; index < 20; index += 1)
      await signIn(index % 2 === 0 ? 'Anna' : 'anna@example.org', tooLong, addressOf(index));
  };
  const signInFrom = (browserToken: string | undefined, login: string, password: string, code?: string) =>
    given.auth.signIn({ login, password, code }, { ...someClient(), browserToken });
  const tokenOf = (result: SignInResult): string => {
    if (result.outcome !== 'signed-in') throw new Error(result.outcome);
    return result.browserToken ?? '';
  };

  test('is not kept out by guesses elsewhere, under either name, with a recovery code too', async () => {
    const { secret } = await given.auth.secondFactor.begin(given.anna.id);
    const code = new TOTP({ secret }).generate({ timestamp: given.auth.clock.now() });
    const [first, second] = await given.auth.secondFactor.confirm(given.anna.id, code, someActor);
    const token = tokenOf(await signIn('Anna', goodPassword, undefined, first));
    await exhaust();
    expect(await signIn('Anna', goodPassword, undefined, second)).toMatchObject({ outcome: 'throttled' });
    expect(await signInFrom(token, 'anna@example.org', goodPassword, second)).toMatchObject({
      outcome: 'signed-in',
    });
  });

  test('guesses ten times itself, whichever name is used', async () => {
    const token = tokenOf(await signIn('Anna', goodPassword));
    const guess = (index: number) =>
      signInFrom(token, index % 2 === 0 ? 'Anna' : 'anna@example.org', tooLong);
    for (let index = 0; index < 10; index += 1) expect(await guess(index)).toEqual({ outcome: 'refused' });
    expect(await guess(10)).toMatchObject({ outcome: 'throttled' });
    // Its guesses use up nobody else's attempts.
    expect(await signIn('Anna', goodPassword)).toMatchObject({ outcome: 'signed-in' });
  });

  test('is unknown to other users', async () => {
    await given.auth.users.create(someUser({ name: 'Bert', password: goodPassword }), someActor);
    const bert = tokenOf(await signIn('Bert', goodPassword));
    await exhaust();
    expect(await signInFrom(bert, 'Anna', goodPassword)).toMatchObject({ outcome: 'throttled' });
    expect(await signInFrom(bert, 'Bert', goodPassword)).toMatchObject({ outcome: 'signed-in' });
  });

  test('gets another token at each sign-in, stays known to all who use it, and the old token is worth nothing', async () => {
    await given.auth.users.create(someUser({ name: 'Bert', password: goodPassword }), someActor);
    const before = tokenOf(await signIn('Bert', goodPassword));
    const after = tokenOf(await signInFrom(before, 'Anna', goodPassword));
    expect(after).not.toBe(before);
    await exhaust();
    for (const login of ['Anna', 'Bert'])
      expect(await signInFrom(before, login, goodPassword)).toMatchObject({ outcome: 'throttled' });
    expect(tokenOf(await signInFrom(after, 'Bert', goodPassword))).not.toBe('');
  });

  test('is forgotten after half a year, and stored as a hash only', async () => {
    const token = tokenOf(await signIn('Anna', goodPassword));
    expect(JSON.stringify(await given.auth.database.read('known_browsers').select())).not.toContain(token);
    await given.auth.clock.advance(180 * 24 * 60 * minuteMs);
    await exhaust();
    expect(await signInFrom(token, 'Anna', goodPassword)).toMatchObject({ outcome: 'throttled' });
    await cleanUpAuth(given.auth.database, given.auth.tables, given.auth.clock.now());
    expect(await given.auth.database.read('known_browsers').select()).toEqual([]);
  });

  test('of more than fifty of a user the oldest are forgotten', async () => {
    const first = tokenOf(await signIn('Anna', goodPassword));
    for (let count = 0; count < 50; count += 1) {
      await given.auth.clock.advance(1);
      await signIn('Anna', goodPassword);
    }
    expect(await given.auth.database.read('known_browsers').select()).toHaveLength(50);
    await exhaust();
    expect(await signInFrom(first, 'Anna', goodPassword)).toMatchObject({ outcome: 'throttled' });
  });

  test('and sends a hostile text as its token is like any other', async () => {
    for (const [name, token] of hostileTexts) {
      const { outcome } = await signInFrom(token, 'Anna', goodPassword);
      expect([name, outcome]).toEqual([name, 'signed-in']);
    }
  });
});
