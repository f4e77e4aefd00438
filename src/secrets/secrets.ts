import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { System } from '../lib/system.js';

/** Seals what must not be readable in the database: credentials, addresses of webhooks, signing secrets. */
export interface Secrets {
  seal(text: string, binding: Binding): string;
  /** Throws `SecretError` when it was sealed with another key or for something else, or changed since. */
  open(sealed: string, binding: Binding): string;
}

/** Something sealed that this key does not open. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

/** Version 1, of earlier releases, was bound to nothing. */
const [version, unboundVersion] = ['v2:', 'v1:'];
const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with a key of 32 bytes; the binding is its additional data. */
export const makeSecrets = (key: Buffer, system: System): Secrets => ({
  seal: (text, binding) => {
    const iv = system.randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(binding));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return version + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  },
  open: (sealed, binding) => {
    if (isUnbound(sealed))
      throw new SecretError(
        'a stored secret has the form of an earlier version, which is no longer accepted',
      );
    return decipher(key, sealed, binding);
  },
});

/** Was it sealed by an earlier version, for no row and no address? */
export const isUnbound = (sealed: string): boolean => sealed.startsWith(unboundVersion);

/** Opens what an earlier version has sealed, only to seal it again. */
export const openUnbound = (key: Buffer, sealed: string): string => decipher(key, sealed);

const decipher = (key: Buffer, sealed: string, binding?: Binding): string => {
  const bytes = Buffer.from(sealed.slice(version.length), 'base64');
  try {
    const opening = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    if (binding !== undefined) opening.setAAD(Buffer.from(binding));
    opening.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([opening.update(bytes.subarray(ivBytes + tagBytes)), opening.final()]).toString(
      'utf8',
    );
  } catch {
    throw new SecretError(
      'a stored secret can not be opened: SECRET_KEY is not the one it was sealed with, or it was sealed for another address or row',
    );
  }
};

/**
 * What a sealed value belongs to: its row, what it is there, and whom it is sent to. It opens nowhere else, so
 * whoever can write the database, and has no key, can not have credentials sent to another address.
 */
export type Binding = string;

const bindingOf = (...parts: readonly unknown[]): Binding => JSON.stringify(parts);

interface BoundController {
  readonly id: number;
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The address, and by what the one who answers there is known to be the right one. */
export const credentialsBinding = ({ id, kind, settings }: BoundController): Binding => {
  const { url = null, fingerprint = null, ca = null } = settings;
  return bindingOf('controllers', id, 'credentials', kind, url, fingerprint, ca);
};

/** The address of a webhook is itself sealed for its row, so its signing secrets need only name the row. */
export const webhookBinding = (id: number, part: 'address' | 'secrets'): Binding =>
  bindingOf('webhooks', id, part);

/** Something sealed; for a row that is still to be written, what seals it once its id is known. */
export type Sealed = string | ((id: number) => string);

/** Seals the credentials of a controller, whose id may still be unknown. */
export const sealCredentials =
  (
    secrets: Pick<Secrets, 'seal'>,
    { kind, settings }: Omit<BoundController, 'id'>,
    credentials: Readonly<Record<string, string>>,
  ) =>
  (id: number): string =>
    secrets.seal(JSON.stringify(credentials), credentialsBinding({ id, kind, settings }));
