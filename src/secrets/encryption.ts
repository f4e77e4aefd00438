import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { System } from '../lib/system.js';
import { CodedError } from '../errors/codedError.js';

/**
 * Encrypts secrets for the database: credentials, webhook
 * addresses, signing secrets, second factors, Wi-Fi passwords.
 */
export interface Secrets {
  seal(text: string, binding: Binding): string;
  /** Throws `SecretError` if the value was sealed with another key or binding, or was changed. */
  open(sealed: string, binding: Binding): string;
}

/** A sealed value that this key does not open. */
export class SecretError extends CodedError<SecretErrorCode> {
  override readonly name = 'SecretError';
}

/** `key-missing`: there is no key to open it with. */
type SecretErrorCode = 'wrong-key' | 'key-missing';

/** The form of a sealed value, which files of `config export` have, too. No release had a first form. */
const version = 'v2:';
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts with AES-256-GCM and a key of 32 bytes; the binding is the additional authenticated data. */
export const makeSecrets = (key: Buffer, system: System): Secrets => ({
  seal: (text, binding) => {
    const iv = system.randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(binding));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return version + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  },
  open: (sealed, binding) => decrypt(key, sealed, binding),
});

const decrypt = (key: Buffer, sealed: string, binding: Binding): string => {
  const bytes = Buffer.from(sealed.slice(version.length), 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    }).setAAD(Buffer.from(binding));
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
      'utf8',
    );
  } catch {
    throw new SecretError(
      'wrong-key',
      'a stored secret can not be opened: SECRET_KEY is not the one it was sealed with, or it was sealed for another address or row',
    );
  }
};

/**
 * What a sealed value belongs to: its row, its column, and the address that it is sent to. It opens only with
 * the same binding, so an attacker who can write to the database but has no key cannot redirect credentials.
 */
export type Binding = string;

const bindingOf = (...parts: readonly unknown[]): Binding => JSON.stringify(parts);

interface BoundController {
  readonly id: number;
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Binds credentials to the controller's address, to what identifies its certificate,
 * and to encryption where that is chosen by itself.
 */
export const credentialsBinding = ({ id, kind, settings }: BoundController): Binding => {
  const { url = null, fingerprint = null, ca = null, tls } = settings;
  const encryption = tls === 'system' ? [tls] : [];
  return bindingOf('controllers', id, 'credentials', kind, url, fingerprint, ca, ...encryption);
};

/** Binds to the row alone: a webhook's address is sealed in the same row as its signing secrets. */
export const webhookBinding = (id: number, part: 'address' | 'secrets'): Binding =>
  bindingOf('webhooks', id, part);

/** Binds a second factor to its user: moved to another row, it would let another user in. */
export const totpBinding = (userId: number, part: 'secret' | 'enrolment'): Binding =>
  bindingOf('users', userId, 'totp', part);

/** Binds the codes of an order in flight to it. */
export const orderCodesBinding = (intentId: string): Binding => bindingOf('intents', intentId, 'codes');

/** Binds the password of a wireless network to its site, whatever the network is called. */
export const wifiBinding = (siteId: number): Binding => bindingOf('sites', siteId, 'wifi');

/** Binds the secret of a connection to where it is sent, such as host and user of a mail server. */
export const connectionBinding = (name: string, secretFor: string): Binding =>
  bindingOf('connections', name, secretFor);

/** Binds what a browser keeps during single sign-on: no stored value can stand for it. */
export const singleSignOnBinding: Binding = bindingOf('single-sign-on');

/** Binds the id that a browser at a kiosk keeps: no stored value can stand for it. */
export const kioskDeviceBinding: Binding = bindingOf('kiosk-device');

/** Binds a puzzle that a browser has to solve. */
export const challengeBinding: Binding = bindingOf('challenge');

/** A sealed value; for a new row, a function that seals it once the id is known. */
export type Sealed = string | ((id: number) => string);

/** Seals a controller's credentials, once its id is known. */
export const sealCredentials =
  (
    secrets: Pick<Secrets, 'seal'>,
    { kind, settings }: Omit<BoundController, 'id'>,
    credentials: Readonly<Record<string, string>>,
  ) =>
  (id: number): string =>
    secrets.seal(JSON.stringify(credentials), credentialsBinding({ id, kind, settings }));
