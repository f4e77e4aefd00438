import { createDecipheriv } from 'node:crypto';
import { ImportError } from './sourceRows.js';

const prefix = 'enc:v1:';
const keyBytes = 32;
/** NaCl's secretbox: a nonce, then the tag and the text. */
const nonceBytes = 24;
/** AES-256-GCM, where PHP has no libsodium. */
const [ivBytes, tagBytes] = [12, 16];

/** Was it encrypted by the tool? Everything else is the text itself. */
export const isEncrypted = (stored: string): boolean => stored.startsWith(prefix);

/** Parses the tool's `APP_KEY`. Throws `ImportError`, which never repeats it. */
export const parseAppKey = (text: string): Buffer => {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== keyBytes || key.toString('base64') !== text.trim())
    throw new ImportError(
      'option-invalid',
      'APP_KEY is not valid: it is 44 characters of base64, as in config.php',
    );
  return key;
};

/** Opens what the tool has stored with this key; undefined when it does not open. */
export type OpenStored = (stored: string) => string | undefined;

/** The form does not tell which of the two ciphers was used. Both notice a wrong key. */
export const makeOpenStored = async (key: Buffer | undefined): Promise<OpenStored> => {
  if (!key) return (stored) => (isEncrypted(stored) ? undefined : stored);
  const { xsalsa20poly1305 } = await import('@noble/ciphers/salsa.js');
  const openSecretbox = (bytes: Buffer): Uint8Array =>
    xsalsa20poly1305(key, bytes.subarray(0, nonceBytes)).decrypt(bytes.subarray(nonceBytes));
  const openAes = (bytes: Buffer): Uint8Array => {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
  };
  return (stored) => {
    if (!isEncrypted(stored)) return stored;
    const bytes = Buffer.from(stored.slice(prefix.length), 'base64');
    for (const open of [openSecretbox, openAes]) {
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(open(bytes));
      } catch {
        // The other cipher may open it.
      }
    }
    return undefined;
  };
};
