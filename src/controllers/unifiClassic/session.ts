import type { IncomingHttpHeaders } from 'node:http';
import { Cookie } from 'tough-cookie';
import type { System } from '../../lib/system.js';
import type { ControllerRequest } from '../https/exchange.js';
import { asFields, asNumber, asText, tryParseJson, type Fields } from '../parsing.js';
import type { ClassicVariant } from './variant.js';

/** A session. Its secrets are only in closures, so that they can't be logged by accident. */
export interface ClassicSession {
  readonly variant: ClassicVariant;
  headers(method: ControllerRequest['method']): Readonly<Record<string, string>>;
  /** Cookies and the CSRF token may be replaced by every answer. */
  learn(headers: IncomingHttpHeaders): void;
  csrf(): string | undefined;
  hasCookies(): boolean;
  endsSoon(): boolean;
}

const renewBeforeMs = 120_000;

export const makeClassicSession = (variant: ClassicVariant, system: System): ClassicSession => {
  const cookies = makeCookies();
  let csrf: string | undefined;
  let token: string | undefined;
  let renewAt = Infinity;

  const learnToken = (): void => {
    const found = cookies.values().find((value) => parseJwtClaims(value) !== undefined);
    if (found === undefined || found === token) return;
    token = found;
    const claims = parseJwtClaims(found) ?? {};
    csrf = asText(claims['csrfToken']) ?? csrf;
    const now = system.now();
    const end = asNumber(claims['exp']) ?? Infinity;
    // Counted from now, because the controller's clock may differ.
    const lastsMs = (end - (asNumber(claims['iat']) ?? now / 1000)) * 1000;
    // With a very short lifetime every call would be a login; then the controller's 401 ends the session.
    renewAt = lastsMs > renewBeforeMs ? now + lastsMs - renewBeforeMs : Infinity;
  };

  return {
    variant,
    headers: (method) => {
      const cookie = cookies.header();
      return {
        ...(cookie !== '' && { cookie }),
        ...(method !== 'GET' && csrf !== undefined && { 'x-csrf-token': csrf }),
      };
    },
    learn: (headers) => {
      const setCookie = headers['set-cookie'];
      if (setCookie) {
        cookies.take(setCookie);
        csrf = cookies.get('csrf_token') ?? csrf;
        learnToken();
      }
      csrf = headerOf(headers, 'x-updated-csrf-token') ?? headerOf(headers, 'x-csrf-token') ?? csrf;
    },
    csrf: () => csrf,
    hasCookies: () => cookies.values().length > 0,
    endsSoon: () => system.now() > renewAt,
  };
};

const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/**
 * The claims of a JWT; undefined for other text. The signature does not matter: nothing relies on the claims.
 */
const parseJwtClaims = (token: string): Fields | undefined => {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  const claims = asFields(tryParseJson(Buffer.from(payload, 'base64url').toString()));
  return 'exp' in claims || 'csrfToken' in claims ? claims : undefined;
};

/**
 * The cookies of one session, by name. A cookie jar would follow domain, path and our clock:
 * a console that sets a cookie at its login path would never get it back elsewhere.
 */
interface Cookies {
  /** Applies the `Set-Cookie` headers of an answer. */
  take(setCookie: readonly string[]): void;
  values(): readonly string[];
  get(name: string): string | undefined;
  /** The value of a `Cookie` header. */
  header(): string;
}

export const makeCookies = (): Cookies => {
  const cookies = new Map<string, string>();
  return {
    take: (setCookie) => {
      for (const line of setCookie) {
        const cookie = Cookie.parse(line);
        if (!cookie) continue;
        const { key, value, maxAge } = cookie;
        if (value === '' || (maxAge !== null && Number(maxAge) <= 0)) cookies.delete(key);
        else cookies.set(key, value);
      }
    },
    values: () => [...cookies.values()],
    get: (name) => cookies.get(name),
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  };
};
