import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFile } from '../lib/privateFiles.js';

/**
 * The file that lists the keys for which values without a binding are no longer accepted. It is not in the database,
 * where an attacker could remove the entry and restore values that an earlier version had sealed.
 */
export const boundKeysFilePath = (dataDir: string): string => join(dataDir, 'secret.bound');

/** From now on, values without a binding are not accepted with this key. */
export const markBoundKey = (dataDir: string, key: Buffer): void => {
  makePrivateFile(boundKeysFilePath(dataDir));
  appendFileSync(boundKeysFilePath(dataDir), `${keyFingerprintOf(key)}\n`);
};

/** Are values without a binding refused with this key? */
export const isBoundKey = (dataDir: string, key: Buffer): boolean => {
  try {
    return readFileSync(boundKeysFilePath(dataDir), 'utf8').split('\n').includes(keyFingerprintOf(key));
  } catch {
    return false;
  }
};

const keyFingerprintOf = (key: Buffer): string =>
  createHash('sha256').update('voucherd bound\n').update(key).digest('hex').slice(0, 32);
