import { X509Certificate } from 'node:crypto';
import type { ControllerSpec } from '../controller.js';
import { SettingsError } from '../errors.js';

/** How a controller is reached over HTTPS. */
export interface ConnectionSettings {
  /** Without a trailing slash. */
  readonly url: string;
  /** The SHA-256 fingerprint of the only certificate that is trusted: `AB:CD:…`. */
  readonly fingerprint: string | undefined;
  /** Certificates in PEM that are trusted instead of the system's. */
  readonly ca: string | undefined;
  /** The concurrency limit. */
  readonly maxCalls: number;
}

export const defaultMaxCalls = 4;

/** The settings of every kind that is reached over HTTPS. */
export const connectionSettingNames: readonly string[] = ['url', 'fingerprint', 'ca', 'maxCalls'];

export const parseConnectionSettings = (settings: Readonly<Record<string, unknown>>): ConnectionSettings => {
  const { url, fingerprint, ca, maxCalls = defaultMaxCalls } = settings;
  if (typeof maxCalls !== 'number' || !Number.isInteger(maxCalls) || maxCalls < 1 || maxCalls > 64)
    throw new SettingsError('max-calls', `${String(maxCalls)} is not allowed: a whole number from 1 to 64`);
  if (fingerprint !== undefined && ca !== undefined)
    throw new SettingsError('trust', 'a fingerprint and a CA exclude each other');
  return {
    url: parseAddress(url),
    fingerprint: fingerprint === undefined ? undefined : parseFingerprint(fingerprint),
    ca: ca === undefined ? undefined : parseCertificates(ca),
    maxCalls,
  };
};

/** The address of a controller; undefined for a simulated one. */
export const controllerAddressOf = ({ settings }: Pick<ControllerSpec, 'settings'>): string | undefined =>
  typeof settings['url'] === 'string' ? settings['url'] : undefined;

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Where an address leads to. */
export const endpointOf = (address: string): Endpoint => {
  const { hostname, port } = new URL(address);
  // An IPv6 address stands in brackets in a URL.
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? 443 : Number(port) };
};

const parseAddress = (value: unknown): string => {
  const allowed = 'an https address without user, password, query and fragment, such as https://192.168.1.1';
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  // Not quoted when it may hold a password.
  const shown = url && url.username === '' && url.password === '' ? url.href : '…';
  if (!url || url.protocol !== 'https:' || shown === '…' || url.search !== '' || url.hash !== '')
    throw new SettingsError('url', `${shown} is not allowed: ${allowed}`);
  return url.href.replace(/(?<!\/)\/+$/, '');
};

/** `ab12…` and `AB:12:…` are the same fingerprint. */
export const parseFingerprint = (value: unknown): string => {
  const digits = typeof value === 'string' ? value.trim().replaceAll(':', '').toUpperCase() : '';
  if (!/^[0-9A-F]{64}$/.test(digits))
    throw new SettingsError(
      'fingerprint',
      `${String(value)} is not allowed: SHA-256, 64 hexadecimal digits, colons allowed`,
    );
  return (digits.match(/../g) ?? []).join(':');
};

/** Picks the certificates out of a text in PEM, because it may hold a private key too. */
export const pickCertificates = (text: string): string => {
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return found.map((certificate) => `${certificate}\n`).join('');
};

/** Throws `SettingsError` for anything but certificates in PEM. */
export const parseCertificates = (value: unknown): string => {
  try {
    new X509Certificate(String(value));
    return String(value);
  } catch {
    throw new SettingsError('ca-file', 'holds no certificate in PEM');
  }
};
