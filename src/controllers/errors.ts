import { describeInEnglish } from './failureMessages.js';
import { type Failure, type FailureKind, type ConnectFailure, toWholeSeconds } from './failure.js';
import { CodedError } from '../errors/codedError.js';

/** Why a call of a controller failed. */
abstract class ControllerFailure extends CodedError<FailureKind> {
  override readonly isTraced = false;

  constructor(
    /** The controller's name; undefined where only one can be meant. */
    readonly controller: string | undefined,
    readonly failure: Failure,
  ) {
    super(failure.kind, logText(controller, failure), { kind: 'unavailable' });
  }
}

/** The controller has certainly created nothing. */
export class ControllerError extends ControllerFailure {
  override readonly name = 'ControllerError';
}

/** A code that we have chosen is not free, and nothing was created: others may be. */
export class CodesTaken extends ControllerError {
  constructor(controller: string | undefined) {
    super(controller, { kind: 'refused', reason: 'order', said: 'the code is taken' });
  }
}

/** The controller was asked and may have created a voucher: the reconciler finds out. */
export class OutcomeUnknown extends ControllerFailure {
  override readonly name = 'OutcomeUnknown';
}

const logText = (controller: string | undefined, failure: Failure): string =>
  `${controller ?? 'controller'}: ${describeInEnglish(failure)}`;

/**
 * What a `SettingsError` is about, by the name of its option.
 * `trust` is the choice between a fingerprint and a CA.
 */
export type SettingName =
  | 'kind'
  | 'address'
  | 'url'
  | 'trust'
  | 'fingerprint'
  | 'ca-file'
  | 'max-calls'
  | 'latency'
  | 'tls'
  | 'rates'
  | 'disconnect-port'
  | 'user-manager'
  | 'fault'
  | 'api-key'
  | 'username'
  | 'password'
  | 'client-id'
  | 'client-secret'
  | 'credentials';

/** A setting that an adapter can't use. */
export class SettingsError extends CodedError<SettingName> {
  override readonly name = 'SettingsError';

  constructor(
    /** The setting. */
    code: SettingName,
    /** What is wrong with it, and what is allowed. */
    readonly detail: string,
  ) {
    super(code, `${code}: ${detail}`, { kind: 'invalid' });
  }
}

/** For calls that create nothing: their outcome is never unknown. */
export const withKnownOutcome = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw toKnownOutcome(error);
  }
};

/** The error of a call that creates nothing. */
export const toKnownOutcome = (error: unknown): unknown =>
  error instanceof OutcomeUnknown ? new ControllerError(error.controller, error.failure) : error;

/** No connection, so nothing was sent. */
export const unreachableError = (name: string, error: unknown): ControllerError =>
  new ControllerError(name, { kind: 'unreachable', reason: toConnectFailure(error) });

/** Uses only the code of an error: the rest may hold the request with its secrets. */
const toConnectFailure = (error: unknown): ConnectFailure => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return connectFailures.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';
};

/** Reasons by the code of the error. */
const connectFailures: readonly (readonly [code: RegExp, reason: ConnectFailure])[] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE)$/, 'reset'],
  [/^ENOTFOUND$/, 'unknown-host'],
  [/^EAI_/, 'name-service'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'no-route'],
  [/^ETIMEDOUT$/, 'timeout'],
  [/^(ERR_SSL_|EPROTO$)/, 'tls'],
];

export const deadlineError = (name: string): ControllerError =>
  new ControllerError(name, { kind: 'deadline' });

export const circuitOpenError = (name: string, waitMs: number): ControllerError =>
  new ControllerError(name, { kind: 'circuit-open', seconds: toWholeSeconds(waitMs) });

export const connectionClosedError = (name: string): ControllerError =>
  new ControllerError(name, { kind: 'unreachable', reason: 'closed' });

export const timeoutError = (name: string): OutcomeUnknown => new OutcomeUnknown(name, { kind: 'timeout' });

export const disconnectedError = (name: string): OutcomeUnknown =>
  new OutcomeUnknown(name, { kind: 'disconnected' });
