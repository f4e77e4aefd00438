import { ControllerError, OutcomeUnknown } from '../controller.js';
import { wholeSeconds, type ConnectFailure } from '../failure.js';

/** What a connection that could not be made means, by the code of its error. */
const connectFailures: readonly (readonly [code: RegExp, reason: ConnectFailure])[] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE)$/, 'reset'],
  [/^ENOTFOUND$/, 'unknown-host'],
  [/^EAI_/, 'name-service'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'no-route'],
  [/^ETIMEDOUT$/, 'timeout'],
  [/^(ERR_SSL_|EPROTO$)/, 'tls'],
];

/** Only the code of an error is used: the rest of it may hold what was to be sent. */
export const connectFailureOf = (error: unknown): ConnectFailure => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return connectFailures.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';
};

/** No connection, so nothing was sent. */
export const unreachable = (name: string, error: unknown): ControllerError =>
  new ControllerError(name, { trouble: 'unreachable', reason: connectFailureOf(error) });

export const late = (name: string): ControllerError => new ControllerError(name, { trouble: 'late' });

export const resting = (name: string, waitMs: number): ControllerError =>
  new ControllerError(name, { trouble: 'resting', seconds: wholeSeconds(waitMs) });

export const closed = (name: string): ControllerError =>
  new ControllerError(name, { trouble: 'unreachable', reason: 'closed' });

export const unanswered = (name: string): OutcomeUnknown => new OutcomeUnknown(name, { trouble: 'timeout' });

export const brokenOff = (name: string): OutcomeUnknown =>
  new OutcomeUnknown(name, { trouble: 'disconnected' });
