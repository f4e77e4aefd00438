import { systemEffects } from '../effects.js';
import { readSecretKey } from '../secretKey.js';
import { toNew } from '../secretRotation.js';
import { makeSecrets, SecretError, type Secrets } from '../secrets.js';
import type { Storage } from '../storage/storage.js';
import { openStoredSecrets } from '../storedSecrets.js';
import { commandLine } from './commandLine.js';
import { CommandError } from './io.js';
import { quoted } from './shellWord.js';
import type { Opened } from './withStorage.js';

/** Something stored that a key does not open, and the way out. */
export interface Unopened {
  readonly what: string;
  readonly wayOut: string;
}

/** Everything sealed that a key does not open. The key is asked for only when there is anything. */
export const unopened = async (storage: Storage, secrets: () => Secrets): Promise<Unopened[]> => {
  const [webhooks, controllers] = await Promise.all([storage.webhooks.all(), storage.controllers.all()]);
  const sealed = [
    ...webhooks.map(({ name, sealedAddress, sealedSecrets }) => ({
      what: `webhook "${name}"`,
      wayOut: 'remove the webhook',
      values: [sealedAddress, sealedSecrets],
    })),
    ...controllers.map(({ name, sealedCredentials }) => ({
      what: `controller "${name}"`,
      wayOut: `give it its credentials again: ${commandLine(`controller credentials ${quoted(name)}`)}`,
      values: [sealedCredentials],
    })),
  ];
  if (sealed.every(({ values }) => values.every((value) => value === null))) return [];
  const { open } = secrets();
  return sealed.filter(({ values }) => !values.every((value) => value === null || opens(open, value)));
};

const opens = (open: Secrets['open'], sealed: string): boolean => {
  try {
    open(sealed);
    return true;
  } catch (error) {
    if (error instanceof SecretError) return false;
    throw error;
  }
};

/** Refuses to go on with a key that does not open what is there already: half of it would be lost to either key. */
export const checkKey = async (storage: Storage, secrets: Secrets): Promise<void> => {
  const [first] = await unopened(storage, () => secrets);
  if (first)
    throw new CommandError(`${first.what} was sealed with another key: use that one, or ${first.wayOut}`);
};

/** Writes something sealed. Should a rotation replace the key meanwhile, it is sealed again with the new one. */
export const writeSealed = async <T>(opened: Opened, write: (secrets: Secrets) => Promise<T>): Promise<T> => {
  await checkKey(opened.storage, openStoredSecrets(opened.config));
  return writeUnchecked(opened, write);
};

/** As `writeSealed`, for what replaces something that the key may not open any more. */
export const writeUnchecked = async <T>(
  { config, storage }: Opened,
  write: (secrets: Secrets) => Promise<T>,
): Promise<T> => {
  const key = readSecretKey(config);
  const secrets = makeSecrets(key, systemEffects);
  const result = await write(secrets);
  const now = readSecretKey(config);
  if (!now.equals(key)) await storage.sealed.reseal(toNew(secrets, makeSecrets(now, systemEffects)));
  return result;
};
