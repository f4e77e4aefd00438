import { systemEffects } from '../effects.js';
import { readSecretKey } from '../secretKey.js';
import { toNew } from '../secretRotation.js';
import { credentialsBinding, webhookBinding, type Binding } from '../sealedBinding.js';
import { makeSecrets, SecretError, type Secrets } from '../secrets.js';
import type { StoredController } from '../storage/controllers.js';
import type { Storage } from '../storage/storage.js';
import { openStoredSecrets } from '../storedSecrets.js';
import { boundFileOf } from '../unboundSecrets.js';
import { commandLine } from './commandLine.js';
import { addressOf } from './controllerNamed.js';
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
    ...webhooks.map(({ id, name, sealedAddress, sealedSecrets }) => ({
      what: `webhook "${name}"`,
      wayOut: 'remove the webhook',
      values: [
        { value: sealedAddress, binding: webhookBinding(id, 'address') },
        { value: sealedSecrets, binding: webhookBinding(id, 'secrets') },
      ],
    })),
    ...controllers.map((controller) => ({
      what: `controller "${controller.name}"`,
      wayOut: `give it its credentials again: ${commandLine(`controller credentials ${quoted(controller.name)}`)} (first see that its address is right: ${addressOf(controller) ?? 'none'})`,
      values: [{ value: controller.sealedCredentials, binding: credentialsBinding(controller) }],
    })),
  ];
  if (sealed.every(({ values }) => values.every(({ value }) => value === null))) return [];
  const { open } = secrets();
  return sealed.filter(
    ({ values }) => !values.every(({ value, binding }) => value === null || opens(open, value, binding)),
  );
};

/** What to do about secrets in the form of an earlier version, which are accepted from none but the first start. */
export const unboundAdvice = ({ dataDir }: { readonly dataDir: string }): string =>
  `if a copy of the database was put back, first remove ${boundFileOf(dataDir)}, and then: ${commandLine('migrate')}`;

const opens = (open: Secrets['open'], sealed: string, binding: Binding): boolean => {
  try {
    open(sealed, binding);
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
    throw new CommandError(
      `${first.what} was sealed with another key or for another address: use that key, or ${first.wayOut}`,
    );
};

/** Writes something sealed. Should a rotation replace the key meanwhile, it is sealed again with the new one. */
export const writeSealed = async <T>(opened: Opened, write: (secrets: Secrets) => Promise<T>): Promise<T> => {
  await checkKey(opened.storage, openStoredSecrets(opened.config));
  return writeUnchecked(opened, write);
};

/**
 * Changes a controller. What its credentials are bound to may change with its settings: whoever has the key and
 * gives the command decides where they are sent, so they are sealed for the new address.
 */
export const changeController = async (
  opened: Opened,
  stored: StoredController,
  values: Pick<StoredController, 'settings'> & Partial<Pick<StoredController, 'name' | 'identity'>>,
): Promise<void> => {
  const { controllers } = opened.storage;
  const { sealedCredentials } = stored;
  const [before, after] = [credentialsBinding(stored), credentialsBinding({ ...stored, ...values })];
  if (sealedCredentials === null || before === after) return controllers.change(stored.id, values);
  const text = openCredentials(opened, stored, sealedCredentials, [before, after]);
  await writeUnchecked(opened, (secrets) =>
    controllers.change(stored.id, { ...values, sealedCredentials: secrets.seal(text, after) }),
  );
};

/** Of a controller whose address was changed by somebody without the key, they open when it has its own again. */
const openCredentials = (
  { config }: Opened,
  { name }: StoredController,
  sealed: string,
  bindings: readonly Binding[],
): string => {
  const { open } = openStoredSecrets(config);
  const binding = bindings.find((one) => opens(open, sealed, one));
  if (binding !== undefined) return open(sealed, binding);
  throw new CommandError(
    `nothing is changed: the credentials of "${name}" were sealed with another key or for another address: see its address with ${commandLine('controller list')}, and when it is right, give them again: ${commandLine(`controller credentials ${quoted(name)}`)}`,
  );
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
