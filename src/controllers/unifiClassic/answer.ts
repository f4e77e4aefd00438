import { type Fields, asFields, tryParseJson, asNumber, parseRetryAfterMs } from '../parsing.js';
import type { IncomingHttpHeaders } from 'node:http';
import { ControllerError, OutcomeUnknown } from '../errors.js';
import { toWholeSeconds, type Failure, type Quote } from '../failure.js';

/** What an answer of UniFi Network means. */
export type ClassicAnswer<T> =
  | { readonly kind: 'ok'; readonly value: T; readonly meta?: Fields }
  /** The session is over. */
  | { readonly kind: 'expired' }
  /** The CSRF token is none, or an old one. */
  | { readonly kind: 'csrf' }
  /** There is no UniFi Network under this path. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'throttled'; readonly waitMs: number }
  | RefusedAnswer
  /** Whether something was done can't be told. `saidYes`: it was done, and the answer has no list. */
  | { readonly kind: 'broken'; readonly status: number; readonly saidYes?: true };

/** Nothing was done. The code is the controller's own. */
interface RefusedAnswer {
  readonly kind: 'refused';
  readonly trouble: 'permission' | 'site' | 'bounds' | 'refused' | 'unreadable';
  readonly code: string | undefined;
  readonly status: number;
}

/** All but these are plain refusals. */
const troubleByMessage: Readonly<Record<string, RefusedAnswer['trouble']>> = {
  'api.err.NoPermission': 'permission',
  'api.err.NoSiteContext': 'site',
  'api.err.InvalidArgs': 'bounds',
};

/** The code of an error, when there is one: of what a controller says only this is ever repeated. */
export const parseErrorCode = (body: Fields): string | undefined => {
  const { rc, msg } = asFields(body['meta']);
  if (rc === 'ok' || rc === undefined) return undefined;
  return typeof msg === 'string' && /^api\.err\.\w{1,40}$/.test(msg) ? msg : 'api.err';
};

/** An answer that is held as text. */
export const parseClassicAnswer = ({
  status,
  headers,
  text,
}: {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}): ClassicAnswer<readonly unknown[]> => classifyAnswer(status, headers, asFields(tryParseJson(text)), text);

/** An answer whose fields are known already. */
export const classifyAnswer = (
  answered: number,
  headers: IncomingHttpHeaders,
  body: Fields,
  text = '',
): ClassicAnswer<readonly unknown[]> => {
  // UniFi OS may put a failure into an answer that looks well.
  const inner = asNumber(asFields(body['error'])['code']);
  const status = answered < 300 && inner !== undefined ? inner : answered;
  const message = parseErrorCode(body);
  if (status >= 500 || status === 408) return { kind: 'broken', status };
  if (status === 429) return { kind: 'throttled', waitMs: parseRetryAfterMs(headers['retry-after']) };
  if (message === 'api.err.LoginRequired') return { kind: 'expired' };
  const trouble = message === undefined ? undefined : troubleByMessage[message];
  const refused = (what: RefusedAnswer['trouble']): RefusedAnswer => ({
    kind: 'refused',
    trouble: what,
    code: message,
    status,
  });
  if (trouble) return refused(trouble);
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

/** The value of an answer, or what is thrown instead. */
export const unwrapAnswer = <T>(verdict: ClassicAnswer<T>, name: string): T => {
  switch (verdict.kind) {
    case 'ok':
      return verdict.value;
    case 'expired':
      throw new ControllerError(name, { trouble: 'refused', reason: 'session' });
    case 'csrf':
      throw new ControllerError(name, { trouble: 'refused', reason: 'csrf' });
    case 'moved':
      throw new ControllerError(name, { trouble: 'unreadable', reason: 'no-unifi-network', status: 404 });
    case 'throttled':
      throw new ControllerError(name, { trouble: 'throttled', seconds: toWholeSeconds(verdict.waitMs) });
    case 'refused':
      throw new ControllerError(name, toRefusalFailure(verdict));
    case 'broken': {
      const { status } = verdict;
      const reason = status < 300 ? 'answer' : 'faulty';
      throw new OutcomeUnknown(name, { trouble: 'unreadable', reason, status });
    }
  }
};

const toRefusalFailure = ({ trouble, code, status }: RefusedAnswer): Failure => {
  const quote = quoteAnswer(code, status);
  switch (trouble) {
    case 'permission':
      return { trouble, of: 'account', ...quote };
    case 'site':
      return { trouble, reason: 'unknown', ...quote };
    case 'bounds':
      return { trouble, reason: 'unnamed', ...quote };
    case 'unreadable':
      return { trouble, reason: 'redirect', status };
    case 'refused':
      return { trouble, reason: 'request', ...quote };
  }
};

/** The controller's own code says more than the status of the answer that it is in. */
export const quoteAnswer = (code: string | undefined, status: number): Quote =>
  code === undefined ? { status } : { said: code };
