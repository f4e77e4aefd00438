import { SettingsError } from '../errors.js';
import { parseCertificates } from '../https/settings.js';

export type RadiusDialect = 'postgresql' | 'mysql';

/** How the database of a FreeRADIUS server is reached, and what its access points can do. */
export interface RadiusSettings {
  readonly dialect: RadiusDialect;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Is the connection encrypted? With a CA, or with those of the system. */
  readonly tls: 'off' | 'system' | 'ca';
  readonly ca: string | undefined;
  /** Do the access points keep rates? */
  readonly hasRates: boolean;
  /** Where access points listen for Disconnect-Requests. */
  readonly disconnectPort: number;
}

/** What holds for what is not given. */
export const radiusDefaults = { tls: 'off', rates: 'yes', disconnectPort: 3799 } as const;

export const radiusSettingNames: readonly string[] = ['url', 'ca', ...Object.keys(radiusDefaults)];

const defaultPorts: Readonly<Record<RadiusDialect, number>> = { postgresql: 5432, mysql: 3306 };

const dialects: Readonly<Record<string, RadiusDialect>> = {
  'postgresql:': 'postgresql',
  'postgres:': 'postgresql',
  'mysql:': 'mysql',
  'mariadb:': 'mysql',
};

export const parseRadiusSettings = (settings: Readonly<Record<string, unknown>>): RadiusSettings => {
  const {
    ca,
    tls = radiusDefaults.tls,
    rates = radiusDefaults.rates,
    disconnectPort = radiusDefaults.disconnectPort,
  } = settings;
  if (tls !== 'off' && tls !== 'system')
    throw new SettingsError('tls', `${String(tls)} is not allowed: off or system`);
  if (rates !== 'yes' && rates !== 'no')
    throw new SettingsError('rates', `${String(rates)} is not allowed: yes or no`);
  if (
    typeof disconnectPort !== 'number' ||
    !Number.isInteger(disconnectPort) ||
    disconnectPort < 1 ||
    disconnectPort > 65_535
  )
    throw new SettingsError('disconnect-port', `${String(disconnectPort)} is not allowed: 1 to 65535`);
  if (settings['fingerprint'] !== undefined)
    throw new SettingsError('trust', 'a database takes a CA, not a fingerprint');
  return {
    ...parseDatabaseAddress(settings['url']),
    tls: ca === undefined ? tls : 'ca',
    ca: ca === undefined ? undefined : parseCertificates(ca),
    hasRates: rates === 'yes',
    disconnectPort,
  };
};

/** Empty for what is not well-formed. */
const decodeName = (encoded: string): string => {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return '';
  }
};

const parseDatabaseAddress = (
  value: unknown,
): Pick<RadiusSettings, 'dialect' | 'host' | 'port' | 'database'> => {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === 'sqlite:' || url?.protocol === 'file:')
    throw new SettingsError(
      'url',
      'SQLite is not supported: FreeRADIUS does not keep limits with it; use PostgreSQL, MySQL or MariaDB',
    );
  const dialect = url && dialects[url.protocol];
  const database = url ? decodeName(url.pathname.slice(1)) : '';
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!url || !dialect || !isPlain || url.hostname === '' || !/^[^/]+$/.test(database))
    throw new SettingsError(
      'url',
      'not allowed: an address without user and password, such as postgresql://192.168.1.5/radius or mysql://192.168.1.5/radius',
    );
  return {
    dialect,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? defaultPorts[dialect] : Number(url.port),
    database,
  };
};
