import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Effects } from './effects.js';

/** Seals what must not be readable in the database: credentials, addresses of webhooks, signing secrets. */
export interface Secrets {
  seal(text: string): string;
  /** Throws `SecretError` when it was sealed with another key, or changed since. */
  open(sealed: string): string;
}

/** Something sealed that this key does not open. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

const version = 'v1:';
const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with a key of 32 bytes. */
export const makeSecrets = (key: Buffer, effects: Effects): Secrets => ({
  seal: (text) => {
    const iv = effects.randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return version + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  },
  open: (sealed) => {
    const bytes = Buffer.from(sealed.slice(version.length), 'base64');
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
        'utf8',
      );
    } catch {
      throw new SecretError(
        'a stored secret can not be opened: SECRET_KEY is not the one it was sealed with',
      );
    }
  },
});
