import { createHook } from 'node:async_hooks';
import { describe, expect, test } from '@jest/globals';
import { nodeSystem } from '../../src/lib/system.js';
import { checkNewPassword, generatePassword, makePasswords } from '../../src/users/passwords.js';
import { UserRefusal } from '../../src/users/refusal.js';
import { goodPassword } from '../support/authFixture.js';

const anna = { name: 'Anna Berger', email: 'empfang@example.org' };
const codeOf = (password: string): string | undefined => {
  try {
    checkNewPassword(password, anna);
    return undefined;
  } catch (error) {
    if (error instanceof UserRefusal) return error.code;
    throw error;
  }
};

describe('a stored password', () => {
  const passwords = makePasswords(nodeSystem);

  test('is a salted scrypt hash that names its cost, and only the password itself fits', async () => {
    const [first, second] = [await passwords.hash(goodPassword), await passwords.hash(goodPassword)];
    expect(first).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}==\$[\w+/]{43}=$/);
    expect(second).not.toBe(first);
    expect(await passwords.verify(goodPassword, first)).toBe(true);
    expect(await passwords.verify(`${goodPassword}x`, first)).toBe(false);
  });

  test('fits however its letters are composed', async () => {
    const hash = await passwords.hash('Gästehaus am Fluß 12');
    expect(await passwords.verify('Ga\u0308stehaus am Fluß 12', hash)).toBe(true);
  });

  test('keeps the spaces at its ends: without them, or with others, it does not fit', async () => {
    const hash = await passwords.hash('  Lampe Fluss Zwiebel ');
    expect(await passwords.verify('  Lampe Fluss Zwiebel ', hash)).toBe(true);
    // NFKC makes a space of a no-break space.
    expect(await passwords.verify('\u00a0 Lampe Fluss Zwiebel ', hash)).toBe(true);
    for (const other of ['Lampe Fluss Zwiebel', ' Lampe Fluss Zwiebel ', '  Lampe Fluss Zwiebel'])
      expect([other, await passwords.verify(other, hash)]).toEqual([other, false]);
  });

  test('of an earlier, lower cost is still compared', async () => {
    const { scryptSync } = await import('node:crypto');
    const salt = Buffer.alloc(16, 1);
    const key = scryptSync(goodPassword, salt, 32, { N: 1024, r: 8, p: 1 });
    const hash = `$scrypt$ln=10,r=8,p=1$${salt.toString('base64')}$${key.toString('base64')}`;
    expect(await passwords.verify(goodPassword, hash)).toBe(true);
  });

  test('that is missing takes the same work, and nothing fits it', async () => {
    const before = passwords.hashed();
    expect(await passwords.verify(goodPassword, null)).toBe(false);
    expect(passwords.hashed()).toBe(before + 1);
  });
});

describe('an imported password', () => {
  const passwords = makePasswords(nodeSystem, { ln: 10, r: 8, p: 1 });
  // Made by PHP's `password_hash`: the first two with a cost of 4, the third with its default.
  const plain = '$2y$04$8yMS8qHGjOq23BjsBDrRX.GGAczBwgrnV/f504lIspklmYkCHD3tu';
  const longOne = '$2y$04$fprirs1/8mIYCChHeTenleNsl6DlzqjpvnjAGnIOKkOwSGq.fgpte';
  const untrimmed = '$2y$10$DfVMKMkrYvfl3.1GC9sY8.9B2fPMp7VbUFa8e9xYeiFWnfO40vUSa';

  test('fits, and is hashed anew', async () => {
    const replaced: string[] = [];
    const replaceImported = async (hash: string) => replaced.push(hash);
    expect(await passwords.verify('altes-passwort', plain, { replaceImported })).toBe(true);
    expect(replaced).toHaveLength(1);
    expect(replaced[0]).toMatch(/^\$scrypt\$ln=10,r=8,p=1\$/);
    expect(await passwords.verify('altes-passwort', replaced[0]!)).toBe(true);
  });

  test('that is wrong is not replaced, takes the same work, and is no unknown form', async () => {
    const before = passwords.hashed();
    const fail = (): never => {
      throw new Error('called');
    };
    const options = { replaceImported: fail, onUnknownForm: fail };
    for (const wrong of ['altes-passwor', 'altes-passwort ', '', 'Altes-passwort'])
      expect(await passwords.verify(wrong, plain, options)).toBe(false);
    expect(passwords.hashed()).toBe(before + 4);
  });

  test('is compared while our own hash is made, so that the shorter hides behind the longer, and one at a time', async () => {
    const events: string[] = [];
    const comparisons = new Set<number>();
    const hook = createHook({
      init: (id, type) => {
        if (type === 'SCRYPTREQUEST') events.push('scrypt begins');
        // What a native module does in a thread has no name.
        if (type !== 'undefined') return;
        comparisons.add(id);
        events.push('bcrypt begins');
      },
      before: (id) => {
        if (comparisons.has(id)) events.push('bcrypt ends');
      },
    }).enable();
    try {
      const verify = () => passwords.verify('altes-passwort', plain);
      expect(await Promise.all([verify(), verify()])).toEqual([true, true]);
    } finally {
      hook.disable();
    }
    expect(events.filter((event) => event.startsWith('bcrypt'))).toEqual([
      ...['bcrypt begins', 'bcrypt ends', 'bcrypt begins', 'bcrypt ends'],
    ]);
    expect(events.lastIndexOf('scrypt begins')).toBeLessThan(events.indexOf('bcrypt ends'));
  });

  test('is compared as it was typed, without normalising or trimming it', async () => {
    expect(await passwords.verify('Passwört 1 ', untrimmed)).toBe(true);
    expect(await passwords.verify('Passwört 1', untrimmed)).toBe(false);
    expect(await passwords.verify('Passwo\u0308rt 1 ', untrimmed)).toBe(false);
  });

  test('counts up to its 72nd byte', async () => {
    expect(await passwords.verify('ä'.repeat(36), longOne)).toBe(true);
    expect(await passwords.verify(`${'ä'.repeat(36)}${'x'.repeat(900)}`, longOne)).toBe(true);
    expect(await passwords.verify(`${'ä'.repeat(35)}x`, longOne)).toBe(false);
  });

  test('of an unknown form is reported and never fits', async () => {
    const cases: [string, string][] = [
      ['a planted cost that would take weeks', plain.replace('$04$', '$31$')],
      ['a cost above the limit', plain.replace('$04$', '$15$')],
      ['a cost that bcrypt does not have', plain.replace('$04$', '$03$')],
      ['another version', plain.replace('$2y$', '$2x$')],
      ['a hash that was cut off', plain.slice(0, 59)],
      ['64 KiB', plain + 'x'.repeat(65_536)],
    ];
    for (const [name, hash] of cases) {
      let unknown = 0;
      const fits = await passwords.verify('altes-passwort', hash, { onUnknownForm: () => (unknown += 1) });
      expect({ name, fits, unknown }).toEqual({ name, fits: false, unknown: 1 });
    }
  });
});

test('of 500 at once a few are hashed, and the others are refused without waiting', async () => {
  const passwords = makePasswords(nodeSystem, { ln: 10, r: 8, p: 1 });
  const results = await Promise.allSettled(
    Array.from({ length: 500 }, () => passwords.verify(goodPassword, null)),
  );
  const refused = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  expect(passwords.hashed()).toBe(22);
  expect(refused).toHaveLength(478);
  expect(refused[0]).toMatchObject({ name: 'UserRefusal', code: 'busy' });
});

test('a new password is long enough, and not easy to guess', () => {
  const accepted = [
    goodPassword,
    'correct horse battery staple',
    'Über den Wolken 1974',
    '密码密码很长的密码也可以吗',
    'x7$kQ9!mB2#p',
    `${'abc xyz '.repeat(127)}12345678`,
  ];
  const refused: [string, string][] = [
    ['', 'password-short'],
    ['elf Zeichen', 'password-short'],
    [`kurz${' '.repeat(20)}`, 'password-short'],
    ['x'.repeat(1025), 'password-long'],
    ['ü'.repeat(513), 'password-long'],
    ['Lampe\0Fluss Zwiebel', 'password-characters'],
    ['Lampe\nFluss Zwiebel', 'password-characters'],
    ['Lampe\uD800Fluss Zwiebel', 'password-characters'],
    ['aaaaaaaaaaaaaaaa', 'password-guessable'],
    ['abababababababab', 'password-guessable'],
    ['123456789012', 'password-guessable'],
    ['passwort12345678', 'password-guessable'],
    ['Password1234!', 'password-guessable'],
    ['Willkommen2026', 'password-guessable'],
    ['qwertzuiopasdf', 'password-guessable'],
    ['administrator!', 'password-guessable'],
    ['Anna Berger', 'password-short'],
    ['annaberger2026', 'password-guessable'],
    ['ANNA-Berger-1!', 'password-guessable'],
    ['empfang@example.org', 'password-guessable'],
  ];
  for (const password of accepted) expect([password, codeOf(password)]).toEqual([password, undefined]);
  for (const [password, reason] of refused) expect([password, codeOf(password)]).toEqual([password, reason]);
});

test('a generated password is long, differs each time, and would be accepted', () => {
  const generated = Array.from({ length: 100 }, () => generatePassword(nodeSystem));
  expect(new Set(generated).size).toBe(100);
  for (const password of generated) {
    expect(password).toMatch(/^([a-km-np-z2-9]{5}-){3}[a-km-np-z2-9]{5}$/);
    expect(codeOf(password)).toBeUndefined();
  }
});
