/** Why no connection could be opened; `closed`: this process has closed it. */
export type ConnectFailure =
  | 'refused'
  | 'reset'
  | 'unknown-host'
  | 'name-service'
  | 'no-route'
  | 'timeout'
  | 'tls'
  | 'closed'
  | 'other';

/** Why a certificate is not trusted. */
export type CertificateFailure =
  | { readonly reason: 'self-signed' }
  | { readonly reason: 'unknown-ca' }
  /** Days: `2026-11-14`. */
  | { readonly reason: 'expired'; readonly validTo: string }
  | { readonly reason: 'not-yet-valid'; readonly validFrom: string }
  | { readonly reason: 'host-name'; readonly host: string; readonly names: string }
  | { readonly reason: 'other'; readonly code: string };

/** Which part of an answer can't be read, or why it does not come from a controller of this kind. */
export type UnreadableReason =
  | 'answer'
  | 'too-large'
  | 'redirect'
  | 'faulty'
  | 'starting'
  | 'login'
  | 'no-session'
  | 'no-unifi'
  | 'no-unifi-network'
  | 'no-integration-api'
  | 'no-version'
  | 'list'
  | 'list-changing'
  | 'list-incomplete'
  | 'voucher'
  | 'no-code';

/** The controller's own message, bounded and without secrets, and the status of its answer. */
export interface Quote {
  readonly said?: string | undefined;
  readonly status?: number | undefined;
}

/** Every kind of failure of a controller, and its values. */
export interface FailureValues {
  /** No connection: nothing was sent. */
  readonly unreachable: { readonly reason: ConnectFailure };
  /** It was asked, and did not answer in time. */
  readonly timeout: { readonly seconds?: number };
  /** The connection ended before the answer did. */
  readonly disconnected: unknown;
  /** The certificate is not trusted. */
  readonly certificate: CertificateFailure & { readonly fingerprint: string | undefined };
  /** It is another certificate than the pinned one. */
  readonly 'other-certificate': { readonly fingerprint: string | undefined };
  /** User, password, API key, or the client ID and its secret are wrong. */
  readonly credentials:
    | (Quote & { readonly of: 'api-key' | 'client' })
    | { readonly of: 'account'; readonly seconds: number };
  /** The account wants a second factor. */
  readonly 'two-factor': unknown;
  /** The controller refuses to be signed in to for a while. */
  readonly 'locked-out': { readonly seconds: number };
  /** The account, the API key or the client may not do this. */
  readonly permission: Quote & { readonly of: 'api-key' | 'account' | 'client' };
  /** There is no such site. */
  readonly site:
    | (Quote & { readonly reason: 'unknown' })
    | { readonly reason: 'not-listed'; readonly site: string; readonly known: readonly string[] }
    | { readonly reason: 'several'; readonly known: readonly string[] };
  /** A value is outside of what the controller takes. */
  readonly bounds:
    | {
        readonly reason: 'value';
        /** As the client knows it. */
        readonly field: string;
        readonly value: number;
        readonly from: number;
        readonly to: number;
      }
    /** It can't limit this at all. */
    | { readonly reason: 'not-kept'; readonly field: string }
    | { readonly reason: 'count'; readonly from: number; readonly to: number }
    | (Quote & { readonly reason: 'unnamed' });
  /** Too many requests. */
  readonly throttled: { readonly seconds: number };
  /** It failed several times in a row, so the circuit breaker is open: it was not asked. */
  readonly 'circuit-open': { readonly seconds: number };
  /** The deadline passed before it was asked. */
  readonly deadline: unknown;
  /** The controller said no. */
  readonly refused:
    | (Quote & { readonly reason: 'request' | 'order' | 'login' | 'session' | 'csrf' })
    | { readonly reason: 'too-old'; readonly version: string; readonly needed: string }
    | { readonly reason: 'no-vouchers'; readonly needed: string };
  /** This adapter can't read the answer. */
  readonly unreadable: Quote & { readonly reason: UnreadableReason; readonly needed?: string };
  /** A voucher was created but could not be read; without a cause when the error was ours. */
  readonly 'not-read': { readonly cause: Failure | 'not-listed' | undefined };
}

export type FailureKind = keyof FailureValues;

/** A failure of one kind, or of one of several, with its values. */
export type Failure<K extends FailureKind = FailureKind> = {
  readonly [P in K]: { readonly kind: P } & FailureValues[P];
}[K];

/** Has the controller answered, with a list of what it has created that is none, or lacks the voucher? */
export const showsNoVoucher = (failure: Failure): boolean => {
  const cause = failure.kind === 'not-read' ? failure.cause : undefined;
  if (cause === undefined || cause === 'not-listed' || cause.kind !== 'unreadable') return false;
  return ['list', 'list-incomplete', 'voucher'].includes(cause.reason);
};

const temporary: readonly FailureKind[] = [
  ...([
    'unreachable',
    'timeout',
    'disconnected',
    'locked-out',
    'throttled',
    'circuit-open',
    'deadline',
  ] as const),
];

/** May the same call succeed a little later? */
export const isTemporary = ({ kind }: Failure): boolean => temporary.includes(kind);

/** The text for each kind of failure, in one language. */
export type FailureTexts<Context> = {
  readonly [P in FailureKind]: (values: FailureValues[P], context: Context) => string;
};

export const describeFailure = <K extends FailureKind, Context>(
  texts: FailureTexts<Context>,
  failure: Failure<K>,
  context: Context,
): string => texts[failure.kind](failure, context);

/** For people: never 0. */
export const toWholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
