import type { Effects } from './effects.js';
import { keepKeyFile, readKeyFile, removeKeyFile, replaceKeyFile } from './keyFile.js';
import { keyFileOf, oldKeyFileOf, openingAny, readSecretKey } from './secretKey.js';
import type { Binding } from './sealedBinding.js';
import { makeSecrets, type Secrets } from './secrets.js';

/** Seals a value again, for what it belongs to already. */
export type ChangeSealed = (sealed: string, binding: Binding) => string;

/** Changes everything that is sealed in one transaction, and returns how many values that were. */
export type Reseal = (change: ChangeSealed) => Promise<number>;

/** Takes what was sealed with either to the new one; what has it already may stay or change. */
export const toNew =
  (old: Secrets, next: Secrets): ChangeSealed =>
  (sealed, binding) =>
    next.seal(openingAny(next, old).open(sealed, binding), binding);

export interface Rotated {
  readonly resealed: number;
  /** Was it one that had been interrupted, which is now at its end? */
  readonly finished: boolean;
}

/**
 * Replaces the key in the file. The old one stays beside it until everything is sealed with the new one, so at every
 * moment each value opens with one of the two; a rotation that was interrupted is finished by the next call. One at
 * a time: the caller sees to it.
 */
export const rotateKeyFile = async (dataDir: string, effects: Effects, reseal: Reseal): Promise<Rotated> => {
  const [file, oldFile] = [keyFileOf(dataDir), oldKeyFileOf(dataDir)];
  const current = readSecretKey({ secretKey: undefined, dataDir }, effects);
  const left = readKeyFile(oldFile);
  const finished = left !== undefined && !left.equals(current);
  if (left === undefined) keepKeyFile(file, oldFile);
  const [old, next] = finished ? [left, current] : [current, replaceKeyFile(file, effects)];
  const resealed = await reseal(toNew(makeSecrets(old, effects), makeSecrets(next, effects)));
  removeKeyFile(oldFile);
  return { resealed, finished };
};
