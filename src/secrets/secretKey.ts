import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from '../lib/problem.js';
import { newId, nodeSystem, type System } from '../lib/system.js';
import { makeSecrets, SecretError, type Secrets } from './secrets.js';

/** Where the key is: set by the operator, or in a file. */
export interface SecretKeySource {
  readonly secretKey: Buffer | undefined;
  readonly dataDir: string;
}

export const keyFilePath = (dataDir: string): string => join(dataDir, 'secret.key');

/** Holds the previous key while a rotation runs, and after one that was interrupted. */
export const oldKeyFilePath = (dataDir: string): string => `${keyFilePath(dataDir)}.old`;

/** The key that seals what is secret: the configured one, or the one in the file, which is made at first need. */
export const readSecretKey = (
  { secretKey, dataDir }: SecretKeySource,
  system: System = nodeSystem,
): Buffer => {
  if (secretKey) return secretKey;
  const file = keyFilePath(dataDir);
  return readKeyFile(file) ?? makeKeyFile(file, system);
};

/** Seals with the key of now. Opens what the previous key has sealed, too, while a rotation of the file lasts. */
export const openSecrets = (source: SecretKeySource, system: System = nodeSystem): Secrets => {
  // A rotation that begins between these two reads ends with a change of the database: whoever loads then, loads again.
  const old = source.secretKey ? undefined : readKeyFile(oldKeyFilePath(source.dataDir));
  const current = makeSecrets(readSecretKey(source, system), system);
  return old ? combineSecrets(current, makeSecrets(old, system)) : current;
};

/** Seals with the first, and opens what the first or the second has sealed. */
export const combineSecrets = (first: Secrets, second: Secrets): Secrets => ({
  seal: first.seal,
  open: (sealed, binding) => {
    try {
      return first.open(sealed, binding);
    } catch (error) {
      if (error instanceof SecretError) return second.open(sealed, binding);
      throw error;
    }
  },
});

/**
 * Opens what is stored, and makes no key for it: a new one would open nothing, and would hide that the one it was
 * sealed with is missing.
 */
export const openStoredSecrets = (source: SecretKeySource, system: System = nodeSystem): Secrets => {
  const file = keyFilePath(source.dataDir);
  if (source.secretKey || readKeyFile(file)) return openSecrets(source, system);
  const missing = (): never => {
    throw new SecretError(`${file} is missing, which opens what is stored: put it back`);
  };
  return { seal: missing, open: missing };
};

/** A file of a key that can't be read or made; the message says which and what to do. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

const keyBytes = 32;

export const secretKeyFormat = `${String(keyBytes)} bytes, as 64 hexadecimal characters or as base64`;

/** The key that a text holds; undefined when it holds none. */
export const parseSecretKey = (text: string): Buffer | undefined => {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  // 43 characters, and one that only fills up, are what 32 bytes become.
  return /^[A-Za-z0-9+/]{43}=?$/.test(trimmed) ? Buffer.from(trimmed, 'base64') : undefined;
};

/** The key in a file; undefined when there is no such file. */
export const readKeyFile = (file: string): Buffer | undefined => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new KeyFileError(`${file} can not be read (${errorCode(error)}): let this user read it`);
  }
  const key = parseSecretKey(text);
  if (key) return key;
  throw new KeyFileError(`${file} holds no key: put back the one it held: ${secretKeyFormat}`);
};

/**
 * Makes a key in a file that does not exist yet, and returns it. It appears with all its bytes and never replaces
 * another one, so of two processes that start at once, one makes the key and both use it.
 */
export const makeKeyFile = (file: string, system: System = nodeSystem): Buffer =>
  writeKey(file, system, (written) => {
    try {
      linkSync(written, file);
      return undefined;
    } catch (error) {
      const other = errorCode(error) === 'EEXIST' ? readKeyFile(file) : undefined;
      if (other) return other;
      throw error;
    }
  });

/** Puts a new key in the place of the one in a file, and returns it. There is a key in the file at every moment. */
export const replaceKeyFile = (file: string, system: System = nodeSystem): Buffer =>
  writeKey(file, system, (written) => {
    renameSync(written, file);
    return undefined;
  });

/** Gives a key a second name that is not in use. */
export const linkKeyFile = (file: string, second: string): void => {
  linkSync(file, second);
  syncFolderOf(second);
};

export const removeKeyFile = (file: string): void => {
  rmSync(file, { force: true });
  syncFolderOf(file);
};

const writeKey = (
  file: string,
  system: System,
  putInPlace: (written: string) => Buffer | undefined,
): Buffer => {
  const key = Buffer.from(system.randomBytes(keyBytes));
  const written = `${file}.${newId(system)}.tmp`;
  try {
    writeDurably(written, `${key.toString('hex')}\n`);
    const other = putInPlace(written);
    syncFolderOf(file);
    return other ?? key;
  } catch (error) {
    if (error instanceof KeyFileError) throw error;
    throw new KeyFileError(`${file} can not be made (${errorCode(error)}): let this user write there`);
  } finally {
    rmSync(written, { force: true });
  }
};

/** What is sealed with a key that a crash takes away is lost, so the key reaches the disk first. */
const writeDurably = (file: string, text: string): void => {
  // For this user alone.
  const opened = openSync(file, 'wx', 0o600);
  try {
    writeSync(opened, text);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
};

/** Makes the names in the folder of a file as durable as their contents. */
const syncFolderOf = (file: string): void => {
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};
