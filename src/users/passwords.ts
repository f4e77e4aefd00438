import { scrypt, timingSafeEqual } from 'node:crypto';
import PQueue from 'p-queue';
import type { System } from '../lib/system.js';
import { isBcryptHash, verifyBcrypt } from './bcryptHash.js';
import { UserRefusal } from './refusal.js';
import { makeRandomCode, toUserKey } from './names.js';

export interface Passwords {
  /** Hashes a password, with a salt of its own. */
  hash(password: string): Promise<string>;
  /**
   * Compares a password with a hash. Without a hash, or with one of an unknown form, which is reported,
   * it takes the same work, and is false.
   */
  verify(password: string, hash: string | null, options?: VerifyOptions): Promise<boolean>;
  /** How many passwords were hashed so far, for storing and for comparing. */
  hashed(): number;
}

/** What follows from comparing a password, besides its result. */
export interface VerifyOptions {
  onUnknownForm?(): void;
  /** Stores a hash of ours in place of an imported one, which the password fits. */
  replaceImported?(hash: string): Promise<unknown>;
}

/** The cost: 2^ln blocks of r times 128 bytes, p times. As a stored hash names it, it can be raised later. */
export interface ScryptCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB and a third of a second of processor time: one of the settings that OWASP recommends for scrypt. */
const currentCost: ScryptCost = { ln: 15, r: 8, p: 3 };
const [saltBytes, hashBytes] = [16, 32];
const maxMemoryBytes = 256 * 1024 * 1024;

/** Hashing uses the same few threads as SQLite, which needs some for itself. */
const concurrency = 2;
/** An imported hash is compared beside them: of Node's four threads, one is always left. */
const bcryptConcurrency = 1;
/** The last of them waits for three or four seconds where two cores are free. */
const maxWaiting = 20;

/** Hashes passwords with scrypt, a few at a time. Beyond a bounded queue it refuses with `busy`. */
export const makePasswords = (system: System, cost: ScryptCost = currentCost): Passwords => {
  const queue = new PQueue({ concurrency });
  const bcryptQueue = new PQueue({ concurrency: bcryptConcurrency });
  let hashed = 0;
  const enqueue = async <T>(work: () => Promise<T>): Promise<T> => {
    if (queue.size >= maxWaiting) throw new UserRefusal('busy');
    return queue.add(() => {
      hashed += 1;
      return work();
    });
  };
  const derive = (password: string, salt: Buffer, used: ScryptCost): Promise<Buffer> =>
    enqueue(() => deriveKey(normalize(password), salt, used));
  const noPassword = { cost, salt: Buffer.alloc(saltBytes), key: Buffer.alloc(hashBytes) };
  const makeSalt = (): Buffer => Buffer.from(system.randomBytes(saltBytes));

  /**
   * Our own hash is derived for a wrong password, too, and at the same time: where a core is free for it,
   * bcrypt is done before scrypt, and the time does not tell imported accounts from others. A cost with which
   * it takes longer than scrypt can still be seen: 12 takes about as long, 13 and 14 take longer.
   */
  const verifyImported = async (
    password: string,
    hash: string,
    { replaceImported }: VerifyOptions,
  ): Promise<boolean> => {
    const salt = makeSalt();
    const [isRight, key] = await enqueue(() =>
      Promise.all([
        bcryptQueue.add(() => verifyBcrypt(password, hash)),
        deriveKey(normalize(password), salt, cost),
      ]),
    );
    if (isRight) await replaceImported?.(formatHash(cost, salt, key));
    return isRight;
  };

  /** Compares with a hash of ours, or, for the same work, with none. */
  const verifyOwn = async (password: string, stored: ReturnType<typeof parseHash>): Promise<boolean> => {
    const { salt, key, cost: used } = stored ?? noPassword;
    return timingSafeEqual(await derive(password, salt, used), key) && stored !== undefined;
  };

  return {
    hash: async (password) => {
      const salt = makeSalt();
      return formatHash(cost, salt, await derive(password, salt, cost));
    },
    verify: async (password, hash, options = {}) => {
      if (hash !== null && isBcryptHash(hash)) return verifyImported(password, hash, options);
      const stored = hash === null ? undefined : parseHash(hash);
      if (hash !== null && !stored) options.onUnknownForm?.();
      return verifyOwn(password, stored);
    },
    hashed: () => hashed,
  };
};

/** The same characters may be typed in several ways. Spaces at the ends belong to a password. */
const normalize = (password: string): string => password.normalize('NFKC');

const deriveKey = (password: string, salt: Buffer, { ln, r, p }: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, hashBytes, { N: 2 ** ln, r, p, maxmem: maxMemoryBytes }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });

const formatHash = ({ ln, r, p }: ScryptCost, salt: Buffer, key: Buffer): string =>
  `$scrypt$ln=${String(ln)},r=${String(r)},p=${String(p)}$${salt.toString('base64')}$${key.toString('base64')}`;

const hashFormat = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/=]+)\$([\w+/=]+)$/;

/** Undefined for what no version of the program has written. */
const parseHash = (text: string) => {
  const [, ln, r, p, salt = '', encoded = ''] = hashFormat.exec(text) ?? [];
  const key = Buffer.from(encoded, 'base64');
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  if (key.length !== hashBytes || !isPossible(cost)) return undefined;
  return { cost, salt: Buffer.from(salt, 'base64'), key };
};

/** What scrypt can do within its memory, as OpenSSL counts it. */
const isPossible = ({ ln, r, p }: ScryptCost): boolean =>
  ln > 0 && r > 0 && p > 0 && 128 * r * (2 ** ln + 2 + p) <= maxMemoryBytes;

const minCharacters = 12;
const maxPasswordBytes = 1024;
const minDifferentCharacters = 5;
/** How much must be left of a password without what is easy to guess. */
const minUnguessable = 6;

const guessableParts = [
  'abcdefghijklmnopqrstuvwxyz',
  'administrator',
  '1q2w3e4r5t6y7u8i9o0p',
  '1q2w3e4r5t6z7u8i9o0p',
  'qwertzuiop',
  'qwertyuiop',
  'willkommen',
  'changeme',
  '1234567890',
  '0987654321',
  'iloveyou',
  'football',
  'passw0rd',
  'p@ssw0rd',
  'p@ssword',
  'password',
  'passwort',
  'kennwort',
  'princess',
  'sunshine',
  'voucherd',
  'asdfghjkl',
  '1q2w3e4r',
  'trustno1',
  'geheim',
  'letmein',
  'welcome',
  'fussball',
  'superman',
  'voucher',
  'yxcvbnm',
  'zxcvbnm',
  'sommer',
  'winter',
  'secret',
  'monkey',
  'dragon',
  'master',
  'qwertz',
  'qwerty',
  '123456',
  '654321',
  'abcdef',
  'hallo',
  'hello',
  'admin',
  'hotel',
  'guest',
  'unifi',
  'login',
  'gast',
  'wlan',
  'wifi',
  'abcd',
  '1234',
];

/** Whether a password is short enough to be hashed at all. */
export const isHashable = (password: string): boolean => Buffer.byteLength(password) <= maxPasswordBytes;

/** Refuses a new password that is too short, too long or easy to guess. */
export const checkNewPassword = (
  password: string,
  { name, email }: { readonly name: string; readonly email: string | null },
): void => {
  if (!isHashable(password)) throw new UserRefusal('password-long');
  if (/[\p{Cc}\p{Cs}]/u.test(password)) throw new UserRefusal('password-characters');
  // Spaces at the ends make it no better.
  const prepared = normalize(password).trim();
  if (Array.from(prepared).length < minCharacters) throw new UserRefusal('password-short');
  const own = [name, email ?? '', email?.split('@')[0] ?? '', ...name.split(/[\s.@_-]/)]
    .map(toUserKey)
    .filter((part) => part.length >= 3);
  let rest = prepared.toLowerCase();
  const different = new Set(rest).size;
  // The longest first, so that nothing is left of a word that contains another.
  for (const part of [...own, ...guessableParts].sort((a, b) => b.length - a.length))
    rest = rest.replaceAll(part, '');
  if (different < minDifferentCharacters || Array.from(rest).length < minUnguessable)
    throw new UserRefusal('password-guessable');
};

/** Makes a password of 100 random bits that can be read aloud. */
export const generatePassword = (system: System): string => makeRandomCode(system, 4, 5);
