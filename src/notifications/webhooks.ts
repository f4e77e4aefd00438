import { webhookBinding } from '../sealedBinding.js';
import type { Secrets } from '../secrets.js';
import type { NewWebhook, StoredWebhook } from '../storage/webhooks.js';
import { formatNames, languages, type FormatName, type Language } from './format.js';

/** A secret that signs. */
export interface SigningSecret {
  readonly secret: string;
  /** Until when it signs beside a newer one; null for the current one. */
  readonly until: number | null;
}

/** A target of notifications, with its address and its secrets readable: never to be shown or logged as a whole. */
export interface Webhook {
  readonly id: number;
  readonly name: string;
  readonly format: FormatName;
  readonly language: Language;
  readonly address: string;
  /** Empty for formats that do not sign. */
  readonly secrets: readonly SigningSecret[];
  readonly active: boolean;
  /** Why it was switched off, when the target asked for it. */
  readonly reason: string | null;
}

/** A stored webhook that can not be used; the message names it. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

export const isFormatName = (text: string): text is FormatName =>
  (formatNames as readonly string[]).includes(text);

export const isLanguage = (text: string): text is Language => (languages as readonly string[]).includes(text);

/** Does this format sign what it sends? */
export const signs = (format: FormatName): boolean => format === 'generic';

/** Reads a stored webhook. Throws `WebhookError` for what this program does not know, `SecretError` for a wrong key. */
export const openWebhook = (stored: StoredWebhook, secrets: Secrets): Webhook => {
  const { id, name, format, language, active, reason } = stored;
  const wrong = (what: string): never => {
    throw new WebhookError(`webhook "${name}" can not be used: ${what}`);
  };
  if (!isFormatName(format)) return wrong(`its format "${format}" is none of ${formatNames.join(', ')}`);
  if (!isLanguage(language)) return wrong(`its language "${language}" is none of ${languages.join(', ')}`);
  const address = secrets.open(stored.sealedAddress, webhookBinding(id, 'address'));
  if (!URL.canParse(address)) return wrong('its address is none');
  const signing =
    stored.sealedSecrets === null
      ? []
      : parseSigning(secrets.open(stored.sealedSecrets, webhookBinding(id, 'secrets')));
  if (!signing || (signs(format) && !signing.some(({ until }) => until === null)))
    return wrong('it has nothing to sign with');
  return { id, name, format, language, address, secrets: signing, active, reason };
};

const parseSigning = (text: string): SigningSecret[] | undefined => {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every(isSigning) ? parsed : undefined;
  } catch {
    // The message of the exception would repeat what it could not read.
    return undefined;
  }
};

const isSigning = (value: unknown): value is SigningSecret =>
  typeof value === 'object' &&
  value !== null &&
  'secret' in value &&
  typeof value.secret === 'string' &&
  'until' in value &&
  (value.until === null || typeof value.until === 'number');

/** What a person gave for a new webhook. */
export interface WebhookOrder extends Pick<Webhook, 'name' | 'format' | 'language' | 'address'> {
  /** Only for formats that sign. */
  readonly secret: string | undefined;
}

/** A webhook as it is stored for the first time. */
export const newWebhook = (order: WebhookOrder, secrets: Secrets, now: number): NewWebhook => {
  const { name, format, language, address, secret } = order;
  return {
    name,
    format,
    language,
    sealedAddress: (id) => secrets.seal(address, webhookBinding(id, 'address')),
    sealedSecrets: secret === undefined ? null : (id) => sealSigning(id, [{ secret, until: null }], secrets),
    createdAt: now,
  };
};

export const sealSigning = (id: number, signing: readonly SigningSecret[], secrets: Secrets): string =>
  secrets.seal(JSON.stringify(signing), webhookBinding(id, 'secrets'));

/** What signs now: the current secret first, then older ones whose time is not over. */
export const usableSecrets = ({ secrets }: Pick<Webhook, 'secrets'>, now: number): string[] =>
  [
    ...secrets.filter(({ until }) => until === null),
    ...secrets.filter(({ until }) => until !== null && until > now),
  ].map(({ secret }) => secret);

/** Signs with a new secret from now on, and with those before it for a while too; none gets longer than it had. */
export const rotate = (webhook: Webhook, newSecret: string, now: number, overlapMs: number): Webhook => {
  const older = webhook.secrets
    .map(({ secret, until }) => ({ secret, until: Math.min(until ?? Infinity, now + overlapMs) }))
    .filter(({ until }) => until > now);
  return { ...webhook, secrets: [{ secret: newSecret, until: null }, ...older] };
};
