import { webhookBinding, type Secrets } from '../secrets/secrets.js';
import type { NewWebhook, StoredWebhook } from '../storage/webhooks.js';
import {
  formatNames,
  languages,
  type FormatName,
  type Language,
  isFormatName,
  isLanguage,
} from './formats/format.js';

/** A secret that signs. */
interface SigningSecret {
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

/** Does this format sign what it sends? */
export const isSigningFormat = (format: FormatName): boolean => format === 'generic';

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
      : parseSigningSecrets(secrets.open(stored.sealedSecrets, webhookBinding(id, 'secrets')));
  if (!signing || (isSigningFormat(format) && !signing.some(({ until }) => until === null)))
    return wrong('it has nothing to sign with');
  return { id, name, format, language, address, secrets: signing, active, reason };
};

const parseSigningSecrets = (text: string): SigningSecret[] | undefined => {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every(isSigningSecret) ? parsed : undefined;
  } catch {
    // The message of the exception would repeat what it could not read.
    return undefined;
  }
};

const isSigningSecret = (value: unknown): value is SigningSecret =>
  typeof value === 'object' &&
  value !== null &&
  'secret' in value &&
  typeof value.secret === 'string' &&
  'until' in value &&
  (value.until === null || typeof value.until === 'number');

/** What a person gave for a new webhook. */
export interface WebhookInput extends Pick<Webhook, 'name' | 'format' | 'language' | 'address'> {
  /** Only for formats that sign. */
  readonly secret: string | undefined;
}

/** A webhook as it is stored for the first time. */
export const sealWebhook = (order: WebhookInput, secrets: Secrets, now: number): NewWebhook => {
  const { name, format, language, address, secret } = order;
  return {
    name,
    format,
    language,
    sealedAddress: (id) => secrets.seal(address, webhookBinding(id, 'address')),
    sealedSecrets:
      secret === undefined ? null : (id) => sealSigningSecrets(id, [{ secret, until: null }], secrets),
    createdAt: now,
  };
};

export const sealSigningSecrets = (id: number, signing: readonly SigningSecret[], secrets: Secrets): string =>
  secrets.seal(JSON.stringify(signing), webhookBinding(id, 'secrets'));

/** What signs now: the current secret first, then older ones whose time is not over. */
export const activeSigningSecrets = ({ secrets }: Pick<Webhook, 'secrets'>, now: number): string[] =>
  [
    ...secrets.filter(({ until }) => until === null),
    ...secrets.filter(({ until }) => until !== null && until > now),
  ].map(({ secret }) => secret);

/** Signs with a new secret from now on, and with those before it for a while too; none gets longer than it had. */
export const addSigningSecret = (
  webhook: Webhook,
  newSecret: string,
  now: number,
  overlapMs: number,
): Webhook => {
  const older = webhook.secrets
    .map(({ secret, until }) => ({ secret, until: Math.min(until ?? Infinity, now + overlapMs) }))
    .filter(({ until }) => until > now);
  return { ...webhook, secrets: [{ secret: newSecret, until: null }, ...older] };
};

const shownCharacters = 4;
/** Of something shorter, the last characters would tell too much. */
const minMaskedLength = 12;
const ellipsis = '…';

/** An address as it may be shown: `https://hooks.slack.com/…Ab3x`. The rest of it lets anybody post. */
export const maskWebhookAddress = (address: string): string => {
  const { protocol, host, pathname, search } = new URL(address);
  const rest = pathname + search;
  return `${protocol}//${host}/${ellipsis}${rest.length >= minMaskedLength ? rest.slice(-shownCharacters) : ''}`;
};

/**
 * What a target said, without this webhook's address and secrets: an error page likes to repeat the path that it was
 * asked for.
 */
export const redactWebhookSecrets = (text: string, webhook: Pick<Webhook, 'address' | 'secrets'>): string => {
  const { href, pathname, search, searchParams, hash } = new URL(webhook.address);
  const parts = [...pathname.split('/'), ...searchParams.values()].filter((part) => part.length >= 8);
  const whole = [webhook.address, href, pathname + search + hash, pathname + search];
  const secrets = webhook.secrets.flatMap(({ secret }) => [secret, secret.replace(/^whsec_/, '')]);
  return [...whole, ...secrets, ...parts, ...parts.map(decodePart)]
    .filter((secret) => secret.length > 1)
    .reduce((rest, secret) => rest.replaceAll(secret, ellipsis), text);
};

const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
