import type { Config } from '../config/config.js';
import type { Log } from '../log/log.js';
import { writeWithCurrentKey } from '../secrets/rotation.js';
import { keyFilePath, oldKeyFilePath, openStoredSecrets, readKeyFile } from '../secrets/secretKey.js';
import { type RotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import { type Secrets } from '../secrets/encryption.js';
import type { Tables } from '../app/tables.js';
import { wordIn } from '../i18n/messages.js';
import { listUnopenableSecrets } from '../diagnostics/storedSecrets.js';
import { CommandError } from './io.js';
import type { OpenedTables } from './openTables.js';

/** A stored secret that the key does not open, and what to do about it. */
interface UnopenableSecret {
  readonly what: string;
  readonly remedy: string;
}

/** Finds all sealed values that the key does not open. The key is read only when something is sealed. */
export const findUnopenableSecrets = async (
  tables: Tables,
  secrets: () => Secrets,
): Promise<UnopenableSecret[]> =>
  (await listUnopenableSecrets(tables, secrets)).map(({ what, remedy }) => ({
    what: wordIn('en', 'sealed', what),
    remedy: wordIn('en', 'sealedRemedy', remedy),
  }));

/** Refuses a key that does not open what is already sealed: neither key would open everything afterwards. */
export const checkSecretKey = async (tables: Tables, secrets: Secrets): Promise<void> => {
  const [first] = await findUnopenableSecrets(tables, () => secrets);
  if (first)
    throw new CommandError(
      'secret-key-wrong',
      `${first.what} was sealed with another key or for another address: use that key, or ${first.remedy}`,
    );
};

/**
 * Writes a sealed value. If a rotation replaces the key in the meantime,
 * the value is sealed again with the new one.
 */
export const writeSealed = async <T>(
  opened: OpenedTables,
  write: (secrets: Secrets) => Promise<T>,
): Promise<T> => {
  await checkSecretKey(opened.tables, openStoredSecrets(opened.config));
  return writeSealedUnchecked(opened, write);
};

/** Like `writeSealed`, for values that replace ones that the key may no longer open. */
export const writeSealedUnchecked = <T>(
  { config, tables }: OpenedTables,
  write: (secrets: Secrets) => Promise<T>,
): Promise<T> => writeWithCurrentKey(config, { reseal: tables.sealed.reseal, mayCreate: true }, write);

/** The same, as the parts of the service write sealed values. */
export const makeCommandRotationSafeWriter = (opened: OpenedTables): RotationSafeWriter => ({
  write: (work) => writeSealed(opened, work),
  replace: (work) => writeSealedUnchecked(opened, work),
});

/**
 * Refuses to start with a file that holds no key, or with a key that opens none of the stored secrets:
 * every order and every delivery would fail. If the key opens some of them,
 * the others are logged and the service starts.
 */
export const checkSecretKeyAtStart = async (config: Config, tables: Tables, log: Log): Promise<void> => {
  const problem = describeKeyProblem(config);
  const unopenable = await findUnopenableSecrets(tables, () => openStoredSecrets(config));
  const [first] = unopenable;
  if (first && unopenable.length === (await countSealedRows(tables))) {
    const what = unopenable.map((secret) => secret.what).join(', ');
    throw new CommandError(
      'secret-key-wrong',
      `${problem} (${what}): put back the key that it was sealed with, or, if that is lost, ${first.remedy}`,
    );
  }
  for (const { what, remedy } of unopenable)
    log.error({ what, remedy }, 'sealed with another key, or for another address: it can not be used');
};

/**
 * What is wrong with a key that opens nothing. Throws `KeyFileError` when a key file can't be used at all.
 */
const describeKeyProblem = ({ secretKey, dataDir }: Config): string => {
  if (secretKey) return 'SECRET_KEY opens nothing of what is stored';
  const file = keyFilePath(dataDir);
  readKeyFile(oldKeyFilePath(dataDir));
  return readKeyFile(file)
    ? `the key in ${file} opens nothing of what is stored`
    : `${file} is missing, which opens what is stored`;
};

const countSealedRows = async (tables: Tables): Promise<number> => {
  const [webhooks, controllers, users] = await Promise.all([
    tables.webhooks.all(),
    tables.controllers.all(),
    tables.users.all(),
  ]);
  return (
    webhooks.length +
    controllers.filter(({ sealedCredentials }) => sealedCredentials !== null).length +
    users.filter((user) => user.sealedTotpSecret !== null || user.sealedTotpEnrolment !== null).length
  );
};
