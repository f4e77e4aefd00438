import { join } from 'node:path';
import { systemEffects, type Effects } from './effects.js';
import { makeKeyFile, readKeyFile } from './keyFile.js';
import { makeSecrets, SecretError, type Secrets } from './secrets.js';

/** Where the key is: set by the operator, or in a file. */
export interface SecretKeySource {
  readonly secretKey: Buffer | undefined;
  readonly dataDir: string;
}

export const keyFileOf = (dataDir: string): string => join(dataDir, 'secret.key');

/** Holds the previous key while a rotation runs, and after one that was interrupted. */
export const oldKeyFileOf = (dataDir: string): string => `${keyFileOf(dataDir)}.old`;

/** The key that seals what is secret: the configured one, or the one in the file, which is made at first need. */
export const readSecretKey = (
  { secretKey, dataDir }: SecretKeySource,
  effects: Effects = systemEffects,
): Buffer => {
  if (secretKey) return secretKey;
  const file = keyFileOf(dataDir);
  return readKeyFile(file) ?? makeKeyFile(file, effects);
};

/** Seals with the key of now. Opens what the previous key has sealed, too, while a rotation of the file lasts. */
export const openSecrets = (source: SecretKeySource, effects: Effects = systemEffects): Secrets => {
  // A rotation that begins between these two reads ends with a change of the database: whoever loads then, loads again.
  const old = source.secretKey ? undefined : readKeyFile(oldKeyFileOf(source.dataDir));
  const current = makeSecrets(readSecretKey(source, effects), effects);
  return old ? openingAny(current, makeSecrets(old, effects)) : current;
};

/** Seals with the first, and opens what the first or the second has sealed. */
export const openingAny = (first: Secrets, second: Secrets): Secrets => ({
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
