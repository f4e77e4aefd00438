import { describe, expect, test } from '@jest/globals';
import { TOTP, URI } from 'otpauth';
import { nodeSystem } from '../../src/lib/system.js';
import { rotateKeyFile } from '../../src/secrets/rotation.js';
import { keyFilePath, readKeyFile } from '../../src/secrets/secretKey.js';
import type { StoredUser } from '../../src/users/userTable.js';
import {
  makeAuthFixture,
  peopleDatabases,
  rowsOf,
  someActor,
  someClient,
  someUser,
  type AuthFixture,
} from '../support/authFixture.js';
import { forAllTests } from '../support/fixture.js';

const periodMs = 30_000;

describe.each(peopleDatabases)('a second factor on %s', (_, make) => {
  const auth = forAllTests(() => makeAuthFixture(make), 'remove');

  const codeAt = (secret: string, offsetMs = 0): string =>
    new TOTP({ secret }).generate({ timestamp: auth.clock.now() + offsetMs });
  const stored = async (id: number): Promise<StoredUser> => (await auth.tables.users.find(id))!;
  /** A user whose second factor is in use, and whose codes of earlier periods are used up. */
  const enrolled = async () => {
    const { id } = await auth.users.create(someUser(), someActor);
    const { secret } = await auth.secondFactor.begin(id);
    const codes = await auth.secondFactor.confirm(id, codeAt(secret), someActor);
    await auth.clock.advance(3 * periodMs);
    const verify = async (code: string, process: AuthFixture['secondFactor'] = auth.secondFactor) =>
      process.verify(await stored(id), code);
    return { id, secret, codes, verify };
  };

  test('is set up with a secret for an app, and comes into use with a first code', async () => {
    const { id, name } = await auth.users.create(someUser({ name: 'Anna & Söhne' }), someActor);
    const token = (await auth.sessions.begin(await stored(id), someClient(), { secondFactor: false }))!.token;
    const { secret, uri } = await auth.secondFactor.begin(id);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const parsed = URI.parse(uri);
    expect(parsed).toBeInstanceOf(TOTP);
    expect(parsed).toMatchObject({
      issuer: 'voucherd',
      label: name,
      algorithm: 'SHA1',
      digits: 6,
      period: 30,
    });
    expect(parsed.secret.base32).toBe(secret);
    expect(await auth.users.findByName(name)).toMatchObject({ hasSecondFactor: false });
    expect(await auth.sessions.find(token)).toBeDefined();

    const codes = await auth.secondFactor.confirm(
      id,
      ` ${codeAt(secret).replace(/(\d{3})/, '$1 ')} `,
      someActor,
    );
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    expect(await auth.users.findByName(name)).toMatchObject({ hasSecondFactor: true });
    expect(await auth.sessions.find(token)).toBeUndefined();
    expect((await auth.audit.search({}, { limit: 1 })).entries[0]).toMatchObject({
      action: 'user.second-factor',
      subjectId: String(id),
      detail: {},
    });
    const texts = JSON.stringify(await rowsOf(auth.database));
    for (const planted of [secret, ...codes]) expect(texts).not.toContain(planted);
  });

  test('does not come into use with a wrong code, or without having been begun', async () => {
    const { id } = await auth.users.create(someUser(), someActor);
    await expect(auth.secondFactor.confirm(id, '123456', someActor)).rejects.toMatchObject({
      code: 'no-enrolment',
    });
    const { secret } = await auth.secondFactor.begin(id);
    const before = await rowsOf(auth.database);
    for (const code of [codeAt(secret, 10 * periodMs), '', 'x'.repeat(65_536), '\0'])
      await expect(auth.secondFactor.confirm(id, code, someActor)).rejects.toMatchObject({
        code: 'code-wrong',
      });
    expect(await rowsOf(auth.database)).toEqual(before);
    await expect(auth.secondFactor.begin(2_000_000)).rejects.toMatchObject({ code: 'unknown-user' });
  });

  test('that is in use stays until its successor is confirmed', async () => {
    const { id, secret, verify } = await enrolled();
    const next = await auth.secondFactor.begin(id);
    expect(await verify(codeAt(next.secret))).toBe(false);
    expect(await verify(codeAt(secret))).toBe(true);
    await auth.secondFactor.confirm(id, codeAt(next.secret), someActor);
    await auth.clock.advance(3 * periodMs);
    expect(await verify(codeAt(secret))).toBe(false);
    expect(await verify(codeAt(next.secret))).toBe(true);
  });

  test('accepts codes of one period before and after', async () => {
    const { secret, verify } = await enrolled();
    expect(await verify(codeAt(secret, -2 * periodMs))).toBe(false);
    expect(await verify(codeAt(secret, 2 * periodMs))).toBe(false);
    expect(await verify(codeAt(secret, -periodMs))).toBe(true);
    expect(await verify(codeAt(secret, periodMs))).toBe(true);
  });

  test('accepts a code once, and none that is older than the last one', async () => {
    const { secret, verify } = await enrolled();
    const code = codeAt(secret);
    expect(await verify(code)).toBe(true);
    expect(await verify(code)).toBe(false);
    expect(await verify(codeAt(secret, -periodMs))).toBe(false);
    await auth.clock.advance(periodMs);
    expect(await verify(code)).toBe(false);
    expect(await verify(codeAt(secret))).toBe(true);
  });

  test('accepts a code once, however many processes are asked at the same time', async () => {
    const { secret, verify } = await enrolled();
    const processes = [auth.secondFactor, auth.open().secondFactor];
    const results = await Promise.all(
      Array.from({ length: 10 }, (_each, index) => verify(codeAt(secret), processes[index % 2])),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
  });

  test('works on when the clock was set back, and still accepts a code once', async () => {
    const { secret, verify } = await enrolled();
    expect(await verify(codeAt(secret))).toBe(true);
    await auth.clock.advance(-100 * periodMs);
    expect(await verify(codeAt(secret))).toBe(true);
    expect(await verify(codeAt(secret))).toBe(false);
  });

  test('does not accept the code with which it was confirmed', async () => {
    const { id } = await auth.users.create(someUser(), someActor);
    const { secret } = await auth.secondFactor.begin(id);
    const code = codeAt(secret);
    await auth.secondFactor.confirm(id, code, someActor);
    expect(await auth.secondFactor.verify(await stored(id), code)).toBe(false);
  });

  test('accepts each recovery code once, in any spelling, and only of its user', async () => {
    const [anna, bert] = [await enrolled(), await enrolled()];
    const [first = '', second = '', third = ''] = anna.codes;
    expect(await bert.verify(first)).toBe(false);
    expect(await anna.verify(first)).toBe(true);
    expect(await anna.verify(first)).toBe(false);
    expect(await anna.verify(second.toUpperCase().replaceAll('-', ' '))).toBe(true);
    const results = await Promise.all(Array.from({ length: 10 }, () => anna.verify(third)));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await auth.secondFactor.countRecoveryCodes(anna.id)).toBe(7);
  });

  test('gets new recovery codes; the old ones end', async () => {
    const { id, codes, verify } = await enrolled();
    const renewed = await auth.secondFactor.renewRecoveryCodes(id, someActor);
    expect(await verify(codes[0]!)).toBe(false);
    expect(await verify(renewed[0]!)).toBe(true);
    const without = await auth.users.create(someUser(), someActor);
    await expect(auth.secondFactor.renewRecoveryCodes(without.id, someActor)).rejects.toMatchObject({
      code: 'no-second-factor',
    });
  });

  test('does not accept what is no code', async () => {
    const { verify } = await enrolled();
    for (const code of ['', 'x', '12345', '1234567', '١٢٣٤٥٦', '\0', '\uD800', 'x'.repeat(65_536)])
      expect([code, await verify(code)]).toEqual([code, false]);
  });

  test('is reset with its recovery codes, and the sessions end', async () => {
    const { id, secret, codes, verify } = await enrolled();
    const token = (await auth.sessions.begin(await stored(id), someClient(), { secondFactor: true }))!.token;
    await auth.secondFactor.reset(id, someActor);
    expect(await auth.sessions.find(token)).toBeUndefined();
    expect(await verify(codeAt(secret))).toBe(false);
    expect(await verify(codes[0]!)).toBe(false);
    expect(await auth.secondFactor.countRecoveryCodes(id)).toBe(0);
    await expect(auth.secondFactor.reset(id, someActor)).rejects.toMatchObject({
      code: 'no-second-factor',
    });
  });

  test('works on after a rotation of the key, one that is being set up too', async () => {
    const { id, secret, verify } = await enrolled();
    const next = await auth.secondFactor.begin(id);
    const before = readKeyFile(keyFilePath(auth.dataDir));
    const sealed = await stored(id);
    const { resealed } = await rotateKeyFile(auth.dataDir, nodeSystem, auth.tables.sealed.reseal);
    expect(resealed).toBeGreaterThanOrEqual(2);
    expect(readKeyFile(keyFilePath(auth.dataDir))).not.toEqual(before);
    expect((await stored(id)).sealedTotpSecret).not.toBe(sealed.sealedTotpSecret);
    expect(await verify(codeAt(secret))).toBe(true);
    await auth.secondFactor.confirm(id, codeAt(next.secret), someActor);
  });

  test('of one user, copied to another in the database, does not open', async () => {
    const [anna, bert] = [await enrolled(), await enrolled()];
    const { sealedTotpSecret } = await stored(anna.id);
    await auth.database
      .write('users')
      .where({ id: bert.id })
      .update({ sealed_totp_secret: sealedTotpSecret });
    await expect(bert.verify(codeAt(anna.secret))).rejects.toMatchObject({ name: 'SecretError' });
    await auth.users.remove(bert.id, someActor);
  });
});
