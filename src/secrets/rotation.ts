import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeSystem, type System } from '../lib/system.js';
import {
  combineSecrets,
  KeyFileError,
  keyFilePath,
  linkKeyFile,
  oldKeyFilePath,
  readKeyFile,
  readSecretKey,
  removeKeyFile,
  replaceKeyFile,
  type SecretKeySource,
} from './secretKey.js';
import { isUnbound, makeSecrets, openUnbound, SecretError, type Binding, type Secrets } from './secrets.js';

/** Seals a value again, for what it belongs to already. */
type ResealValue = (sealed: string, binding: Binding) => string;

/** Changes everything that is sealed in one transaction, and returns how many values that were. */
export type ResealAll = (change: ResealValue) => Promise<number>;

/** Takes what was sealed with either to the new one; what has it already may stay or change. */
export const resealWithNewKey =
  (old: Secrets, next: Secrets): ResealValue =>
  (sealed, binding) =>
    next.seal(combineSecrets(next, old).open(sealed, binding), binding);

export interface RotationResult {
  readonly resealed: number;
  /** Was it one that had been interrupted, which is now at its end? */
  readonly finished: boolean;
}

/**
 * Replaces the key in the file. The old one stays beside it until everything is sealed with the new one, so at every
 * moment each value opens with one of the two; a rotation that was interrupted is finished by the next call. One at
 * a time: the caller sees to it.
 */
export const rotateKeyFile = async (
  dataDir: string,
  system: System,
  reseal: ResealAll,
): Promise<RotationResult> => {
  const [file, oldFile] = [keyFilePath(dataDir), oldKeyFilePath(dataDir)];
  const current = readSecretKey({ secretKey: undefined, dataDir }, system);
  const left = readKeyFile(oldFile);
  const finished = left !== undefined && !left.equals(current);
  if (left === undefined) linkKeyFile(file, oldFile);
  const [old, next] = finished ? [left, current] : [current, replaceKeyFile(file, system)];
  const resealed = await reseal(resealWithNewKey(makeSecrets(old, system), makeSecrets(next, system)));
  removeKeyFile(oldFile);
  return { resealed, finished };
};

/**
 * Names the keys for which nothing unbound is accepted any more. It is a file, beside the key's, because whoever can
 * write the database could remove a mark there, and put back what an earlier version had sealed.
 */
export const boundKeysFilePath = (dataDir: string): string => join(dataDir, 'secret.bound');

/**
 * Seals again, for its row and its address, what an earlier version has sealed for none; once for each key. Returns
 * how many values that were. What the key does not open stays, for whoever needs it to complain about.
 */
export const bindStoredSecrets = async (
  source: SecretKeySource,
  sealed: { all(): Promise<string[]>; readonly reseal: ResealAll },
  system: System = nodeSystem,
): Promise<number> => {
  const [current, old] = readKeys(source);
  if (!current || isBoundKey(source.dataDir, current)) return 0;
  const keys = old ? [current, old] : [current];
  let bound = 0;
  const bind: ResealValue = (value, binding) => {
    const text = isUnbound(value) ? openWithAny(keys, value) : undefined;
    if (text === undefined) return value;
    bound++;
    return makeSecrets(current, system).seal(text, binding);
  };
  if ((await sealed.all()).some(isUnbound)) await sealed.reseal(bind);
  appendFileSync(boundKeysFilePath(source.dataDir), `${keyFingerprintOf(current)}\n`, { mode: 0o600 });
  return bound;
};

/** The key of now, and while a rotation lasts the one before. None is made here, and one that can not be read is none. */
const readKeys = ({ secretKey, dataDir }: SecretKeySource): (Buffer | undefined)[] => {
  if (secretKey) return [secretKey];
  try {
    return [readKeyFile(keyFilePath(dataDir)), readKeyFile(oldKeyFilePath(dataDir))];
  } catch (error) {
    if (error instanceof KeyFileError) return [];
    throw error;
  }
};

const openWithAny = (keys: readonly Buffer[], value: string): string | undefined => {
  for (const key of keys) {
    try {
      return openUnbound(key, value);
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
    }
  }
  return undefined;
};

const keyFingerprintOf = (key: Buffer): string =>
  createHash('sha256').update('voucherd bound\n').update(key).digest('hex').slice(0, 32);

const isBoundKey = (dataDir: string, key: Buffer): boolean => {
  try {
    return readFileSync(boundKeysFilePath(dataDir), 'utf8').split('\n').includes(keyFingerprintOf(key));
  } catch {
    return false;
  }
};
