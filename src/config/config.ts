import { accessSync, constants, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { isAddressOrNetwork, parseAddressList, unixPeer } from '../lib/addresses.js';
import { parseBasePath } from '../lib/basePath.js';
import { parsePostgresUrl, PostgresUrlError } from '../database/postgresUrl.js';
import { ConfigError, refuseSetting as refuse } from './configError.js';
import { readMail, type MailEnvironment } from './mailEnvironment.js';
import { readSms, type SmsEnvironment } from './smsEnvironment.js';
import { readInheritedSocket, readUnixSocket, type UnixSocketConfig } from './listenAddress.js';
import { readRetention, type RetentionConfig } from './retention.js';
import { withSecretFiles } from './secretFiles.js';
import { choiceSettings, numberSettings } from './settings.js';
import { readSingleSignOn, type SingleSignOnSettings } from './singleSignOnEnvironment.js';
import { explainFolderError } from '../lib/folders.js';
import { makePrivateFolder } from '../lib/privateFiles.js';
import { SocketPathError } from '../lib/socketPathError.js';
import { parseSecretKey, secretKeyFormat } from '../secrets/secretKey.js';

/** Everything that an operator sets, validated. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** The Unix socket that `host` names; undefined when it is an address. */
  readonly unixSocket: UnixSocketConfig | undefined;
  /** The descriptor of a socket from systemd, which comes before `host` and `port`. */
  readonly inheritedSocket: number | undefined;
  /** The path that everything is below: empty, or `/wifi`. */
  readonly basePath: string;
  /** Where people reach the service, with its path, for links; undefined when that is where it listens. */
  readonly publicUrl: string | undefined;
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** How many connections to PostgreSQL this process opens at most. */
  readonly databasePoolMax: number;
  /**
   * How long a statement may take; on SQLite one that reads.
   * On PostgreSQL also how long opening a connection may take.
   */
  readonly databaseTimeoutMs: number;
  /** Seals what is secret in the database; without it, a file in `dataDir` holds the key. */
  readonly secretKey: Buffer | undefined;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly trustProxy: readonly string[];
  /** Private and loopback addresses and networks that webhooks may use anyway. */
  readonly webhookAllowPrivate: readonly string[];
  readonly logLevel: string;
  readonly metricsToken: string | undefined;
  /** How many requests of operations may be in flight; more are refused at once. */
  readonly maxRequestsInFlight: number;
  /** How long a graceful shutdown may take before the process exits anyway. */
  readonly stopDeadlineMs: number;
  /** How long a connection without a request stays open. */
  readonly keepAliveTimeoutMs: number;
  readonly maxConnections: number;
  /** How many connections may wait to be accepted, as far as the kernel permits it. */
  readonly listenBacklog: number;
  readonly controllerDeadlineMs: number;
  readonly reconcileIntervalMs: number;
  readonly reconcileGraceMs: number;
  /** How often vouchers are compared with their controllers; 0 is never. */
  readonly syncIntervalMs: number;
  /** How many days entries of the audit log are kept. */
  readonly auditDays: number;
  /** For how many days other records are kept. */
  readonly retention: RetentionConfig;
  /**
   * What the environment says of the OpenID Connect provider
   * where people may sign in; the web UI may say the rest.
   */
  readonly singleSignOn: SingleSignOnSettings;
  /** What the environment says of the mail server; the web UI may say the rest. */
  readonly mail: MailEnvironment;
  /** The SMS provider that the environment sets; undefined when the web UI may set one. */
  readonly sms: SmsEnvironment | undefined;
  /** Is a reply that the contract does not document refused, rather than only counted? */
  readonly strictReplies: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment. Throws `ConfigError` on the first value that is not allowed. */
export const readConfig = (env: Environment): Config => withSecretFiles(env, readSettings);

const readSettings = (env: Environment): Config => {
  assertTimeZone(env['TZ']);
  const dataDir = resolve(readText(env, 'DATA_DIR', './data'));
  return Object.freeze({
    host: readText(env, 'HOST', '127.0.0.1'),
    port: readInteger(env, 'PORT'),
    unixSocket: readUnixSocket(env, readText(env, 'HOST', '')),
    inheritedSocket: readInheritedSocket(env),
    basePath: basePath(env),
    publicUrl: publicUrl(env),
    dataDir,
    databaseUrl: databaseUrl(env, dataDir),
    databasePoolMax: readInteger(env, 'DATABASE_POOL_MAX'),
    databaseTimeoutMs: readInteger(env, 'DATABASE_TIMEOUT_S') * 1000,
    secretKey: secretKey(env),
    tls: readTls(env),
    trustProxy: addresses(env, 'TRUST_PROXY', [unixPeer]),
    webhookAllowPrivate: addresses(env, 'WEBHOOK_ALLOW_PRIVATE'),
    logLevel: readChoice(env, 'LOG_LEVEL'),
    metricsToken: env['METRICS_TOKEN'] || undefined,
    maxRequestsInFlight: readInteger(env, 'MAX_REQUESTS_IN_FLIGHT'),
    stopDeadlineMs: readInteger(env, 'STOP_DEADLINE_S') * 1000,
    keepAliveTimeoutMs: readInteger(env, 'KEEP_ALIVE_TIMEOUT_S') * 1000,
    maxConnections: readInteger(env, 'MAX_CONNECTIONS'),
    listenBacklog: readInteger(env, 'LISTEN_BACKLOG'),
    controllerDeadlineMs: readInteger(env, 'CONTROLLER_DEADLINE_S') * 1000,
    reconcileIntervalMs: readInteger(env, 'RECONCILE_INTERVAL_S') * 1000,
    reconcileGraceMs: readInteger(env, 'RECONCILE_GRACE_S') * 1000,
    syncIntervalMs: readInteger(env, 'SYNC_INTERVAL_S') * 1000,
    auditDays: readInteger(env, 'AUDIT_DAYS'),
    retention: readRetention(env),
    singleSignOn: readSingleSignOn(env),
    mail: readMail(env),
    sms: readSms(env),
    strictReplies: ['development', 'test'].includes(env['NODE_ENV'] ?? ''),
  });
};

/** Makes the folder of the data, or says that it can not be one. */
export const makeDataDir = ({ dataDir }: Config): void => {
  try {
    makePrivateFolder(dataDir);
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    refuse(
      'DATA_DIR',
      dataDir,
      `a folder that this user can make and write to; ${explainFolderError(error, dataDir)}`,
    );
  }
};

/** What a failure to listen says of the settings. */
export const explainListenError = (
  error: NodeJS.ErrnoException,
  { host, port, unixSocket }: Pick<Config, 'host' | 'port'> & Partial<Pick<Config, 'unixSocket'>>,
  /** How the port was given. */
  portName = 'PORT',
): Error => {
  if (unixSocket) return explainSocketError(error, host);
  const place = `"${host}" port ${String(port)}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigError(
        'address-in-use',
        `${portName}: ${place} is in use: another program listens on ${String(port)}; choose a free one`,
      );
    case 'EACCES':
      return new ConfigError(
        'address-forbidden',
        `${portName}: ${place} is not allowed: this user may not listen there; take one from 1024 on`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(
        'address-unknown',
        `HOST: "${host}" is not allowed: an address of this machine, 0.0.0.0 for all of them, or the whole path of a Unix socket`,
      );
    default:
      return error;
  }
};

const explainSocketError = (error: NodeJS.ErrnoException, host: string): Error => {
  if (error instanceof SocketPathError)
    return new ConfigError(
      error.code === 'in-use' ? 'address-in-use' : 'socket-path',
      error.code === 'in-use'
        ? `HOST: "${host}" is in use: another program listens there`
        : `HOST: "${host}" is not allowed: there is a file that is no socket`,
    );
  return ['EACCES', 'ENOENT', 'ENOTDIR', 'EROFS', 'EPERM'].includes(error.code ?? '')
    ? new ConfigError(
        'socket-path',
        `HOST: "${host}" is not allowed: a path in a folder that exists and that this user can write to`,
      )
    : error;
};

const readText = (env: Environment, name: string, standard: string): string => env[name] || standard;

const readInteger = (env: Environment, name: keyof typeof numberSettings): number => {
  const { standard, bounds } = numberSettings[name];
  const [from, to] = bounds;
  const value = readText(env, name, String(standard));
  const number = Number(value);
  return /^\d+$/.test(value) && number >= from && number <= to
    ? number
    : refuse(name, value, `a whole number from ${String(from)} to ${String(to)}`);
};

const readChoice = (env: Environment, name: keyof typeof choiceSettings): string => {
  const { standard, words } = choiceSettings[name];
  const value = readText(env, name, standard);
  return words.includes(value) ? value : refuse(name, value, `one of ${words.join(', ')}`);
};

const basePath = (env: Environment): string => {
  const value = readText(env, 'BASE_PATH', '');
  return parseBasePath(value) ?? refuse('BASE_PATH', value, 'empty, or a path such as /wifi');
};

const publicUrl = (env: Environment): string | undefined => {
  const value = env['PUBLIC_URL'];
  if (!value) return undefined;
  const refuseUrl = (allowed: string): never =>
    refuse('PUBLIC_URL', value.includes('@') ? '…' : value, allowed);
  const { protocol, origin, pathname, href } = URL.canParse(value) ? new URL(value) : { protocol: '' };
  const path = parseBasePath(pathname ?? '');
  // Anything beside scheme, host, port and path would be lost, or be a secret in every link.
  if (!/^https?:$/.test(protocol) || path === undefined || href !== `${String(origin)}${String(pathname)}`)
    return refuseUrl('https://<host>, perhaps with a port and a path, and nothing else');
  const base = basePath(env);
  if (path === '') return `${String(origin)}${base}`;
  return path.endsWith(base)
    ? `${String(origin)}${path}`
    : refuseUrl(`an address whose path ends with ${base}, because BASE_PATH is set`);
};

const databaseUrl = (env: Environment, dataDir: string): string => {
  const value = readText(env, 'DATABASE_URL', `sqlite:${resolve(dataDir, 'voucherd.sqlite')}`);
  if (/^sqlite:.+/.test(value)) return value;
  try {
    parsePostgresUrl(value);
    return value;
  } catch (error) {
    if (!(error instanceof PostgresUrlError)) throw error;
    // The value may hold a password.
    const shown = `${value.slice(0, value.indexOf(':') + 1)}…`;
    return refuse('DATABASE_URL', shown, `sqlite:<file> or ${error.message}`);
  }
};

const secretKey = (env: Environment): Buffer | undefined => {
  const value = env['SECRET_KEY'];
  if (!value) return undefined;
  // The value is a secret even when it is a wrong one.
  return parseSecretKey(value) ?? refuse('SECRET_KEY', '…', secretKeyFormat);
};

const addresses = (env: Environment, name: string, words: readonly string[] = []): string[] => {
  const entries = parseAddressList(readText(env, name, ''));
  const wrong = entries.find((entry) => !isAddressOrNetwork(entry) && !words.includes(entry));
  return wrong === undefined
    ? entries
    : refuse(name, wrong, 'addresses or networks, separated by commas, such as 127.0.0.1,10.0.0.0/8');
};

/**
 * Reads the files of `TLS_CERT_FILE` and `TLS_KEY_FILE`;
 * undefined when they are not set. Throws `ConfigError`.
 */
export const readTls = (env: Environment): Config['tls'] => {
  const [cert, key] = [env['TLS_CERT_FILE'], env['TLS_KEY_FILE']];
  if (!cert && !key) return undefined;
  if (!cert) return refuse('TLS_CERT_FILE', '', 'a file, because TLS_KEY_FILE is set');
  if (!key) return refuse('TLS_KEY_FILE', '', 'a file, because TLS_CERT_FILE is set');
  const pair = { cert: readFileSetting('TLS_CERT_FILE', cert), key: readFileSetting('TLS_KEY_FILE', key) };
  try {
    createSecureContext(pair);
  } catch {
    refuse('TLS_CERT_FILE', cert, `a certificate in PEM that fits the key in ${key}`);
  }
  return pair;
};

const readFileSetting = (name: string, file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch {
    return refuse(name, file, 'a file that can be read');
  }
};

/**
 * The names of three letters that the time zone database has. JavaScript knows more of them, such as `PST`.
 */
const shortNames = /^(CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)$/;
const longNames = /^[A-Z][\w+-]*(\/[A-Z][\w+-]*)*$/;

/**
 * With another name than those of the time zone database,
 * vouchers would be dated in UTC. Upper and lower case count.
 */
const assertTimeZone = (given: string | undefined): void => {
  if (!given) return;
  // A colon is how POSIX marks a name.
  const zone = given.replace(/^:/, '');
  const known = (zone.length === 3 ? shortNames : longNames).test(zone) ? canonicalName(zone) : undefined;
  const differsInCase = known !== zone && known?.toLowerCase() === zone.toLowerCase();
  if (known === undefined || differsInCase)
    refuse('TZ', given, 'a name of the time zone database, such as Europe/Berlin');
};

const canonicalName = (zone: string): string | undefined => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
};
