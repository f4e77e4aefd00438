import type { ControllerCredentials, ControllerSpec } from './controller.js';
import { SettingsError, type SettingName } from './errors.js';
import {
  connectionSettingNames,
  endpointOf,
  parseConnectionSettings,
  type Endpoint,
} from './https/settings.js';
import { mikrotikSettingNames, parseMikrotikSettings } from './mikrotik/settings.js';
import { parseRadiusSettings, radiusDefaults, radiusSettingNames } from './radiusSql/settings.js';
import { parseSimulatedSettings, simulatedSettingNames } from './simulated/settings.js';

/** What a credential is, and where to find it. */
export interface CredentialText {
  readonly what: string;
  readonly hint?: string;
}

type Settings = ControllerSpec['settings'];

/** What a kind needs, and what others may ask of it, so that nobody else asks for its name. */
interface ControllerKind {
  /**
   * How it is reached: HTTPS shows a certificate, a database has a protocol of its own,
   * and a simulated one has no address.
   */
  readonly connection: 'https' | 'database' | 'none';
  /** The secrets that `controller add` asks for, by their names in `credentials`, and what each is. */
  readonly credentials: Readonly<Record<string, CredentialText>>;
  /** The settings that it may have. */
  readonly settings: readonly string[];
  /** Throws `SettingsError` on settings that can't be used. */
  check(settings: Settings): unknown;
  /** Where its address leads to. Throws `SettingsError`. */
  endpoint?(settings: Settings): Endpoint;
  /**
   * Is the connection encrypted where nothing is pinned and
   * no CA is given? It is, unless a kind says otherwise.
   */
  isEncrypted?(settings: Settings): boolean;
}

/** Kinds that are reached over HTTPS, with no settings of their own. */
const overHttps = {
  connection: 'https',
  settings: connectionSettingNames,
  check: parseConnectionSettings,
  endpoint: (settings: Settings) => endpointOf(parseConnectionSettings(settings).url),
} as const;

/**
 * What each kind needs. The adapters are in the registry, so that options and help texts do not load them.
 */
const kinds = {
  simulated: {
    connection: 'none',
    credentials: {},
    settings: simulatedSettingNames,
    check: parseSimulatedSettings,
  },
  unifi: {
    ...overHttps,
    credentials: {
      apiKey: {
        what: 'API key',
        hint: 'made in UniFi Network under Settings, Control Plane, Integrations; for the cloud in Site Manager',
      },
    },
  },
  'unifi-classic': {
    ...overHttps,
    credentials: {
      username: { what: 'name of a local account on the controller', hint: 'without a second factor' },
      password: { what: 'password of that account' },
    },
  },
  'radius-sql': {
    connection: 'database',
    credentials: {
      username: { what: 'name of a user of the database' },
      password: { what: 'password of that user' },
    },
    settings: radiusSettingNames,
    check: parseRadiusSettings,
    endpoint: parseRadiusSettings,
    isEncrypted: ({ tls = radiusDefaults.tls }) => tls !== 'off',
  },
  omada: {
    ...overHttps,
    credentials: {
      clientId: {
        what: 'client ID of an application in client mode',
        hint: 'made in Omada under Settings, Platform Integration, Open API',
      },
      clientSecret: { what: 'client secret of that application' },
    },
  },
  mikrotik: {
    ...overHttps,
    credentials: {
      username: {
        what: 'name of a user of the router',
        hint: 'whose group may read, write and use the REST API (policies read, write, rest-api)',
      },
      password: { what: 'password of that user' },
    },
    settings: mikrotikSettingNames,
    check: parseMikrotikSettings,
  },
} satisfies Readonly<Record<string, ControllerKind>>;

export type ControllerKindName = keyof typeof kinds;

export const controllerKinds = Object.keys(kinds);

/** The kind with this name. Throws `SettingsError` for an unknown name. */
export const parseControllerKind = (name: string): ControllerKindName => {
  if (Object.hasOwn(kinds, name)) return name as ControllerKindName;
  throw new SettingsError('kind', `${name} is not allowed: one of ${controllerKinds.join(', ')}`);
};

/** Undefined for a kind that only a later version knows. */
const findKind = (name: string): ControllerKind | undefined =>
  Object.hasOwn(kinds, name) ? kinds[name as ControllerKindName] : undefined;

/** Does it only stand in for a controller, as for a demo? It has no address and no sites of its own. */
export const isSimulatedKind = (kind: string): boolean => findKind(kind)?.connection === 'none';

/** Is it a database, which shows no certificate before it is spoken to? */
export const isDatabaseKind = (kind: string): boolean => findKind(kind)?.connection === 'database';

/** The settings that a kind may have. */
export const settingNamesOf = (kind: string): readonly string[] => findKind(kind)?.settings ?? [];

/** Where the address of a controller leads to; undefined for one without. */
export const controllerEndpointOf = ({
  kind,
  settings,
}: Pick<ControllerSpec, 'kind' | 'settings'>): Endpoint | undefined => findKind(kind)?.endpoint?.(settings);

/** What decides which certificates the connections to a controller trust; `none`: they are not encrypted. */
export type ControllerTrust = 'none' | 'system' | 'pinned' | 'own CA';

export const controllerTrustOf = ({
  kind,
  settings,
}: Pick<ControllerSpec, 'kind' | 'settings'>): ControllerTrust => {
  if (settings['fingerprint'] !== undefined) return 'pinned';
  if (settings['ca'] !== undefined) return 'own CA';
  return findKind(kind)?.isEncrypted?.(settings) === false ? 'none' : 'system';
};

/** Throws `SettingsError` on a kind or on settings that can't be used. */
export const checkControllerSettings = ({
  kind,
  settings,
}: Pick<ControllerSpec, 'kind' | 'settings'>): void => {
  kinds[parseControllerKind(kind)].check(settings);
};

/**
 * Throws `SettingsError` on credentials that a kind can't use: one is missing, or belongs to another kind.
 */
export const checkControllerCredentials = (kind: string, credentials: ControllerCredentials): void => {
  const required = requiredCredentials(kind);
  for (const name of Object.keys(required))
    if (!credentials[name]) throw new SettingsError(settingOf(name), 'is missing');
  const other = Object.keys(credentials).find((name) => !Object.hasOwn(required, name));
  if (other !== undefined)
    throw new SettingsError(settingOf(other), `a controller of the kind ${kind} does not take it`);
  if (credentials['apiKey'] !== undefined) parseApiKey(credentials);
};

const credentialSettings: Readonly<Record<string, SettingName>> = {
  apiKey: 'api-key',
  username: 'username',
  password: 'password',
  clientId: 'client-id',
  clientSecret: 'client-secret',
};

const settingOf = (credential: string): SettingName => credentialSettings[credential] ?? 'credentials';

/** A pasted key may end with a line break, which no header can carry. */
export const parseApiKey = ({ apiKey = '' }: ControllerCredentials): string => {
  const key = apiKey.trim();
  if (key === '') throw new SettingsError('api-key', 'is missing');
  if (!/^[\x21-\x7e]+$/.test(key)) throw new SettingsError('api-key', 'holds characters that no key has');
  return key;
};

/** `apiKey` becomes `api-key`. */
export const toOptionName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (upper) => `-${upper.toLowerCase()}`);

/** The secrets that a kind needs, by name, and what each is. */
export const requiredCredentials = (kind: string): ControllerKind['credentials'] =>
  kinds[parseControllerKind(kind)].credentials;
