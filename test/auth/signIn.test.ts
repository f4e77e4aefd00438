import { describe, expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { pino } from 'pino';
import { nodeSystem } from '../../src/lib/system.js';
import { makeAuth } from '../../src/auth/auth.js';
import type { SignInResult } from '../../src/auth/signIn.js';
import {
  goodPassword,
  hostileTexts,
  passwordCost,
  peopleDatabases,
  someActor,
  someClient,
  someUser,
} from '../support/authFixture.js';
import { randomSecret } from '../support/secretLeaks.js';
import { statementsOf } from '../support/queryLog.js';
import { minuteMs, withAnna } from './signInFixture.js';

describe.each(peopleDatabases)('signing in on %s', (_, make) => {
  const given = withAnna(make);
  const { signIn, refusals } = given;

  test('works with the name or the e-mail address, in any case', async () => {
    for (const login of ['Anna', ' ANNA ', 'anna@EXAMPLE.org']) {
      const result = await signIn(login, goodPassword);
      if (result.outcome !== 'signed-in') throw new Error(result.outcome);
      expect(result.userId).toBe(given.anna.id);
      expect(result.browserToken).toMatch(/^[\w-]{43}$/);
      expect((await given.auth.sessions.find(result.token))?.user).toMatchObject({
        id: given.anna.id,
        lastSignInAt: given.auth.clock.now(),
      });
    }
    const { entries } = await given.auth.audit.search({ actions: ['user.sign-in'] });
    expect(entries).toHaveLength(3);
    expect(entries[0]).toMatchObject({
      actorKind: 'user',
      actorName: 'Anna',
      subjectId: String(given.anna.id),
      address: '198.51.100.7',
      detail: { secondFactor: false },
    });
  });

  test('answers the same for an unknown account, a wrong password, a disabled user and one without a password, with the same work', async () => {
    const bert = await given.auth.users.create(someUser({ name: 'Bert', password: goodPassword }), someActor);
    await given.auth.users.disable(bert.id, someActor);
    await given.auth.users.create(someUser({ name: 'Carla' }), someActor);
    const work: unknown[] = [];
    for (const [login, password] of [
      ['nobody', goodPassword],
      ['Anna', `${goodPassword}x`],
      ['Bert', goodPassword],
      ['Bert', `${goodPassword}x`],
      ['Carla', goodPassword],
    ] as const) {
      const before = given.auth.passwords.hashed();
      let result: SignInResult | undefined;
      const statements = await statementsOf(given.auth.database, async () => {
        result = await signIn(login, password);
      });
      work.push({ result, hashed: given.auth.passwords.hashed() - before, statements });
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
    const { secret } = await given.auth.secondFactor.begin(given.anna.id);
    const code = () => new TOTP({ secret }).generate({ timestamp: given.auth.clock.now() });
    const codes = await given.auth.secondFactor.confirm(given.anna.id, code(), someActor);
    await given.auth.clock.advance(minuteMs);
    expect(await signIn('Anna', goodPassword)).toEqual({ outcome: 'code-required' });
    expect(await signIn('Anna', `${goodPassword}x`, undefined, code())).toEqual({ outcome: 'refused' });
    expect(await signIn('Anna', goodPassword, undefined, 'wrong')).toEqual({ outcome: 'refused' });
    const used = code();
    const result = await signIn('Anna', goodPassword, undefined, used);
    if (result.outcome !== 'signed-in') throw new Error(result.outcome);
    expect((await given.auth.sessions.find(result.token))?.session.secondFactor).toBe(true);
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
    const { database, tables, clock, dataDir } = given.auth;
    const system = { ...nodeSystem, now: clock.now };
    const keySource = { secretKey: undefined, dataDir };
    const reporting = makeAuth({ database, tables, system, log, keySource, passwordCost });
    await tables.users.change(given.anna.id, () => ({
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
      { level: 50, user: given.anna.id, msg: expect.stringContaining('voucherd user reset-password') },
    ]);
    expect(lines.join()).not.toContain(passwordHash || goodPassword);
  });

  test('with a hostile text as a name or a password is refused', async () => {
    for (const [name, text] of hostileTexts) {
      const outcomes = [
        await signIn(text, goodPassword),
        await signIn('Anna', text),
        await signIn('Anna', goodPassword, `\0${text}`, text),
      ].map(({ outcome }) => outcome);
      expect([name, outcomes]).toEqual([name, ['refused', 'refused', 'signed-in']]);
      await given.auth.clock.advance(15 * minuteMs);
    }
  });

  test('what was entered is nowhere in the database', async () => {
    const [login, password] = [randomSecret(), randomSecret()];
    await signIn(login, password);
    await signIn('Anna', password, undefined, login);
    for (const table of ['audit_log', 'rate_limits', 'sessions', 'users']) {
      const rows = JSON.stringify(await given.auth.database.read(table).select());
      expect(rows).not.toContain(login);
      expect(rows).not.toContain(password);
    }
  });

  test('an imported password is accepted, and only our own hash of it is stored from then on', async () => {
    const setHash = (passwordHash: string) =>
      given.auth.tables.users.change(given.anna.id, () => ({
        values: { passwordHash },
        endsSessions: false,
        audit: null,
      }));
    const storedHash = async () => (await given.auth.tables.users.find(given.anna.id))?.passwordHash;
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
    await given.auth.tables.users.replaceHash({ id: given.anna.id, passwordHash: imported }, 'lost');
    expect(await storedHash()).toBe(imported.replace('$04$', '$31$'));
  });

  test('a user who was changed while their password was checked is not signed in', async () => {
    const signingIn = signIn('Anna', goodPassword);
    await given.auth.users.setRole(given.anna.id, 'admin', someActor);
    const result = await signingIn;
    // Whichever came first, nobody is signed in with what held before.
    if (result.outcome === 'signed-in')
      expect((await given.auth.sessions.find(result.token))?.user.role ?? 'admin').toBe('admin');
    else expect(result).toEqual({ outcome: 'refused' });
  });
});
