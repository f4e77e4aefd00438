import { randomBytes, randomUUID } from 'node:crypto';
import type { Certificate } from '../certificate.js';

/** UniFi OS (consoles, UniFi OS Server) or the Network application on its own. */
export type ConsoleVariant = 'unifi-os' | 'self-hosted';

/** Where UniFi OS sends the CSRF token. A self-hosted console uses a cookie, after a login with `strict`. */
export type CsrfTransport = 'header' | 'updated-header' | 'jwt' | 'none';

export interface ConsoleOptions {
  /** Default: `unifi-os`. */
  readonly variant?: ConsoleVariant;
  readonly host?: string;
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Default: one site `default`, named Default. */
  readonly sites?: readonly { readonly reference: string; readonly name: string }[];
  /** Below 9.1.120 the Integration API has no vouchers; below 10.0.162 its errors have no `code`. */
  readonly version?: string;
  readonly apiKey?: string;
  readonly cloudApiKey?: string;
  readonly username?: string;
  readonly password?: string;
  /** The console's id in the path of the cloud connector. */
  readonly consoleId?: string;
  /** The account requires a second factor, which is `123456`. */
  readonly twoFactor?: boolean;
  /** Account and keys are read-only. */
  readonly readOnly?: boolean;
  readonly sessionTtlMs?: number;
  /** Logins per minute on UniFi OS, successful ones included. */
  readonly loginLimit?: number;
  readonly csrf?: CsrfTransport;
  /** Old firmware: 401 `{"errors":[…]}` for bad credentials, LoginRequired with status 200. */
  readonly legacyErrors?: boolean;
  /** What the Integration API replies when the voucher to delete does not exist. */
  readonly unknownDelete?: 'not-found' | 'zero';
  /** The largest page; a larger `limit` is reduced to it. Default: 1000 vouchers and 200 sites. */
  readonly maxPage?: number;
  /** How long the classic API hides what was just created. */
  readonly hideNewMs?: number;
  /** How much of a note the classic API stores. Default: all of it. */
  readonly keepNote?: (note: string) => string;
  readonly clock?: () => number;
  /** Default: a self-signed one. */
  readonly certificate?: Certificate;
  /** Every API call is redirected to this address. */
  readonly redirect?: string;
}

/** The options with all defaults applied. */
export interface ConsoleSettings extends Required<
  Omit<ConsoleOptions, 'maxPage' | 'redirect' | 'certificate'>
> {
  readonly maxVouchers: number;
  readonly maxSites: number;
  readonly redirect: string | undefined;
}

const secret = (): string => randomBytes(24).toString('base64url');

export const resolveSettings = (options: ConsoleOptions): ConsoleSettings => ({
  variant: options.variant ?? 'unifi-os',
  host: options.host ?? '127.0.0.1',
  port: options.port ?? 0,
  sites: options.sites ?? [{ reference: 'default', name: 'Default' }],
  version: options.version ?? '10.5.66',
  apiKey: options.apiKey ?? secret(),
  cloudApiKey: options.cloudApiKey ?? secret(),
  username: options.username ?? 'voucherd',
  password: options.password ?? secret(),
  consoleId:
    options.consoleId ?? `${randomBytes(26).toString('hex').toUpperCase()}:${randomUUID().slice(0, 8)}`,
  twoFactor: options.twoFactor ?? false,
  readOnly: options.readOnly ?? false,
  sessionTtlMs: options.sessionTtlMs ?? 7_200_000,
  loginLimit: options.loginLimit ?? 5,
  csrf: options.csrf ?? 'header',
  legacyErrors: options.legacyErrors ?? false,
  unknownDelete: options.unknownDelete ?? 'not-found',
  maxVouchers: options.maxPage ?? 1000,
  maxSites: options.maxPage ?? 200,
  hideNewMs: options.hideNewMs ?? 0,
  keepNote: options.keepNote ?? ((note) => note),
  clock: options.clock ?? Date.now,
  redirect: options.redirect,
});

/** Whether a version, `10.0.162`, is at least another one. */
export const isVersionAtLeast = (version: string, least: string): boolean => {
  const wanted = least.split('.').map(Number);
  const has = version.split('.').map(Number);
  for (const [index, number] of wanted.entries()) {
    const difference = (has[index] ?? 0) - number;
    if (difference !== 0) return difference > 0;
  }
  return true;
};
