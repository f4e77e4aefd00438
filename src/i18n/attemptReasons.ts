import { fillTemplate } from '../lib/problem.js';
import type { Texts } from './language.js';

/** Addresses that are not public, and what the pages call them in German. */
const addressKinds = {
  'an unspecified address': 'eine unbestimmte Adresse',
  'a loopback address': 'eine Adresse dieses Rechners selbst',
  'a private address': 'eine private Adresse',
  'a link-local address': 'eine Adresse nur für das lokale Netz',
  "an address inside a provider's network": 'eine Adresse im Netz eines Anbieters',
  "an address inside a cloud's network": 'eine Adresse im Netz einer Cloud',
  'an address for documentation': 'eine Adresse für Beispiele',
  'an address for benchmarks': 'eine Adresse für Messungen',
  'a multicast address': 'eine Multicast-Adresse',
  'a reserved address': 'eine reservierte Adresse',
  'an IPv4 address inside IPv6': 'eine IPv4-Adresse in IPv6',
  'this machine': 'dieser Rechner',
  'no address': 'keine Adresse',
} as const;

export type AddressKind = keyof typeof addressKinds;

const remedy: Texts = {
  en: 'list it in WEBHOOK_ALLOW_PRIVATE to allow it',
  de: 'wer sie erlauben will, nennt sie in WEBHOOK_ALLOW_PRIVATE',
};

/** Why an attempt fails. The English text is stored, logged and printed; the pages show either. */
const templates = {
  redirected: {
    en: 'answered {status}, a redirect',
    de: 'hat mit {status} geantwortet, einer Weiterleitung',
  },
  answered: { en: 'answered {status}', de: 'hat mit {status} geantwortet' },
  'answered-code': { en: 'answered {status} ({code})', de: 'hat mit {status} geantwortet ({code})' },
  throttled: { en: 'throttled (429)', de: 'nimmt gerade nicht mehr an (429)' },
  refused: { en: 'connection refused', de: 'Verbindung abgelehnt' },
  reset: { en: 'connection reset', de: 'Verbindung abgebrochen' },
  'unknown-host': { en: 'name not found', de: 'den Namen gibt es nicht' },
  'name-service': { en: 'name server without an answer', de: 'der Namensdienst antwortet nicht' },
  unreachable: { en: 'host not reachable', de: 'nicht erreichbar' },
  'no-connection': { en: 'no connection', de: 'keine Verbindung' },
  'no-http': { en: 'the answer is not HTTP', de: 'die Antwort ist kein HTTP' },
  tls: { en: 'TLS failed: {code}', de: 'TLS ist gescheitert: {code}' },
  certificate: { en: 'certificate not trusted: {code}', de: 'dem Zertifikat ist nicht zu trauen: {code}' },
  timeout: { en: 'no answer within {seconds} s', de: 'keine Antwort innerhalb von {seconds} s' },
  other: { en: 'request failed', de: 'die Anfrage ist gescheitert' },
  'address-internal': { en: `{host} is {kind}; ${remedy.en}`, de: `{host} ist {kind}; ${remedy.de}` },
  'name-internal': {
    en: `{host} resolves to {address}, {kind}; ${remedy.en}`,
    de: `{host} führt zu {address}, das ist {kind}; ${remedy.de}`,
  },
  'address-malformed': {
    en: 'not an address of the form https://host/path',
    de: 'keine Adresse der Form https://host/pfad',
  },
  'address-protocol': {
    en: 'only https:// and http:// are allowed',
    de: 'nur https:// und http:// sind erlaubt',
  },
  'address-credentials': {
    en: 'a user name or password in the address is not allowed',
    de: 'Benutzername oder Passwort in der Adresse sind nicht erlaubt',
  },
} as const satisfies Readonly<Record<string, Texts>>;

export type AttemptReason = keyof typeof templates;

/** The reason as it is stored. */
export const formatReason = (
  reason: AttemptReason,
  values: Readonly<Record<string, string | number>> & { readonly kind?: AddressKind } = {},
): string =>
  fillTemplate(
    templates[reason].en,
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
  );

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const patterns = Object.values(templates).map(({ en, de }) => ({
  de,
  pattern: new RegExp(
    `^${en
      .split(/\{(\w+)\}/)
      .map((part, index) =>
        index % 2 === 0 ? escapePattern(part) : `(?<${part}>${part === 'kind' ? '[^;]+' : '[^\\s;,]+'})`,
      )
      .join('')}$`,
  ),
}));

const isAddressKind = (text: string): text is AddressKind => Object.hasOwn(addressKinds, text);

/** A stored reason in both languages; one of an earlier version that is not known any more as it is. */
export const describeReason = (reason: string): Texts => {
  for (const { de, pattern } of patterns) {
    const match = pattern.exec(reason);
    if (!match) continue;
    const values = match.groups ?? {};
    const { kind } = values;
    const translated = kind !== undefined && isAddressKind(kind) ? { kind: addressKinds[kind] } : {};
    return { de: fillTemplate(de, { ...values, ...translated }), en: reason };
  }
  return { de: reason, en: reason };
};
