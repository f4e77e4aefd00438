import type { IncomingHttpHeaders } from 'node:http';
import { ControllerError, OutcomeUnknown } from '../errors.js';
import { toWholeSeconds, type Failure, type Quote } from '../failure.js';
import { type Fields, asFields, tryParseJson, asNumber, parseRetryAfterMs } from '../parsing.js';

/** An answer of UniFi Network, classified. */
export type ClassicAnswer<T> =
  | { readonly kind: 'ok'; readonly value: T; readonly meta?: Fields }
  /** The session is over. */
  | { readonly kind: 'expired' }
  /** The CSRF token is missing or outdated. */
  | { readonly kind: 'csrf' }
  /** There is no UniFi Network under this path. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'throttled'; readonly waitMs: number }
  | RefusedAnswer
  /** Whether something was done is unknown. `saidYes`: it was done, but the answer has no list. */
  | { readonly kind: 'broken'; readonly status: number; readonly saidYes?: true };

/** Nothing was done. The code is the controller's. */
interface RefusedAnswer {
  readonly kind: 'refused';
  readonly failure: 'permission' | 'site' | 'bounds' | 'refused' | 'unreadable';
  readonly code: string | undefined;
  readonly status: number;
}

/** All other codes are plain refusals. */
const failureByMessage: Readonly<Record<string, RefusedAnswer['failure']>> = {
  'api.err.NoPermission': 'permission',
  'api.err.NoSiteContext': 'site',
  'api.err.InvalidArgs': 'bounds',
};

/** The error code, if there is one: the only part of an answer that is ever quoted. */
export const parseErrorCode = (body: Fields): string | undefined => {
  const { rc, msg } = asFields(body['meta']);
  if (rc === 'ok' || rc === undefined) return undefined;
  return typeof msg === 'string' && /^api\.err\.\w{1,40}$/.test(msg) ? msg : 'api.err';
};

/** Parses an answer that was read as text. */
export const parseClassicAnswer = ({
  status,
  headers,
  text,
}: {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}): ClassicAnswer<readonly unknown[]> => classifyAnswer(status, headers, asFields(tryParseJson(text)), text);

/** Classifies an answer that is parsed already. */
export const classifyAnswer = (
  answered: number,
  headers: IncomingHttpHeaders,
  body: Fields,
  text = '',
): ClassicAnswer<readonly unknown[]> => {
  // UniFi OS may report a failure with a successful status.
  const inner = asNumber(asFields(body['error'])['code']);
  const status = answered < 300 && inner !== undefined ? inner : answered;
  const message = parseErrorCode(body);
  if (status >= 500 || status === 408) return { kind: 'broken', status };
  if (status === 429) return { kind: 'throttled', waitMs: parseRetryAfterMs(headers['retry-after']) };
  if (message === 'api.err.LoginRequired') return { kind: 'expired' };
  const failure = message === undefined ? undefined : failureByMessage[message];
  const refused = (what: RefusedAnswer['failure']): RefusedAnswer => ({
    kind: 'refused',
    failure: what,
    code: message,
    status,
  });
  if (failure) return refused(failure);
  if (status === 401) return { kind: 'expired' };
  if (status === 403 && /csrf/i.test(text)) return { kind: 'csrf' };
  if (status === 403) return refused('permission');
  if (message !== undefined) return refused('refused');
  if (status === 404) return { kind: 'moved' };
  if (status >= 400) return refused('refused');
  if (status >= 300) return refused('unreadable');
  const { data } = body;
  const meta = asFields(body['meta']);
  if (meta['rc'] !== 'ok') return { kind: 'broken', status };
  return Array.isArray(data) ? { kind: 'ok', value: data, meta } : { kind: 'broken', status, saidYes: true };
};

/** The value of a successful answer; throws the error that any other one means. */
export const unwrapAnswer = <T>(answer: ClassicAnswer<T>, name: string): T => {
  switch (answer.kind) {
    case 'ok':
      return answer.value;
    case 'expired':
      throw new ControllerError(name, { kind: 'refused', reason: 'session' });
    case 'csrf':
      throw new ControllerError(name, { kind: 'refused', reason: 'csrf' });
    case 'moved':
      throw new ControllerError(name, { kind: 'unreadable', reason: 'no-unifi-network', status: 404 });
    case 'throttled':
      throw new ControllerError(name, { kind: 'throttled', seconds: toWholeSeconds(answer.waitMs) });
    case 'refused':
      throw new ControllerError(name, toRefusalFailure(answer));
    case 'broken': {
      const { status } = answer;
      const reason = status < 300 ? 'answer' : 'faulty';
      throw new OutcomeUnknown(name, { kind: 'unreadable', reason, status });
    }
  }
};

const toRefusalFailure = ({ failure: kind, code, status }: RefusedAnswer): Failure => {
  const quote = quoteAnswer(code, status);
  switch (kind) {
    case 'permission':
      return { kind, of: 'account', ...quote };
    case 'site':
      return { kind, reason: 'unknown', ...quote };
    case 'bounds':
      return { kind, reason: 'unnamed', ...quote };
    case 'unreadable':
      return { kind, reason: 'redirect', status };
    case 'refused':
      return { kind, reason: 'request', ...quote };
  }
};

/** The controller's code says more than the status. */
export const quoteAnswer = (code: string | undefined, status: number): Quote =>
  code === undefined ? { status } : { said: code };
