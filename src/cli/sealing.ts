import type { Config } from '../config.js';
import type { Log } from '../lib/log.js';
import { nodeSystem } from '../lib/system.js';
import { boundKeysFilePath, resealWithNewKey } from '../secrets/rotation.js';
import {
  keyFilePath,
  oldKeyFilePath,
  openStoredSecrets,
  readKeyFile,
  readSecretKey,
} from '../secrets/secretKey.js';
import {
  credentialsBinding,
  isUnbound,
  makeSecrets,
  SecretError,
  webhookBinding,
  type Binding,
  type Secrets,
} from '../secrets/secrets.js';
import type { StoredController } from '../storage/controllers.js';
import type { Storage } from '../storage/storage.js';
import { formatCommandLine, toQuotedWord } from './commandLine.js';
import { CommandError } from './io.js';
import { controllerAddressOf } from './lookup.js';
import type { OpenedStorage } from './resources.js';

/** Something stored that a key does not open, and the way out. */
interface UnopenableSecret {
  readonly what: string;
  readonly wayOut: string;
}

/** Everything sealed that a key does not open. The key is asked for only when there is anything. */
export const findUnopenableSecrets = async (
  storage: Storage,
  secrets: () => Secrets,
): Promise<UnopenableSecret[]> => {
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
      wayOut: `give it its credentials again: ${formatCommandLine(`controller credentials ${toQuotedWord(controller.name)}`)} (first see that its address is right: ${controllerAddressOf(controller) ?? 'none'})`,
      values: [{ value: controller.sealedCredentials, binding: credentialsBinding(controller) }],
    })),
  ];
  if (sealed.every(({ values }) => values.every(({ value }) => value === null))) return [];
  const { open } = secrets();
  return sealed.filter(
    ({ values }) => !values.every(({ value, binding }) => value === null || canOpen(open, value, binding)),
  );
};

/** What to do about secrets in the form of an earlier version, which are accepted from none but the first start. */
export const unboundAdvice = ({ dataDir }: { readonly dataDir: string }): string =>
  `if a copy of the database was put back, first remove ${boundKeysFilePath(dataDir)}, and then: ${formatCommandLine('migrate')}`;

const canOpen = (open: Secrets['open'], sealed: string, binding: Binding): boolean => {
  try {
    open(sealed, binding);
    return true;
  } catch (error) {
    if (error instanceof SecretError) return false;
    throw error;
  }
};

/** Refuses to go on with a key that does not open what is there already: half of it would be lost to either key. */
export const checkSecretKey = async (storage: Storage, secrets: Secrets): Promise<void> => {
  const [first] = await findUnopenableSecrets(storage, () => secrets);
  if (first)
    throw new CommandError(
      `${first.what} was sealed with another key or for another address: use that key, or ${first.wayOut}`,
    );
};

/** Writes something sealed. Should a rotation replace the key meanwhile, it is sealed again with the new one. */
export const writeSealed = async <T>(
  opened: OpenedStorage,
  write: (secrets: Secrets) => Promise<T>,
): Promise<T> => {
  await checkSecretKey(opened.storage, openStoredSecrets(opened.config));
  return writeSealedUnchecked(opened, write);
};

/**
 * Changes a controller. What its credentials are bound to may change with its settings: whoever has the key and
 * gives the command decides where they are sent, so they are sealed for the new address.
 */
export const changeController = async (
  opened: OpenedStorage,
  stored: StoredController,
  values: Pick<StoredController, 'settings'> & Partial<Pick<StoredController, 'name' | 'identity'>>,
): Promise<void> => {
  const { controllers } = opened.storage;
  const { sealedCredentials } = stored;
  const [before, after] = [credentialsBinding(stored), credentialsBinding({ ...stored, ...values })];
  if (sealedCredentials === null || before === after) return controllers.change(stored.id, values);
  const text = openControllerCredentials(opened, stored, sealedCredentials, [before, after]);
  await writeSealedUnchecked(opened, (secrets) =>
    controllers.change(stored.id, { ...values, sealedCredentials: secrets.seal(text, after) }),
  );
};

/** Of a controller whose address was changed by somebody without the key, they open when it has its own again. */
const openControllerCredentials = (
  { config }: OpenedStorage,
  { name }: StoredController,
  sealed: string,
  bindings: readonly Binding[],
): string => {
  const { open } = openStoredSecrets(config);
  const binding = bindings.find((one) => canOpen(open, sealed, one));
  if (binding !== undefined) return open(sealed, binding);
  throw new CommandError(
    `nothing is changed: the credentials of "${name}" were sealed with another key or for another address: see its address with ${formatCommandLine('controller list')}, and when it is right, give them again: ${formatCommandLine(`controller credentials ${toQuotedWord(name)}`)}`,
  );
};

/** As `writeSealed`, for what replaces something that the key may not open any more. */
export const writeSealedUnchecked = async <T>(
  { config, storage }: OpenedStorage,
  write: (secrets: Secrets) => Promise<T>,
): Promise<T> => {
  const key = readSecretKey(config);
  const secrets = makeSecrets(key, nodeSystem);
  const result = await write(secrets);
  const now = readSecretKey(config);
  if (!now.equals(key)) await storage.sealed.reseal(resealWithNewKey(secrets, makeSecrets(now, nodeSystem)));
  return result;
};

/**
 * Refuses to start with a file that holds no key, or with a key that opens nothing of what is stored: every order and
 * every delivery would fail. Where a key opens some of it, the rest is logged, and does not keep the others from working.
 */
export const checkSecretKeyAtStart = async (config: Config, storage: Storage, log: Log): Promise<void> => {
  const trouble = describeKeyProblem(config);
  const closed = await findUnopenableSecrets(storage, () => openStoredSecrets(config));
  const [first] = closed;
  const hasUnbound = (await storage.sealed.all()).some(isUnbound);
  if (first && closed.length === (await countSealedRows(storage))) {
    const what = closed.map((one) => one.what).join(', ');
    if (hasUnbound)
      throw new CommandError(
        `what is stored has the form of an earlier version (${what}): ${unboundAdvice(config)}`,
      );
    throw new CommandError(
      `${trouble} (${what}): put back the key that it was sealed with, or, if that is lost, ${first.wayOut}`,
    );
  }
  if (hasUnbound) {
    const what = closed.map((one) => one.what);
    log.error(
      { what, advice: unboundAdvice(config) },
      'sealed in the form of an earlier version, or with another key: it can not be used',
    );
    return;
  }
  for (const { what, wayOut } of closed)
    log.error(
      { what, advice: wayOut },
      'sealed with another key, or for another address: it can not be used',
    );
};

/** What is wrong with a key that opens nothing. Throws `KeyFileError` where a file can't be used at all. */
const describeKeyProblem = ({ secretKey, dataDir }: Config): string => {
  if (secretKey) return 'SECRET_KEY opens nothing of what is stored';
  const file = keyFilePath(dataDir);
  readKeyFile(oldKeyFilePath(dataDir));
  return readKeyFile(file)
    ? `the key in ${file} opens nothing of what is stored`
    : `${file} is missing, which opens what is stored`;
};

const countSealedRows = async (storage: Storage): Promise<number> => {
  const [webhooks, controllers] = await Promise.all([storage.webhooks.all(), storage.controllers.all()]);
  return webhooks.length + controllers.filter(({ sealedCredentials }) => sealedCredentials !== null).length;
};
