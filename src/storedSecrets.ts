import { systemEffects, type Effects } from './effects.js';
import { readKeyFile } from './keyFile.js';
import { keyFileOf, openSecrets, type SecretKeySource } from './secretKey.js';
import { SecretError, type Secrets } from './secrets.js';

/**
 * Opens what is stored, and makes no key for it: a new one would open nothing, and would hide that the one it was
 * sealed with is missing.
 */
export const openStoredSecrets = (source: SecretKeySource, effects: Effects = systemEffects): Secrets => {
  const file = keyFileOf(source.dataDir);
  if (source.secretKey || readKeyFile(file)) return openSecrets(source, effects);
  const missing = (): never => {
    throw new SecretError(`${file} is missing, which opens what is stored: put it back`);
  };
  return { seal: missing, open: missing };
};
