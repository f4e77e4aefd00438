import { ControllerError, OutcomeUnknown } from '../errors.js';
import { toWholeSeconds, type Failure } from '../failure.js';
import type { ControllerReply } from '../https/exchange.js';
import { asFields, asNumber, asText, parseRetryAfterMs, tryParseJson } from '../parsing.js';

/** An answer of the Open API. Failures usually come with status 200: the code decides. */
export interface OmadaAnswer {
  readonly status: number;
  /** 0 for success; undefined for anything that is not an answer of the Open API. */
  readonly errorCode: number | undefined;
  /** The controller's own text; untrusted. */
  readonly message: string;
  readonly result: unknown;
  readonly retryAfterMs: number;
}

export const parseOmadaAnswer = ({ status, headers, text }: ControllerReply): OmadaAnswer => {
  const { errorCode, msg, result } = asFields(tryParseJson(text));
  return {
    status,
    errorCode: asNumber(errorCode),
    message: asText(msg) ?? '',
    result,
    retryAfterMs: parseRetryAfterMs(headers['retry-after']),
  };
};

/** The name of a voucher group is taken: for us, the order was already carried out. */
export const duplicateNameCode = -42_059;

/** The token has expired or is not known any more: nothing was done. */
const tokenCodes: readonly number[] = [-44_112, -44_113, -1000];

/** The site is being copied, restored or the like: nothing was done. */
const busyCode = -33_004;

export const isTokenRefused = ({ status, errorCode }: OmadaAnswer): boolean =>
  errorCode === undefined ? status === 401 : tokenCodes.includes(errorCode);

/** May the same request succeed a little later? */
export const isBusy = ({ status, errorCode }: OmadaAnswer): boolean =>
  status === 429 || errorCode === busyCode;

/** What the documented codes mean. With any of them nothing was done. */
const meanings: ReadonlyMap<number, 'credentials' | 'permission' | 'site' | 'bounds' | 'refused'> = new Map([
  [-44_106, 'credentials'],
  [-44_111, 'credentials'],
  [-44_116, 'credentials'],
  [-1005, 'permission'],
  [-1505, 'permission'],
  [-33_000, 'site'],
  [-1001, 'bounds'],
  ...[
    ...tokenCodes,
    busyCode,
    -33_732,
    -42_010,
    -42_036,
    duplicateNameCode,
    -42_060,
    -42_061,
    -42_062,
    -42_063,
    -44_118,
  ].map((code): [number, 'refused'] => [code, 'refused']),
]);

/** A refusal whose reason is not known. */
export const isUndocumentedRefusal = ({ status, errorCode }: OmadaAnswer): boolean =>
  status < 300 && errorCode !== undefined && errorCode !== 0 && !meanings.has(errorCode);

interface AnswerErrorOptions {
  readonly name: string;
  /** Makes the controller's text safe to show. */
  safe(text: string): string;
}

/** The error that an unsuccessful answer means. With `OutcomeUnknown` something may have been done. */
export const toOmadaError = (
  { status, errorCode, message, retryAfterMs }: OmadaAnswer,
  { name, safe }: AnswerErrorOptions,
): ControllerError | OutcomeUnknown => {
  const refusal = (failure: Failure): ControllerError => new ControllerError(name, failure);
  if (status >= 500 || status === 408)
    return new OutcomeUnknown(name, { kind: 'unreadable', reason: 'faulty', status });
  if (status === 429) return refusal({ kind: 'throttled', seconds: toWholeSeconds(retryAfterMs) });
  if (status >= 300 && status < 400) return refusal({ kind: 'unreadable', reason: 'redirect', status });
  if (errorCode === undefined || errorCode === 0) return toStatusError(name, status);
  const quote = { said: safe(message === '' ? String(errorCode) : `${String(errorCode)} ${message}`) };
  switch (meanings.get(errorCode)) {
    case 'credentials':
      return refusal({ kind: 'credentials', of: 'client', ...quote });
    case 'permission':
      return refusal({ kind: 'permission', of: 'client', ...quote });
    case 'site':
      return refusal({ kind: 'site', reason: 'unknown', ...quote });
    case 'bounds':
      return refusal({ kind: 'bounds', reason: 'unnamed', ...quote });
    case 'refused':
      return refusal({ kind: 'refused', reason: 'request', ...quote });
    case undefined:
      // A code that is not documented does not say that nothing was done.
      return new OutcomeUnknown(name, { kind: 'refused', reason: 'request', ...quote });
  }
};

/** Without a code of the Open API only the status tells. */
const toStatusError = (name: string, status: number): ControllerError | OutcomeUnknown => {
  if (status < 300) return new OutcomeUnknown(name, { kind: 'unreadable', reason: 'answer' });
  if (status === 401) return new ControllerError(name, { kind: 'credentials', of: 'client', status });
  if (status === 403) return new ControllerError(name, { kind: 'permission', of: 'client', status });
  // Controllers without the Open API do not know its paths.
  if (status === 404) return new ControllerError(name, { kind: 'unreadable', reason: 'answer', status });
  return new ControllerError(name, { kind: 'refused', reason: 'request', status });
};
