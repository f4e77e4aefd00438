import type { ControllerCredentials, ControllerSpec } from './controller.js';
import { SettingsError, type SettingName } from './errors.js';
import { parseConnectionSettings } from './https/settings.js';
import { parseMikrotikSettings } from './mikrotik/settings.js';
import { parseRadiusSettings } from './radiusSql/settings.js';
import { parseSimulatedSettings } from './simulated/settings.js';

/** What a credential is, and where to find it. */
export interface CredentialText {
  readonly what: string;
  readonly hint?: string;
}

interface ControllerKind {
  /** The secrets that `controller add` asks for, by their names in `credentials`, and what each is. */
  readonly credentials: Readonly<Record<string, CredentialText>>;
  /** Throws `SettingsError` on settings that can't be used. */
  check(settings: Readonly<Record<string, unknown>>): unknown;
}

/** What each kind needs. The adapters are in the registry, so that options and help texts do not load them. */
const kinds = {
  simulated: { credentials: {}, check: parseSimulatedSettings },
  unifi: {
    credentials: {
      apiKey: {
        what: 'API key',
        hint: 'made in UniFi Network under Settings, Control Plane, Integrations; for the cloud in Site Manager',
      },
    },
    check: parseConnectionSettings,
  },
  'unifi-classic': {
    credentials: {
      username: { what: 'name of a local account on the controller', hint: 'without a second factor' },
      password: { what: 'password of that account' },
    },
    check: parseConnectionSettings,
  },
  'radius-sql': {
    credentials: {
      username: { what: 'name of a user of the database' },
      password: { what: 'password of that user' },
    },
    check: parseRadiusSettings,
  },
  omada: {
    credentials: {
      clientId: {
        what: 'client ID of an application in client mode',
        hint: 'made in Omada under Settings, Platform Integration, Open API',
      },
      clientSecret: { what: 'client secret of that application' },
    },
    check: parseConnectionSettings,
  },
  mikrotik: {
    credentials: {
      username: {
        what: 'name of a user of the router',
        hint: 'whose group may read, write and use the REST API (policies read, write, rest-api)',
      },
      password: { what: 'password of that user' },
    },
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

/** Throws `SettingsError` on a kind or on settings that can't be used. */
export const checkControllerSettings = ({
  kind,
  settings,
}: Pick<ControllerSpec, 'kind' | 'settings'>): void => {
  kinds[parseControllerKind(kind)].check(settings);
};

/** Throws `SettingsError` on credentials that a kind can't use: one is missing, or belongs to another kind. */
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
