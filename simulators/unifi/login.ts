import { isObject, parseJson, type Call } from './route.js';
import type { Settings } from './settings.js';

/** What a person would read from an authenticator. */
export const secondFactor = '123456';

/** What a login sends, as far as it can be read. */
export interface Credentials {
  readonly verdict: 'right' | 'wrong' | 'unreadable';
  /** Whether this field holds the second factor. */
  hasSecondFactor(field: string): boolean;
  /** Asks for a cookie with the CSRF token. */
  readonly strict: boolean;
}

export const readCredentials = (call: Call, { username, password }: Settings): Credentials => {
  const body = parseJson(call.body);
  if (!isObject(body)) return { verdict: 'unreadable', hasSecondFactor: () => false, strict: false };
  return {
    verdict: body['username'] === username && body['password'] === password ? 'right' : 'wrong',
    hasSecondFactor: (field) => String(body[field]) === secondFactor,
    strict: body['strict'] === true,
  };
};
