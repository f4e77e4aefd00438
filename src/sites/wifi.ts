import { Refusal } from '../errors/problem.js';
import type { Secrets } from '../secrets/encryption.js';
import { SecretError, wifiBinding } from '../secrets/encryption.js';
import { KeyFileError } from '../secrets/secretKey.js';

/** `wpa`: WPA2, or WPA2 and WPA3. `sae`: WPA3 only, which older phones can't join. */
export const wifiKinds = ['open', 'wpa', 'sae'] as const;
export type WifiKind = (typeof wifiKinds)[number];

/** What is stored of a site's wireless network, besides its password. */
export interface SiteWifi {
  /** Null where guests are told no network. */
  readonly ssid: string | null;
  readonly wifiKind: WifiKind;
  /** Does the network not announce its name? */
  readonly isWifiHidden: boolean;
}

/** A wireless network as a guest joins it, with its password in clear text: never log it. */
export interface WifiNetwork {
  readonly ssid: string;
  /** Null for an open network, and for a password that the secret key does not open. */
  readonly password: string | null;
  /** What a camera joins it by; null where the password is missing. */
  readonly joinText: string | null;
}

/** 8 to 63 printable characters of ASCII, or a key of 64 hexadecimal digits: IEEE 802.11, annex J.4. */
const passwordPattern = /^(?:[ -~]{8,63}|[0-9A-Fa-f]{64})$/;

/** A password as it is sealed: nothing of it is changed. Throws `Refusal`, which does not have it. */
export const toWifiPassword = (text: string | null): string | null => {
  if (text === null || text === '') return null;
  if (!passwordPattern.test(text))
    throw new Refusal(
      'wifi-password-invalid',
      'the password of a network has 8 to 63 characters of ASCII, or 64 hexadecimal digits',
      'invalid',
    );
  return text;
};

export const sealWifiPassword = (secrets: Pick<Secrets, 'seal'>, siteId: number, password: string): string =>
  secrets.seal(password, wifiBinding(siteId));

const wifiConflicts = ['wifi-name-required', 'wifi-password-required', 'wifi-open'] as const;
/** Why a network can't be as it was asked for. */
export type WifiConflict = (typeof wifiConflicts)[number];

export const isWifiConflict = (outcome: string): outcome is WifiConflict =>
  wifiConflicts.some((conflict) => conflict === outcome);

type StoredWifi = Pick<SiteWifi, 'ssid' | 'wifiKind'> & { readonly sealedWifiPassword: string | null };

/** What kind and password are after a change: a site without a network keeps none. */
export const settleWifi = (
  stored: StoredWifi,
  change: Partial<StoredWifi>,
): Pick<StoredWifi, 'wifiKind' | 'sealedWifiPassword'> | WifiConflict => {
  const ssid = change.ssid === undefined ? stored.ssid : change.ssid;
  const wifiKind = change.wifiKind ?? (ssid === null ? 'open' : stored.wifiKind);
  const sealedWifiPassword =
    change.sealedWifiPassword === undefined ? stored.sealedWifiPassword : change.sealedWifiPassword;
  if (wifiKind === 'open')
    return change.sealedWifiPassword == null ? { wifiKind, sealedWifiPassword: null } : 'wifi-open';
  if (ssid === null) return 'wifi-name-required';
  return sealedWifiPassword === null ? 'wifi-password-required' : { wifiKind, sealedWifiPassword };
};

/** The refusal for each conflict. */
export const refuseWifi = (conflict: WifiConflict): Refusal => {
  switch (conflict) {
    case 'wifi-name-required':
      return new Refusal(conflict, 'a network with a password needs its name, too');
    case 'wifi-password-required':
      return new Refusal(conflict, 'a network of this kind needs a password');
    case 'wifi-open':
      return new Refusal(conflict, 'an open network has no password: choose another kind');
  }
};

const joinTypes: Readonly<Record<WifiKind, string>> = { open: 'nopass', wpa: 'WPA', sae: 'SAE' };

/** Characters that mean something in the text are escaped, as zxing defined it and phones read it. */
const escapeJoinText = (text: string): string => text.replaceAll(/[\\;,:"]/g, '\\$&');

/** What a camera joins a wireless network by. */
export const toWifiJoinText = (
  { ssid, wifiKind, isWifiHidden }: Omit<SiteWifi, 'ssid'> & { readonly ssid: string },
  password: string | null,
): string =>
  [
    `WIFI:T:${joinTypes[wifiKind]};S:${escapeJoinText(ssid)};`,
    ...(password === null ? [] : [`P:${escapeJoinText(password)};`]),
    ...(isWifiHidden ? ['H:true;'] : []),
    ';',
  ].join('');

export const toWifiNetwork = (
  { ssid, ...wifi }: SiteWifi,
  password: string | null,
): WifiNetwork | undefined => {
  if (ssid === null) return undefined;
  const isComplete = wifi.wifiKind === 'open' || password !== null;
  return { ssid, password, joinText: isComplete ? toWifiJoinText({ ssid, ...wifi }, password) : null };
};

/** The networks of sites that have one, by the id of the site. */
export type OpenNetworks = (
  sites: readonly (SiteWifi & { readonly id: number })[],
) => Promise<ReadonlyMap<number, WifiNetwork>>;

interface OpenNetworksDeps {
  readonly sites: { sealedWifiPasswords(ids?: readonly number[]): Promise<ReadonlyMap<number, string>> };
  /** Opens sealed values. Called each time, because the key may have been rotated. */
  secrets(): Secrets;
}

const maxNamedSites = 100;

/**
 * Opens the passwords of networks. A slip without its
 * password is better than none: `doctor` reports a wrong key.
 */
export const makeOpenNetworks =
  ({ sites: table, secrets }: OpenNetworksDeps): OpenNetworks =>
  async (sites) => {
    const hasSealed = sites.some(({ ssid, wifiKind }) => ssid !== null && wifiKind !== 'open');
    // For more, one read of all is cheaper than a list of their ids.
    const ids = sites.length <= maxNamedSites ? sites.map(({ id }) => id) : undefined;
    const sealed = hasSealed ? await table.sealedWifiPasswords(ids) : new Map<number, string>();
    const open = hasSealed ? openOrNull(secrets) : () => null;
    const networks = new Map<number, WifiNetwork>();
    for (const site of sites) {
      const network = toWifiNetwork(site, open(site.id, sealed.get(site.id)));
      if (network) networks.set(site.id, network);
    }
    return networks;
  };

const openOrNull = (secrets: () => Secrets) => {
  const attempt = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      if (error instanceof SecretError || error instanceof KeyFileError) return null;
      throw error;
    }
  };
  const opened = attempt(secrets);
  return (siteId: number, sealed: string | undefined): string | null =>
    sealed === undefined || !opened ? null : attempt(() => opened.open(sealed, wifiBinding(siteId)));
};
