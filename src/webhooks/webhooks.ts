import { webhookBinding, type Secrets } from '../secrets/encryption.js';
import type { NewWebhook, StoredWebhook } from './webhookTable.js';
import { isPageLanguage, pageLanguages, type PageLanguage } from '../i18n/language.js';
import { formatNames, type FormatName, isFormatName } from './formats/format.js';
import { CodedError } from '../errors/codedError.js';

/** A secret that signs messages. */
interface SigningSecret {
  readonly secret: string;
  /** When an older secret stops signing; null for the current one. */
  readonly until: number | null;
}

/** A webhook with its address and secrets in clear text: never show or log it as a whole. */
export interface Webhook {
  readonly id: number;
  readonly name: string;
  readonly format: FormatName;
  readonly language: PageLanguage;
  readonly address: string;
  /** Empty for formats that do not sign. */
  readonly secrets: readonly SigningSecret[];
  readonly active: boolean;
  /** Why it was switched off, if an answer of its target caused that. */
  readonly reason: StoredWebhook['reason'];
}

/** A stored webhook that cannot be used. The message names it. */
export class WebhookError extends CodedError<'format' | 'language' | 'address' | 'secrets'> {
  override readonly name = 'WebhookError';
}

/** Does this format sign its messages? */
export const isSigningFormat = (format: FormatName): boolean => format === 'generic';

/** Opens a stored webhook. Throws `WebhookError` for invalid values, `SecretError` for a wrong key. */
export const openWebhook = (stored: StoredWebhook, secrets: Secrets): Webhook => {
  const { id, name, format, language, active, reason } = stored;
  const fail = (code: WebhookError['code'], what: string): never => {
    throw new WebhookError(code, `webhook "${name}" can not be used: ${what}`);
  };
  if (!isFormatName(format))
    return fail('format', `its format "${format}" is not one of ${formatNames.join(', ')}`);
  if (!isPageLanguage(language))
    return fail('language', `its language "${language}" is not one of ${pageLanguages.join(', ')}`);
  const address = secrets.open(stored.sealedAddress, webhookBinding(id, 'address'));
  if (!URL.canParse(address)) return fail('address', 'its address is not a valid URL');
  const signing =
    stored.sealedSecrets === null
      ? []
      : parseSigningSecrets(secrets.open(stored.sealedSecrets, webhookBinding(id, 'secrets')));
  if (!signing || (isSigningFormat(format) && !signing.some(({ until }) => until === null)))
    return fail('secrets', 'it has nothing to sign with');
  return { id, name, format, language, address, secrets: signing, active, reason };
};

const parseSigningSecrets = (text: string): SigningSecret[] | undefined => {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every(isSigningSecret) ? parsed : undefined;
  } catch {
    // The error is dropped: its message would repeat part of the secret.
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

/** The values of a new webhook. */
export interface WebhookInput
  extends Pick<Webhook, 'name' | 'format' | 'language' | 'address'>, Pick<NewWebhook, 'reportsControllers'> {
  /** Only for formats that sign. */
  readonly secret: string | undefined;
}

/** Seals a new webhook, to be stored. */
export const sealWebhook = (input: WebhookInput, secrets: Secrets, now: number): NewWebhook => {
  const { name, format, language, address, secret, reportsControllers } = input;
  return {
    name,
    format,
    language,
    ...(reportsControllers !== undefined && { reportsControllers }),
    sealedAddress: (id) => secrets.seal(address, webhookBinding(id, 'address')),
    sealedSecrets:
      secret === undefined ? null : (id) => sealSigningSecrets(id, [{ secret, until: null }], secrets),
    createdAt: now,
  };
};

/** Seals the signing secrets of a webhook for its row. */
export const sealSigningSecrets = (id: number, signing: readonly SigningSecret[], secrets: Secrets): string =>
  secrets.seal(JSON.stringify(signing), webhookBinding(id, 'secrets'));

/** The secrets that sign now: the current one first, then older ones until their overlap ends. */
export const activeSigningSecrets = ({ secrets }: Pick<Webhook, 'secrets'>, now: number): string[] =>
  [
    ...secrets.filter(({ until }) => until === null),
    ...secrets.filter(({ until }) => until !== null && until > now),
  ].map(({ secret }) => secret);

/** Adds a new current secret. Older ones keep signing for the overlap, but never longer than before. */
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
/** In a shorter text, the last characters would reveal too much. */
const minMaskedLength = 12;
const ellipsis = '…';

/**
 * An address as it may be shown: `https://hooks.slack.com/…Ab3x`.
 * Anybody who knows the rest could send messages.
 */
export const maskWebhookAddress = (address: string): string => {
  const { protocol, host, pathname, search } = new URL(address);
  const rest = pathname + search;
  return `${protocol}//${host}/${ellipsis}${rest.length >= minMaskedLength ? rest.slice(-shownCharacters) : ''}`;
};

/**
 * Removes this webhook's address and secrets from a target's answer:
 * error pages often repeat the requested path.
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
