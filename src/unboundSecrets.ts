import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemEffects, type Effects } from './effects.js';
import { KeyFileError, readKeyFile } from './keyFile.js';
import { keyFileOf, oldKeyFileOf, type SecretKeySource } from './secretKey.js';
import type { ChangeSealed, Reseal } from './secretRotation.js';
import { isUnbound, makeSecrets, openUnbound, SecretError } from './secrets.js';

/**
 * Names the keys for which nothing unbound is accepted any more. It is a file, beside the key's, because whoever can
 * write the database could remove a mark there, and put back what an earlier version had sealed.
 */
export const boundFileOf = (dataDir: string): string => join(dataDir, 'secret.bound');

/**
 * Seals again, for its row and its address, what an earlier version has sealed for none; once for each key. Returns
 * how many values that were. What the key does not open stays, for whoever needs it to complain about.
 */
export const bindStoredSecrets = async (
  source: SecretKeySource,
  sealed: { all(): Promise<string[]>; readonly reseal: Reseal },
  effects: Effects = systemEffects,
): Promise<number> => {
  const [current, old] = keysOf(source);
  if (!current || isMarked(source.dataDir, current)) return 0;
  const keys = old ? [current, old] : [current];
  let bound = 0;
  const bind: ChangeSealed = (value, binding) => {
    const text = isUnbound(value) ? openAny(keys, value) : undefined;
    if (text === undefined) return value;
    bound++;
    return makeSecrets(current, effects).seal(text, binding);
  };
  if ((await sealed.all()).some(isUnbound)) await sealed.reseal(bind);
  appendFileSync(boundFileOf(source.dataDir), `${fingerprintOf(current)}\n`, { mode: 0o600 });
  return bound;
};

/** The key of now, and while a rotation lasts the one before. None is made here, and one that can not be read is none. */
const keysOf = ({ secretKey, dataDir }: SecretKeySource): (Buffer | undefined)[] => {
  if (secretKey) return [secretKey];
  try {
    return [readKeyFile(keyFileOf(dataDir)), readKeyFile(oldKeyFileOf(dataDir))];
  } catch (error) {
    if (error instanceof KeyFileError) return [];
    throw error;
  }
};

const openAny = (keys: readonly Buffer[], value: string): string | undefined => {
  for (const key of keys) {
    try {
      return openUnbound(key, value);
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
    }
  }
  return undefined;
};

const fingerprintOf = (key: Buffer): string =>
  createHash('sha256').update('voucherd bound\n').update(key).digest('hex').slice(0, 32);

const isMarked = (dataDir: string, key: Buffer): boolean => {
  try {
    return readFileSync(boundFileOf(dataDir), 'utf8').split('\n').includes(fingerprintOf(key));
  } catch {
    return false;
  }
};
