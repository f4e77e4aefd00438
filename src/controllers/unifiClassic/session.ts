import type { IncomingHttpHeaders } from 'node:http';
import type { Effects } from '../../effects.js';
import type { Call } from '../connection/connection.js';
import { fieldsOf, jsonOf, numberOf, textOf, type Fields } from '../connection/reading.js';
import { makeCookies } from './cookies.js';
import type { Variant } from './variant.js';

/** What a login has brought. It holds secrets, so it stays inside of functions: nothing of it can be printed. */
export interface Session {
  readonly variant: Variant;
  headers(method: Call['method']): Readonly<Record<string, string>>;
  /** Cookies and the CSRF token may be replaced by every answer. */
  learn(headers: IncomingHttpHeaders): void;
  csrf(): string | undefined;
  hasCookies(): boolean;
  endsSoon(): boolean;
}

const soonMs = 120_000;

export const makeSession = (variant: Variant, effects: Effects): Session => {
  const cookies = makeCookies();
  let csrf: string | undefined;
  let token: string | undefined;
  let renewAt = Infinity;

  const learnToken = (): void => {
    const found = cookies.values().find((value) => claimsOf(value) !== undefined);
    if (found === undefined || found === token) return;
    token = found;
    const claims = claimsOf(found) ?? {};
    csrf = textOf(claims['csrfToken']) ?? csrf;
    const now = effects.now();
    const end = numberOf(claims['exp']) ?? Infinity;
    // Counted from now on, because the controller's clock may be another.
    const lastsMs = (end - (numberOf(claims['iat']) ?? now / 1000)) * 1000;
    // Of one that never lasts long enough, every call would be a login; then the controller says when it is over.
    renewAt = lastsMs > soonMs ? now + lastsMs - soonMs : Infinity;
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
    endsSoon: () => effects.now() > renewAt,
  };
};

const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** What a JWT says of itself; undefined for what is none. Nobody relies on it, so its signature does not matter. */
const claimsOf = (token: string): Fields | undefined => {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  const claims = fieldsOf(jsonOf(Buffer.from(payload, 'base64url').toString()));
  return 'exp' in claims || 'csrfToken' in claims ? claims : undefined;
};
