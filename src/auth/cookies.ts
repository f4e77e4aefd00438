import type { RequestClient } from '../contract/runtime/request.js';
import { knownBrowserMs } from './knownBrowsers.js';
import { maxSessionAgeMs, type Client, type NewSession } from './sessions.js';
import { pendingSeconds } from './singleSignOn.js';

/** Is the service reached over HTTPS? */
export const isSecure = ({ origin }: RequestClient): boolean => origin.startsWith('https:');

/** What each cookie is called, without the prefix that it has over HTTPS, and how long a browser keeps it. */
const lifetimesSeconds = {
  session: maxSessionAgeMs / 1000,
  'known-browser': knownBrowserMs / 1000,
  'single-sign-on': pendingSeconds,
  'kiosk-device': 365 * 86_400,
};
type CookieName = keyof typeof lifetimesSeconds;

/**
 * Over HTTPS, `__Host-` keeps other hosts of the same domain from setting it. It demands the path `/`, so
 * that below a base path only `__Secure-` is possible: other services of the host must not get our cookies,
 * or replace them with their own.
 */
const cookiePrefix = (client: RequestClient): CookiePrefix => {
  if (!isSecure(client)) return '';
  return client.basePath === '' ? '__Host-' : '__Secure-';
};
type CookiePrefix = '' | '__Host-' | '__Secure-';

/**
 * What values end with below a base path. Browsers send the cookies of all paths above, too, such as those
 * from before a base path was set, or of another voucherd at `/`: of the same name, they could not be told
 * from ours. No base path and no value of ours has a `!`.
 */
const valueEnd = ({ basePath }: RequestClient): string => basePath.replaceAll('/', '!');

/** The value of a cookie that was set for the base path of this client. */
export const readCookieValue = (sent: string, client: RequestClient): string | undefined => {
  const end = valueEnd(client);
  return sent.endsWith(end) ? sent.slice(0, sent.length - end.length) : undefined;
};

const makeCookie = (name: CookieName, value: string | undefined, client: RequestClient): string => {
  const age = value === undefined ? 0 : lifetimesSeconds[name];
  const path = client.basePath || '/';
  const written = value === undefined ? '' : value + valueEnd(client);
  return `${cookiePrefix(client)}${name}=${written}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${String(age)}${isSecure(client) ? '; Secure' : ''}`;
};

/** The cookies of a request, with and without the prefix, as the contract names them. */
export type SentCookies<Name extends CookieName> = Readonly<
  Partial<Record<`${CookiePrefix}${Name}`, string | undefined>>
>;

/**
 * Over HTTPS one without the prefix may have been set by another host of the same domain, and does not count.
 */
const readCookie = <Name extends CookieName>(
  name: Name,
  cookies: SentCookies<Name>,
  client: RequestClient,
): string | undefined => cookies[`${cookiePrefix(client)}${name}`];

/** The cookies of somebody who has signed in: of the session, and of the browser, which outlives it. */
export const makeSignInCookies = (
  { token, browserToken }: NewSession,
  client: RequestClient,
): readonly string[] => [
  makeCookie('session', token, client),
  ...(browserToken === undefined ? [] : [makeCookie('known-browser', browserToken, client)]),
];

/** The cookie that ends a session. */
export const endSessionCookie = (client: RequestClient): string => makeCookie('session', undefined, client);

/** Where the provider sends browsers back to. */
export const singleSignOnCallback = ({ publicUrl }: Pick<RequestClient, 'publicUrl'>): string =>
  `${publicUrl}/web/single-sign-on/callback`;

/** The cookie of a single sign-on that was begun, or without a value the one that ends it. */
export const makeSingleSignOnCookie = (pending: string | undefined, client: RequestClient): string =>
  makeCookie('single-sign-on', pending, client);

export const readSingleSignOnCookie = (
  cookies: SentCookies<'single-sign-on'>,
  client: RequestClient,
): string | undefined => readCookie('single-sign-on', cookies, client);

/** The cookie that tells a browser at a kiosk from others. */
export const makeKioskDeviceCookie = (device: string, client: RequestClient): string =>
  makeCookie('kiosk-device', device, client);

export const readKioskDeviceCookie = (
  cookies: SentCookies<'kiosk-device'>,
  client: RequestClient,
): string | undefined => readCookie('kiosk-device', cookies, client);

/** A client as sessions are recorded. */
export const toSessionClient = (
  client: RequestClient,
  cookies: SentCookies<'known-browser'> = {},
): Client => ({
  address: client.address,
  browser: client.userAgent,
  browserToken: readCookie('known-browser', cookies, client),
});
