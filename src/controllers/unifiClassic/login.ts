import type { CallReply } from '../connection/connection.js';
import { fieldsOf, jsonOf, numberOf, textOf } from '../connection/reading.js';
import { ControllerError } from '../controller.js';
import { wholeSeconds, type Failure } from '../failure.js';
import { messageOf, quoteOf } from './verdict.js';

export interface Account {
  readonly username: string;
  readonly password: string;
}

type LoginTrouble = 'locked-out' | 'two-factor' | 'credentials' | 'permission';

/** A login that was refused, and for how long none is worth another try. */
export interface LoginRefusal {
  readonly trouble: LoginTrouble;
  readonly restMs: number;
}

/** Another login within this time would lead to a lock-out, or make it longer. */
export const loginRestMs = 60_000;

/** Undefined for a login that went well. Throws when the answer says nothing about the account. */
export const loginRefusal = (reply: CallReply, name: string): LoginRefusal | undefined => {
  const { status, headers, text } = reply;
  const body = fieldsOf(jsonOf(text));
  const message = messageOf(body);
  const code = textOf(body['code']) ?? '';
  if (status === 429 || /LIMIT_REACHED/i.test(code))
    return { trouble: 'locked-out', restMs: restOf(headers['retry-after']) };
  if (status === 499 || /2fa|mfa/i.test(message ?? code))
    return { trouble: 'two-factor', restMs: loginRestMs };
  const inner = numberOf(fieldsOf(body['error'])['code']) ?? status;
  if (!isJsonObject(text) || inner >= 500)
    throw new ControllerError(name, { trouble: 'unreadable', reason: 'login', status });
  if (message === 'api.err.NoPermission') return { trouble: 'permission', restMs: loginRestMs };
  if ([400, 401, 403].includes(inner) || message === 'api.err.Invalid')
    return { trouble: 'credentials', restMs: loginRestMs };
  if (inner >= 300 || message !== undefined)
    throw new ControllerError(name, { trouble: 'refused', reason: 'login', ...quoteOf(message, inner) });
  return undefined;
};

const isJsonObject = (text: string): boolean => {
  const value = jsonOf(text);
  return typeof value === 'object' && value !== null;
};

const restOf = (retryAfter: string | undefined): number =>
  Math.max(loginRestMs, (numberOf(retryAfter) ?? 0) * 1000);

export const refusalError = (trouble: LoginTrouble, name: string, leftMs: number): ControllerError => {
  const seconds = wholeSeconds(leftMs);
  const failures: { readonly [K in LoginTrouble]: Failure<K> } = {
    'locked-out': { trouble: 'locked-out', seconds },
    'two-factor': { trouble: 'two-factor' },
    credentials: { trouble: 'credentials', of: 'account', seconds },
    permission: { trouble: 'permission', of: 'account' },
  };
  return new ControllerError(name, failures[trouble]);
};
