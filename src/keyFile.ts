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
import { dirname } from 'node:path';
import { newId, systemEffects, type Effects } from './effects.js';
import { errorCode } from './errorCode.js';

/** A file of a key that can't be read or made; the message says which and what to do. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

const keyBytes = 32;

export const keyAllowed = `${String(keyBytes)} bytes, as 64 hexadecimal characters or as base64`;

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
  throw new KeyFileError(`${file} holds no key: put back the one it held: ${keyAllowed}`);
};

/**
 * Makes a key in a file that does not exist yet, and returns it. It appears with all its bytes and never replaces
 * another one, so of two processes that start at once, one makes the key and both use it.
 */
export const makeKeyFile = (file: string, effects: Effects = systemEffects): Buffer =>
  writeKey(file, effects, (written) => {
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
export const replaceKeyFile = (file: string, effects: Effects = systemEffects): Buffer =>
  writeKey(file, effects, (written) => {
    renameSync(written, file);
    return undefined;
  });

/** Gives a key a second name that is not in use. */
export const keepKeyFile = (file: string, second: string): void => {
  linkSync(file, second);
  syncFolderOf(second);
};

export const removeKeyFile = (file: string): void => {
  rmSync(file, { force: true });
  syncFolderOf(file);
};

const writeKey = (
  file: string,
  effects: Effects,
  putInPlace: (written: string) => Buffer | undefined,
): Buffer => {
  const key = Buffer.from(effects.randomBytes(keyBytes));
  const written = `${file}.${newId(effects)}.tmp`;
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
