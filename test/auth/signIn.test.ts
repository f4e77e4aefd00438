import { scryptSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { pino } from 'pino';
import { nodeSystem } from '../../src/lib/system.js';
import { draftAudit } from '../../src/audit/audit.js';
import { makeAuth } from '../../src/auth/auth.js';
import type { SignInResult } from '../../src/auth/signIn.js';
import type { User } from '../../src/users/users.js';
import { cleanUpAuth } from '../../src/auth/cleanUp.js';
import {
  goodPassword,
  hostileTexts,
  makeAuthFixture,
  passwordCost,
  peopleDatabases,
  someActor,
  someClient,
  someUser,
  type AuthFixture,
} from '../support/authFixture.js';
import { makePostgresDatabase, makeSqliteDatabase } from '../support/databases.js';
import { randomSecret } from '../support/secretLeaks.js';
import { statementsOf } from '../support/queryLog.js';

/** How often somebody guesses. */
const attempts = 200;
const minuteMs = 60_000;

/** How many of the results there are of each outcome. */
const outcomesOf = (results: readonly SignInResult[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};

const cheapHash = (password: string): string => {
  const salt = Buffer.alloc(16, 1);
  const key = scryptSync(password, salt, 32, { N: 1024, r: 8, p: 1 });
  return `$scrypt$ln=10,r=8,p=1$${salt.toString('base64')}$${key.toString('base64')}`;
};

const addressOf = (index: number): string => `10.1.${index >> 8}.${index & 255}`;

describe.each(peopleDatabases)('signing in on %s', (_, make) => {
  let auth: AuthFixture;
  let anna: User;
  beforeEach(async () => {
    auth = await makeAuthFixture(make);
    anna = await auth.users.create(someUser({ name: 'Anna', email: 'anna@example.org' }), someActor);
    // A hash of low cost, as an earlier version may have made it, spares the tests most of the work.
    const values = { passwordHash: cheapHash(goodPassword) };
    await auth.tables.users.change(anna.id, () => ({ values, endsSessions: true, audit: null }));
  });
  afterEach(() => auth.remove());

  const signIn = (login: string, password: string, address?: string, code?: string) =>
    auth.signIn({ login, password, code }, someClient(address));
  const refusals = async () =>
    (await auth.audit.search({ actions: ['user.sign-in-refused', 'user.sign-in-throttled'] }, { limit: 500 }))
      .entries;

  test('works with the name or the e-mail address, in any case', async () => {
    for (const login of ['Anna', ' ANNA ', 'anna@EXAMPLE.org']) {
      const result = await signIn(login, goodPassword);
      if (result.outcome !== 'signed-in') throw new Error(result.outcome);
      expect(result.userId).toBe(anna.id);
      expect(result.browserToken).toMatch(/^[\w-]{43}$/);
      expect((await auth.sessions.find(result.token))?.user).toMatchObject({
        id: anna.id,
        lastSignInAt: auth.clock.now(),
      });
    }
    const { entries } = await auth.audit.search({ actions: ['user.sign-in'] });
    expect(entries).toHaveLength(3);
    expect(entries[0]).toMatchObject({
      actorKind: 'user',
      actorName: 'Anna',
      subjectId: String(anna.id),
      address: '198.51.100.7',
      detail: { secondFactor: false },
    });
  });

  test('answers the same for an unknown account, a wrong password, a disabled user and one without a password, with the same work', async () => {
    const bert = await auth.users.create(someUser({ name: 'Bert', password: goodPassword }), someActor);
    await auth.users.disable(bert.id, someActor);
    await auth.users.create(someUser({ name: 'Carla' }), someActor);
    const work: unknown[] = [];
    for (const [login, password] of [
      ['nobody', goodPassword],
      ['Anna', `${goodPassword}x`],
      ['Bert', goodPassword],
      ['Bert', `${goodPassword}x`],
      ['Carla', goodPassword],
    ] as const) {
      const before = auth.passwords.hashed();
      let result: SignInResult | undefined;
      const statements = await statementsOf(auth.database, async () => {
        result = await signIn(login, password);
      });
      work.push({ result, hashed: auth.passwords.hashed() - before, statements });
    }
    expect(work[0]).toMatchObject({ result: { outcome: 'refused' }, hashed: 1 });
    for (const one of work) expect(one).toEqual(work[0]);
    expect(
      (await refusals()).map(({ subjectName, detail }) => [subjectName, detail['reason']]).sort(),
    ).toEqual([
      [null, 'unknown'],
      ['Anna', 'password'],
      ['Bert', 'disabled'],
      ['Bert', 'password'],
      ['Carla', 'password'],
    ]);
  });

  test('asks for a code where there is a second factor, and takes one of the app or a recovery code', async () => {
    const { secret } = await auth.secondFactor.begin(anna.id);
    const code = () => new TOTP({ secret }).generate({ timestamp: auth.clock.now() });
    const codes = await auth.secondFactor.confirm(anna.id, code(), someActor);
    await auth.clock.advance(minuteMs);
    expect(await signIn('Anna', goodPassword)).toEqual({ outcome: 'code-required' });
    expect(await signIn('Anna', `${goodPassword}x`, undefined, code())).toEqual({ outcome: 'refused' });
    expect(await signIn('Anna', goodPassword, undefined, 'wrong')).toEqual({ outcome: 'refused' });
    const used = code();
    const result = await signIn('Anna', goodPassword, undefined, used);
    if (result.outcome !== 'signed-in') throw new Error(result.outcome);
    expect((await auth.sessions.find(result.token))?.session.secondFactor).toBe(true);
    expect(await signIn('Anna', goodPassword, undefined, used)).toEqual({ outcome: 'refused' });
    expect(await signIn('Anna', goodPassword, undefined, codes[0])).toMatchObject({ outcome: 'signed-in' });
    expect(await signIn('Anna', goodPassword, undefined, codes[0])).toEqual({ outcome: 'refused' });
  });

  test.each([
    ['another format', '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA'],
    ['nothing', ''],
    [
      'a cost that needs too much memory',
      `$scrypt$ln=31,r=8,p=3$AAAA$${Buffer.alloc(32).toString('base64')}`,
    ],
    ['a cost of nothing', `$scrypt$ln=0,r=0,p=0$AAAA$${Buffer.alloc(32).toString('base64')}`],
    ['a short key', '$scrypt$ln=10,r=8,p=1$AAAA$AAAA'],
  ])('a stored hash that has %s is a refused sign-in, reported once', async (_case, passwordHash) => {
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const { database, tables, clock, dataDir } = auth;
    const system = { ...nodeSystem, now: clock.now };
    const keySource = { secretKey: undefined, dataDir };
    const reporting = makeAuth({ database, tables, system, log, keySource, passwordCost });
    await tables.users.change(anna.id, () => ({
      values: { passwordHash },
      endsSessions: false,
      audit: null,
    }));
    for (const login of ['Anna', 'anna@example.org']) {
      const before = reporting.passwords.hashed();
      expect(await reporting.signIn({ login, password: goodPassword }, someClient())).toEqual({
        outcome: 'refused',
      });
      expect(reporting.passwords.hashed() - before).toBe(1);
    }
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 50, user: anna.id, msg: expect.stringContaining('voucherd user reset-password') },
    ]);
    expect(lines.join()).not.toContain(passwordHash || goodPassword);
  });

  test(`of ${attempts} attempts at one account, 10 are checked, from one address or from many`, async () => {
    const before = auth.passwords.hashed();
    const results = await Promise.all(
      Array.from({ length: attempts }, (_each, index) => signIn('Anna', `guess ${index}`, addressOf(index))),
    );
    expect(outcomesOf(results)).toEqual({ refused: 10, throttled: attempts - 10 });
    expect(auth.passwords.hashed() - before).toBe(10);
    // Not even the right password is checked now.
    expect(await signIn('anna', goodPassword, '203.0.113.9')).toEqual({
      outcome: 'throttled',
      retryAfterSeconds: 900,
    });
    await auth.clock.advance(15 * minuteMs);
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
    await auth.clock.advance(15 * minuteMs);
    expect(await signIn('anna@example.org', goodPassword, '203.0.113.9')).toMatchObject({
      outcome: 'signed-in',
    });
  });

  describe('a browser that has signed in before', () => {
    /** Guesses until nobody signs in any more: from the address of the browser, and from many others. */
    const exhaust = async (): Promise<void> => {
      for (let index = 0; index < 40; index += 1) await signIn(`user ${index % 20}`, 'x'.repeat(2000));
      for (let index = 0; index < 20; index += 1)
        await signIn(index % 2 === 0 ? 'Anna' : 'anna@example.org', 'x'.repeat(2000), addressOf(index));
    };
    const signInFrom = (browserToken: string | undefined, login: string, password: string, code?: string) =>
      auth.signIn({ login, password, code }, { ...someClient(), browserToken });
    const tokenOf = (result: SignInResult): string => {
      if (result.outcome !== 'signed-in') throw new Error(result.outcome);
      return result.browserToken ?? '';
    };

    test('is not kept out by guesses elsewhere, under either name, with a recovery code too', async () => {
      const { secret } = await auth.secondFactor.begin(anna.id);
      const code = new TOTP({ secret }).generate({ timestamp: auth.clock.now() });
      const [first, second] = await auth.secondFactor.confirm(anna.id, code, someActor);
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
        signInFrom(token, index % 2 === 0 ? 'Anna' : 'anna@example.org', 'x'.repeat(2000));
      for (let index = 0; index < 10; index += 1) expect(await guess(index)).toEqual({ outcome: 'refused' });
      expect(await guess(10)).toMatchObject({ outcome: 'throttled' });
      // Its guesses use up nobody else's attempts.
      expect(await signIn('Anna', goodPassword)).toMatchObject({ outcome: 'signed-in' });
    });

    test('is unknown to other users', async () => {
      await auth.users.create(someUser({ name: 'Bert', password: goodPassword }), someActor);
      const bert = tokenOf(await signIn('Bert', goodPassword));
      await exhaust();
      expect(await signInFrom(bert, 'Anna', goodPassword)).toMatchObject({ outcome: 'throttled' });
      expect(await signInFrom(bert, 'Bert', goodPassword)).toMatchObject({ outcome: 'signed-in' });
    });

    test('gets another token at each sign-in, stays known to all who use it, and the old token is worth nothing', async () => {
      await auth.users.create(someUser({ name: 'Bert', password: goodPassword }), someActor);
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
      expect(JSON.stringify(await auth.database.read('known_browsers').select())).not.toContain(token);
      await auth.clock.advance(180 * 24 * 60 * minuteMs);
      await exhaust();
      expect(await signInFrom(token, 'Anna', goodPassword)).toMatchObject({ outcome: 'throttled' });
      await cleanUpAuth(auth.database, auth.tables, auth.clock.now());
      expect(await auth.database.read('known_browsers').select()).toEqual([]);
    });

    test('of more than fifty of a user the oldest are forgotten', async () => {
      const first = tokenOf(await signIn('Anna', goodPassword));
      for (let count = 0; count < 50; count += 1) {
        await auth.clock.advance(1);
        await signIn('Anna', goodPassword);
      }
      expect(await auth.database.read('known_browsers').select()).toHaveLength(50);
      await exhaust();
      expect(await signInFrom(first, 'Anna', goodPassword)).toMatchObject({ outcome: 'throttled' });
    });

    test.each(hostileTexts)('and sends %s as its token is like any other', async (_case, token) => {
      expect(await signInFrom(token, 'Anna', goodPassword)).toMatchObject({ outcome: 'signed-in' });
    });
  });

  test(`of ${attempts} attempts from one address over many accounts, at most 30 are checked`, async () => {
    for (let index = 0; index < 40; index += 1)
      await auth.tables.users.add(
        {
          ...(await auth.tables.users.find(anna.id))!,
          name: `user ${index}`,
          nameKey: `user ${index}`,
          email: null,
          emailKey: null,
        },
        [],
        draftAudit(someActor, 'user.create', auth.clock.now()),
      );
    const before = auth.passwords.hashed();
    const results: SignInResult[] = [];
    // In small groups, so that none is refused because too many are checked at once.
    for (let index = 0; index < attempts; index += 20)
      results.push(
        ...(await Promise.all(
          Array.from({ length: 20 }, (_each, offset) => signIn(`user ${index + offset}`, `${goodPassword}x`)),
        )),
      );
    expect(outcomesOf(results)).toEqual({ refused: 30, throttled: attempts - 30 });
    expect(auth.passwords.hashed() - before).toBe(30);
    expect(await signIn('Anna', goodPassword)).toMatchObject({ outcome: 'throttled' });
    expect(await signIn('Anna', goodPassword, '203.0.113.9')).toMatchObject({ outcome: 'signed-in' });
  });

  test('all addresses of one IPv6 network count together', async () => {
    for (let index = 0; index < 30; index += 1)
      await signIn(`user ${index % 10}`, 'x'.repeat(2000), `2001:db8:0:1::${index.toString(16)}`);
    expect(await signIn('Anna', goodPassword, '2001:db8::1:ffff:0:0:1')).toMatchObject({
      outcome: 'throttled',
    });
    expect(await signIn('Anna', goodPassword, '2001:db8:0:2::1')).toMatchObject({ outcome: 'signed-in' });
  });

  test('who signs in does not use up attempts', async () => {
    for (let count = 0; count < 12; count += 1)
      expect(await signIn('Anna', goodPassword)).toMatchObject({ outcome: 'signed-in' });
  });

  test.each(hostileTexts)('with %s as a name or a password is refused', async (_case, text) => {
    expect(await signIn(text, goodPassword)).toEqual({ outcome: 'refused' });
    expect(await signIn('Anna', text)).toEqual({ outcome: 'refused' });
    expect(await signIn('Anna', goodPassword, `\0${text}`, text)).toMatchObject({ outcome: 'signed-in' });
  });

  test('a flood of refusals makes few entries, which say how many there were', async () => {
    for (let index = 0; index < attempts; index += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_each, offset) =>
          signIn(`user ${offset}`, 'x'.repeat(2000), addressOf(index + offset)),
        ),
      );
    const entries = await refusals();
    expect(entries.length).toBeLessThanOrEqual(22);
    expect(entries.reduce((sum, { count }) => sum + count, 0)).toBe(attempts);
    for (let index = 0; index < attempts / 2; index += 1)
      await signIn('Anna', 'x'.repeat(2000), '203.0.113.9');
    const all = await refusals();
    expect(all.length).toBeLessThanOrEqual(24);
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(attempts * 1.5);
  });

  test('alike refusals of a minute are one entry, and those of the next one another', async () => {
    for (let minute = 0; minute < 2; minute += 1) {
      for (let count = 0; count < 3; count += 1) await signIn('Anna', 'x'.repeat(2000));
      await auth.clock.advance(minuteMs);
    }
    expect(await refusals()).toMatchObject([
      { action: 'user.sign-in-refused', subjectName: 'Anna', address: '198.51.100.7', count: 3 },
      { action: 'user.sign-in-refused', subjectName: 'Anna', address: '198.51.100.7', count: 3 },
    ]);
  });

  test('what was entered is nowhere in the database', async () => {
    const [login, password] = [randomSecret(), randomSecret()];
    await signIn(login, password);
    await signIn('Anna', password, undefined, login);
    for (const table of ['audit_log', 'rate_limits', 'sessions', 'users']) {
      const rows = JSON.stringify(await auth.database.read(table).select());
      expect(rows).not.toContain(login);
      expect(rows).not.toContain(password);
    }
  });

  test('an imported password is accepted, and only our own hash of it is stored from then on', async () => {
    const setHash = (passwordHash: string) =>
      auth.tables.users.change(anna.id, () => ({
        values: { passwordHash },
        endsSessions: false,
        audit: null,
      }));
    const storedHash = async () => (await auth.tables.users.find(anna.id))?.passwordHash;
    // What PHP's `password_hash` made of "altes-passwort".
    const imported = '$2y$04$8yMS8qHGjOq23BjsBDrRX.GGAczBwgrnV/f504lIspklmYkCHD3tu';
    await setHash(imported);
    expect(await signIn('Anna', 'neues-passwort')).toEqual({ outcome: 'refused' });
    expect(await storedHash()).toBe(imported);
    expect(await signIn('Anna', 'altes-passwort')).toMatchObject({ outcome: 'signed-in' });
    const ours = await storedHash();
    expect(ours).toMatch(/^\$scrypt\$/);
    expect(await signIn('Anna', 'altes-passwort')).toMatchObject({ outcome: 'signed-in' });
    expect(await storedHash()).toBe(ours);
    // A cost that would take weeks is never tried.
    await setHash(imported.replace('$04$', '$31$'));
    expect(await signIn('Anna', 'altes-passwort')).toEqual({ outcome: 'refused' });
    // Another password that was set meanwhile stays.
    await auth.tables.users.replaceHash({ id: anna.id, passwordHash: imported }, 'lost');
    expect(await storedHash()).toBe(imported.replace('$04$', '$31$'));
  });

  test('a user who was changed while their password was checked is not signed in', async () => {
    const signingIn = signIn('Anna', goodPassword);
    await auth.users.setRole(anna.id, 'admin', someActor);
    const result = await signingIn;
    // Whichever came first, nobody is signed in with what held before.
    if (result.outcome === 'signed-in')
      expect((await auth.sessions.find(result.token))?.user.role ?? 'admin').toBe('admin');
    else expect(result).toEqual({ outcome: 'refused' });
  });

  test('windows that have ended are removed from the database', async () => {
    await signIn('Anna', 'x'.repeat(2000));
    await auth.clock.advance(15 * minuteMs);
    await cleanUpAuth(auth.database, auth.tables, auth.clock.now());
    expect(await auth.database.read('rate_limits').select()).toEqual([]);
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
