import { nodeSystem, type System } from '../lib/system.js';
import { isBoundKey, markBoundKey } from './boundKeys.js';
import {
  combineSecrets,
  KeyFileError,
  keyFilePath,
  linkKeyFile,
  makeStoredSecrets,
  oldKeyFilePath,
  readExistingKey,
  readKeyFile,
  readSecretKey,
  removeKeyFile,
  replaceKeyFile,
  type SecretKeySource,
} from './secretKey.js';
import {
  isUnbound,
  makeSecrets,
  openUnbound,
  SecretError,
  type Binding,
  type Secrets,
} from './encryption.js';

/** Seals a value again, with the same binding. */
type ResealValue = (sealed: string, binding: Binding) => string;

/** Reseals all stored values in one transaction, and returns their number. */
export type ResealAll = (change: ResealValue) => Promise<number>;

/** Reseals with the new key what either key has sealed. */
export const resealWithNewKey =
  (old: Secrets, next: Secrets): ResealValue =>
  (sealed, binding) =>
    next.seal(combineSecrets(next, old).open(sealed, binding), binding);

/**
 * Writes a sealed value. If a rotation replaces the key in the meantime, the value is sealed again with the new one.
 * With `mayCreate` a missing key is created: only while nothing is sealed.
 */
export const writeWithCurrentKey = async <T>(
  source: SecretKeySource,
  { reseal, mayCreate }: { readonly reseal: ResealAll; readonly mayCreate: boolean },
  write: (secrets: Secrets) => Promise<T>,
  system: System = nodeSystem,
): Promise<T> => {
  const key = mayCreate ? readSecretKey(source, system) : readExistingKey(source);
  const secrets = makeStoredSecrets(source.dataDir, key, system);
  const result = await write(secrets);
  const current = readExistingKey(source);
  if (!current.equals(key))
    await reseal(resealWithNewKey(secrets, makeStoredSecrets(source.dataDir, current, system)));
  return result;
};

export interface RotationResult {
  readonly resealed: number;
  /** Did this finish an earlier rotation that was interrupted? */
  readonly finished: boolean;
}

/**
 * Replaces the key in the file. The old key stays beside it until everything is sealed with the new one, so each value
 * opens with one of the two at any moment. The next call finishes an interrupted rotation. The caller makes sure that
 * only one rotation runs at a time.
 */
export const rotateKeyFile = async (
  dataDir: string,
  system: System,
  reseal: ResealAll,
): Promise<RotationResult> => {
  const [file, oldFile] = [keyFilePath(dataDir), oldKeyFilePath(dataDir)];
  const current = readSecretKey({ secretKey: undefined, dataDir }, system);
  const previous = readKeyFile(oldFile);
  const finished = previous !== undefined && !previous.equals(current);
  if (previous === undefined) linkKeyFile(file, oldFile, system);
  const [old, next] = finished ? [previous, current] : [current, replaceKeyFile(file, system)];
  const [from, to] = [makeStoredSecrets(dataDir, old, system), makeStoredSecrets(dataDir, next, system)];
  const resealed = await reseal(resealWithNewKey(from, to));
  removeKeyFile(oldFile);
  return { resealed, finished };
};

/**
 * Reseals values of an earlier version with a binding, once for each key, and returns their number. A service of that
 * version does not open what is bound, so while one may run (`hasEarlier`) the values stay as they are, and are accepted.
 * Values that the key does not open stay, too: opening them will report the error.
 */
export const bindStoredSecrets = async (
  source: SecretKeySource,
  sealed: { all(): Promise<string[]>; readonly reseal: ResealAll },
  hasEarlier: () => Promise<boolean>,
  system: System = nodeSystem,
): Promise<number> => {
  const [current, old] = readKeys(source);
  if (!current || isBoundKey(source.dataDir, current)) return 0;
  const hasUnbound = (await sealed.all()).some(isUnbound);
  if (hasUnbound && (await hasEarlier())) return 0;
  const keys = old ? [current, old] : [current];
  let bound = 0;
  const bind: ResealValue = (value, binding) => {
    const text = isUnbound(value) ? openWithAny(keys, value) : undefined;
    if (text === undefined) return value;
    bound++;
    return makeSecrets(current, system).seal(text, binding);
  };
  if (hasUnbound) await sealed.reseal(bind);
  markBoundKey(source.dataDir, current);
  return bound;
};

/** The current key and, during a rotation, the previous one. Creates no key, and ignores unreadable files. */
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
