import type { Config } from '../config.js';
import { readKeyFile } from '../keyFile.js';
import type { Log } from '../log.js';
import { keyFileOf, oldKeyFileOf } from '../secretKey.js';
import { isUnbound } from '../secrets.js';
import type { Storage } from '../storage/storage.js';
import { openStoredSecrets } from '../storedSecrets.js';
import { CommandError } from './io.js';
import { unboundAdvice, unopened } from './sealing.js';

/**
 * Refuses to start with a file that holds no key, or with a key that opens nothing of what is stored: every order and
 * every delivery would fail. Where a key opens some of it, the rest is logged, and does not keep the others from working.
 */
export const checkKeyAtStart = async (config: Config, storage: Storage, log: Log): Promise<void> => {
  const trouble = troubleWith(config);
  const closed = await unopened(storage, () => openStoredSecrets(config));
  const [first] = closed;
  const hasUnbound = (await storage.sealed.all()).some(isUnbound);
  if (first && closed.length === (await countSealed(storage))) {
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
const troubleWith = ({ secretKey, dataDir }: Config): string => {
  if (secretKey) return 'SECRET_KEY opens nothing of what is stored';
  const file = keyFileOf(dataDir);
  readKeyFile(oldKeyFileOf(dataDir));
  return readKeyFile(file)
    ? `the key in ${file} opens nothing of what is stored`
    : `${file} is missing, which opens what is stored`;
};

const countSealed = async (storage: Storage): Promise<number> => {
  const [webhooks, controllers] = await Promise.all([storage.webhooks.all(), storage.controllers.all()]);
  return webhooks.length + controllers.filter(({ sealedCredentials }) => sealedCredentials !== null).length;
};
