import { systemEffects } from '../effects.js';
import { openSecrets, readSecretKey } from '../secretKey.js';
import { toNew } from '../secretRotation.js';
import { makeSecrets, SecretError, type Secrets } from '../secrets.js';
import type { Storage } from '../storage/storage.js';
import { CommandError } from './io.js';
import type { Opened } from './withStorage.js';

/** Refuses to go on with a key that does not open what is there already: half of it would be lost to either key. */
export const checkKey = async (storage: Storage, secrets: Secrets): Promise<void> => {
  for (const { name, sealedAddress, sealedSecrets } of await storage.webhooks.all()) {
    try {
      secrets.open(sealedAddress);
      if (sealedSecrets !== null) secrets.open(sealedSecrets);
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      throw new CommandError(
        `webhook "${name}" was sealed with another key: use that one, or remove the webhook`,
      );
    }
  }
};

/** Writes something sealed. Should a rotation replace the key meanwhile, it is sealed again with the new one. */
export const writeSealed = async <T>(
  { config, storage }: Opened,
  write: (secrets: Secrets) => Promise<T>,
): Promise<T> => {
  const key = readSecretKey(config);
  await checkKey(storage, openSecrets(config));
  const secrets = makeSecrets(key, systemEffects);
  const result = await write(secrets);
  const now = readSecretKey(config);
  if (!now.equals(key)) await storage.webhooks.reseal(toNew(secrets, makeSecrets(now, systemEffects)));
  return result;
};
