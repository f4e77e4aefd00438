import { nodeSystem, type System } from '../lib/system.js';
import {
  combineSecrets,
  keyFilePath,
  linkKeyFile,
  oldKeyFilePath,
  readExistingKey,
  readKeyFile,
  readSecretKey,
  removeKeyFile,
  replaceKeyFile,
  type SecretKeySource,
} from './secretKey.js';
import { makeSecrets, type Binding, type Secrets } from './encryption.js';

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
 * Writes a sealed value. If a rotation replaces the key in the meantime, the value is sealed again with the
 * new one. With `mayCreate` a missing key is created: only while nothing is sealed.
 */
export const writeWithCurrentKey = async <T>(
  source: SecretKeySource,
  { reseal, mayCreate }: { readonly reseal: ResealAll; readonly mayCreate: boolean },
  write: (secrets: Secrets) => Promise<T>,
  system: System = nodeSystem,
): Promise<T> => {
  const key = mayCreate ? readSecretKey(source, system) : readExistingKey(source);
  const secrets = makeSecrets(key, system);
  const result = await write(secrets);
  const current = readExistingKey(source);
  if (!current.equals(key)) await reseal(resealWithNewKey(secrets, makeSecrets(current, system)));
  return result;
};

export interface RotationResult {
  readonly resealed: number;
  /** Did this finish an earlier rotation that was interrupted? */
  readonly finished: boolean;
}

/**
 * Replaces the key in the file. The old key stays beside it until everything is sealed with the new one,
 * so each value opens with one of the two at any moment. The next call finishes an interrupted rotation.
 * The caller makes sure that only one rotation runs at a time.
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
  const [from, to] = [makeSecrets(old, system), makeSecrets(next, system)];
  const resealed = await reseal(resealWithNewKey(from, to));
  removeKeyFile(oldFile);
  return { resealed, finished };
};
