import { createHash } from 'node:crypto';
import type { System } from '../lib/system.js';
import { type Binding } from '../secrets/encryption.js';
import { openWithPassPhrase, sealWithPassPhrase } from '../secrets/passPhrase.js';
import { parseSecretKey } from '../secrets/secretKey.js';
import { BackupError } from './backupError.js';
import type { SealedKey } from './backupInfoTable.js';

const keyBinding: Binding = JSON.stringify(['backup', 'secret-key']);

/** Identifies a key without telling it: the key has 256 random bits, so nobody finds it by its hash. */
export const fingerprintOfKey = (key: Buffer): string =>
  createHash('sha256').update('voucherd backup\n').update(key).digest('hex').slice(0, 32);

/** Seals the secret key for a backup. */
export const sealKey = async (
  key: Buffer,
  passPhrase: string,
  system: System,
  cost?: number,
): Promise<SealedKey> => {
  const { secrets, sealing } = await sealWithPassPhrase(passPhrase, system, cost);
  return { sealing, sealed: secrets.seal(key.toString('hex'), keyBinding) };
};

/** Opens the secret key of a backup. Throws `WrongPassPhrase`. */
export const openSealedKey = async (
  { sealing, sealed }: SealedKey,
  passPhrase: string,
  system: System,
): Promise<Buffer> => {
  const secrets = await openWithPassPhrase(passPhrase, sealing, system);
  const key = parseSecretKey(secrets.open(sealed, keyBinding));
  if (!key) throw new BackupError('backup-damaged', 'what is sealed in the backup is not a secret key');
  return key;
};
