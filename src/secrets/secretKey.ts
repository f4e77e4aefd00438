import { closeSync, fsyncSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { linkIfPossible, publishFile, syncFolderOf } from '../lib/durableFiles.js';
import { createPrivateFile } from '../lib/privateFiles.js';
import { errorCode } from '../lib/errorCode.js';
import { newId, nodeSystem, type System } from '../lib/system.js';
import { makeSecrets, SecretError, type Secrets } from './encryption.js';
import { CodedError } from '../errors/codedError.js';

/** Where the key comes from: set by the operator, or a file in the data directory. */
export interface SecretKeySource {
  readonly secretKey: Buffer | undefined;
  readonly dataDir: string;
}

/** The file with the key. */
export const keyFilePath = (dataDir: string): string => join(dataDir, 'secret.key');

/** The file with the previous key, during a rotation and after an interrupted one. */
export const oldKeyFilePath = (dataDir: string): string => `${keyFilePath(dataDir)}.old`;

/** Returns the configured key, or the one in the file, which is created when first needed. */
export const readSecretKey = (
  { secretKey, dataDir }: SecretKeySource,
  system: System = nodeSystem,
): Buffer => {
  if (secretKey) return secretKey;
  const file = keyFilePath(dataDir);
  return readKeyFile(file) ?? makeKeyFile(file, system);
};

/**
 * Seals with the current key. During a rotation of the key file, it also opens what the previous key sealed.
 */
export const openSecrets = (source: SecretKeySource, system: System = nodeSystem): Secrets => {
  // If a rotation starts between these two reads, it ends with
  // a change in the database, which makes callers load again.
  const old = source.secretKey ? undefined : readKeyFile(oldKeyFilePath(source.dataDir));
  const current = makeSecrets(readSecretKey(source, system), system);
  return old ? combineSecrets(current, makeSecrets(old, system)) : current;
};

/** Seals with the first, and opens with the first or the second. */
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
 * Opens stored values, and never creates a key: a new one would open nothing,
 * and would hide that the right one is missing.
 */
export const openStoredSecrets = (source: SecretKeySource, system: System = nodeSystem): Secrets => {
  if (hasSecretKey(source)) return openSecrets(source, system);
  const missing = (): never => throwMissingKey(source);
  return { seal: missing, open: missing };
};

/** Returns the key, and never creates one. Throws `SecretError` when it is missing. */
export const readExistingKey = (source: SecretKeySource): Buffer =>
  hasSecretKey(source) ? readSecretKey(source) : throwMissingKey(source);

const hasSecretKey = ({ secretKey, dataDir }: SecretKeySource): boolean =>
  secretKey !== undefined || readKeyFile(keyFilePath(dataDir)) !== undefined;

const throwMissingKey = ({ dataDir }: SecretKeySource): never => {
  throw new SecretError(
    'key-missing',
    `${keyFilePath(dataDir)} is missing, which opens what is stored: put it back`,
  );
};

/** A key file that cannot be read or created. The message names the file and says what to do. */
export class KeyFileError extends CodedError<'unreadable' | 'no-key' | 'not-created'> {
  override readonly name = 'KeyFileError';
}

const keyBytes = 32;

/** The accepted forms of a key, for error messages. */
export const secretKeyFormat = `${String(keyBytes)} bytes, as 64 hexadecimal characters or as base64`;

/** Parses a key; undefined if the text is not one. */
export const parseSecretKey = (text: string): Buffer | undefined => {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  // 32 bytes are 43 characters of base64, with one of padding.
  return /^[A-Za-z0-9+/]{43}=?$/.test(trimmed) ? Buffer.from(trimmed, 'base64') : undefined;
};

/** Reads the key from a file; undefined if the file does not exist. */
export const readKeyFile = (file: string): Buffer | undefined => {
  let text: string;
  try {
    text = readWritten(file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new KeyFileError(
      'unreadable',
      `${file} can not be read (${errorCode(error)}): let this user read it`,
    );
  }
  const key = parseSecretKey(text);
  if (key) return key;
  throw new KeyFileError('no-key', `${file} holds no key: put back the one it held: ${secretKeyFormat}`);
};

/** Without hard links a file is empty for a moment before its content gets its name: see `publishFile`. */
const readWritten = (file: string): string => {
  for (let tries = emptyTries; ; tries -= 1) {
    const text = readFileSync(file, 'utf8');
    if (text !== '' || tries === 0) return text;
    // Waits without letting anything else run: keys are read by functions that return them.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, emptyPauseMs);
  }
};

const [emptyTries, emptyPauseMs] = [50, 10];

/**
 * Creates a key file and returns its key. The file appears complete and never replaces another one,
 * so if two processes start at once, one creates the key and both use it.
 */
export const makeKeyFile = (file: string, system: System = nodeSystem): Buffer =>
  storeKeyFile(file, newKey(system), system);

/**
 * Puts a key into a new file and returns the key that is there afterwards: one that was there already stays.
 */
export const storeKeyFile = (file: string, key: Buffer, system: System = nodeSystem): Buffer =>
  writeKey(file, key, system, (written) => {
    try {
      publishFile(written, file);
      return undefined;
    } catch (error) {
      const other = errorCode(error) === 'EEXIST' ? readKeyFile(file) : undefined;
      if (other) return other;
      throw error;
    }
  });

/** Replaces the key in a file atomically, and returns the new one. */
export const replaceKeyFile = (file: string, system: System = nodeSystem): Buffer =>
  writeKey(file, newKey(system), system, (written) => {
    renameSync(written, file);
    return undefined;
  });

/** Keeps a key file under a second name, which must not exist yet; without hard links as a copy. */
export const linkKeyFile = (file: string, second: string, system: System = nodeSystem): void => {
  if (linkIfPossible(file, second)) {
    syncFolderOf(second);
    return;
  }
  const written = `${second}.${newId(system)}.tmp`;
  try {
    writeDurably(written, readFileSync(file, 'utf8'));
    publishFile(written, second);
  } finally {
    rmSync(written, { force: true });
  }
};

/** Removes a key file durably. */
export const removeKeyFile = (file: string): void => {
  rmSync(file, { force: true });
  syncFolderOf(file);
};

const newKey = (system: System): Buffer => Buffer.from(system.randomBytes(keyBytes));

const writeKey = (
  file: string,
  key: Buffer,
  system: System,
  publish: (written: string) => Buffer | undefined,
): Buffer => {
  const written = `${file}.${newId(system)}.tmp`;
  try {
    writeDurably(written, `${key.toString('hex')}\n`);
    const other = publish(written);
    syncFolderOf(file);
    return other ?? key;
  } catch (error) {
    if (error instanceof KeyFileError) throw error;
    throw new KeyFileError(
      'not-created',
      `${file} can't be created (${errorCode(error)}): let this user write there`,
    );
  } finally {
    rmSync(written, { force: true });
  }
};

/** A crash must not lose a key that has sealed something, so it reaches the disk before it is used. */
const writeDurably = (file: string, text: string): void => {
  const opened = createPrivateFile(file);
  try {
    writeSync(opened, text);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
};
