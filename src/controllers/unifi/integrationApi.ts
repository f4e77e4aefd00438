import { publicText } from '../../lib/problem.js';
import { ensureDeadline, remainingMs, sleepUnlessAborted } from '../deadline.js';
import { ControllerError, deadlineError, OutcomeUnknown } from '../errors.js';
import { toWholeSeconds, type Failure } from '../failure.js';
import type { Connection } from '../https/connection.js';
import type { ControllerReply, ControllerRequest } from '../https/exchange.js';
import { asFields, asNumber, asText, parseRetryAfterMs, tryParseJson, type Fields } from '../parsing.js';

interface IntegrationApiOptions {
  readonly connection: Connection;
  readonly name: string;
  readonly apiKey: string;
  /** For one request, a second attempt included, unless its signal has a deadline already. */
  readonly deadlineMs: number;
}

type IntegrationRequest = Omit<ControllerRequest, 'headers'>;

/** The Integration API. Paths come after `/integration/v1`. */
export interface IntegrationApi {
  /** Any answer. What a throttle prevents is asked for once more. */
  send(call: IntegrationRequest): Promise<IntegrationAnswer>;
  /** The JSON of an answer, or throws what the answer means. */
  settle(answer: IntegrationAnswer): unknown;
  ask(call: IntegrationRequest): Promise<unknown>;
}

/** UniFi OS and the cloud have it behind their gateway, the Network application on its own has not. */
const gateway = '/proxy/network';
const direct = '';

export const infoPath = `${gateway}/integration/v1/info`;

export const makeIntegrationApi = ({
  connection,
  name,
  apiKey,
  deadlineMs,
}: IntegrationApiOptions): IntegrationApi => {
  let prefix: string | undefined;
  const headers = { 'x-api-key': apiKey };
  const call = (under: string, { path, ...rest }: IntegrationRequest): Promise<ControllerReply> =>
    connection.call({ ...rest, path: `${under}/integration/v1${path}`, headers });

  /** Where the API is, is learned from answers. Under a wrong path nothing can have been done. */
  const reach = async (request: IntegrationRequest): Promise<ControllerReply> => {
    const tried = prefix ?? gateway;
    const reply = await call(tried, request);
    if (reply.status !== 404 || (prefix !== undefined && isInSite(request))) {
      // A page for people, where the API was, is a console that starts: what was learned may be wrong.
      if (isPage(reply)) prefix = undefined;
      else if (reply.status < 300) prefix ??= tried;
      return reply;
    }
    const other = tried === gateway ? direct : gateway;
    const info = await call(other, { method: 'GET', path: '/info', signal: request.signal });
    const isThere = isApi(info);
    prefix = isThere ? other : tried;
    return isThere ? call(other, request) : reply;
  };

  const safe = (text: string): string =>
    publicText(text.replaceAll(apiKey, '…'))
      .replace(/[\p{C}\s]+/gu, ' ')
      .slice(0, 200);

  const send = async (request: IntegrationRequest): Promise<IntegrationAnswer> => {
    const { signal, end } = ensureDeadline(deadlineMs, request.signal);
    try {
      const first = parseIntegrationAnswer(await reach({ ...request, signal }), isInSite(request));
      if (first.status !== 429 || first.retryAfterMs >= remainingMs(signal)) return first;
      if (!(await sleepUnlessAborted(first.retryAfterMs, signal))) throw deadlineError(name);
      return parseIntegrationAnswer(await reach({ ...request, signal }), isInSite(request));
    } finally {
      end();
    }
  };

  const settle = (answer: IntegrationAnswer): unknown => {
    if (answer.status >= 300 || answer.json === undefined) throw toAnswerError(answer, { name, safe });
    return answer.json;
  };

  return { send, settle, ask: async (request) => settle(await send(request)) };
};

const isPage = ({ headers }: ControllerReply): boolean => headers['content-type']?.includes('html') === true;

/** Consoles answer with their start page where nothing else is. */
const isApi = ({ status, text }: ControllerReply): boolean => {
  const fields = asFields(tryParseJson(text));
  if (status < 300) return typeof fields['applicationVersion'] === 'string';
  return [401, 403].includes(status) && Object.keys(fields).length > 0;
};

const isInSite = ({ path }: IntegrationRequest): boolean => path.startsWith('/sites/');

/** What an answer says, whatever the shape of its error. */
interface IntegrationAnswer {
  /** Was it about something of a site, or about the controller as a whole? */
  readonly inSite: boolean;
  readonly status: number;
  readonly json: unknown;
  /** The controller's own words and code; not to be trusted. */
  readonly message: string;
  readonly code: string;
  readonly retryAfterMs: number;
}

/**
 * Errors come in three shapes: the gateway's `{"error":{…}}`, which may even stand in an answer of status 200, the
 * application's `{"statusCode":…,"message":…}`, and pages of a proxy.
 */
export const parseIntegrationAnswer = (
  { status, headers, text }: ControllerReply,
  inSite: boolean,
): IntegrationAnswer => {
  const json = tryParseJson(text);
  const fields = asFields(json);
  const error = asFields(fields['error']);
  const inner = asNumber(error['code']);
  return {
    inSite,
    status: status < 300 && inner !== undefined ? inner : status,
    json,
    message: asText(fields['message']) ?? asText(error['message']) ?? '',
    code: asText(fields['code']) ?? '',
    retryAfterMs: parseRetryAfterMs(headers['retry-after']),
  };
};

/** Older ones know no vouchers in the Integration API. */
export const requiredVersion = '9.1.120';

interface AnswerErrorOptions {
  readonly name: string;
  /** Makes the controller's words fit to be shown. */
  safe(text: string): string;
}

/** What an answer without success means. Only `OutcomeUnknown` leaves open whether something was done. */
export const toAnswerError = (
  { inSite, status, message, code, retryAfterMs }: IntegrationAnswer,
  { name, safe }: AnswerErrorOptions,
): ControllerError | OutcomeUnknown => {
  const refusal = (failure: Failure): ControllerError => new ControllerError(name, failure);
  const quote = { ...(message !== '' && { said: safe(message) }), status };
  if (status >= 500 || status === 408)
    return new OutcomeUnknown(name, { trouble: 'unreadable', reason: 'faulty', status });
  if (status < 300) return new OutcomeUnknown(name, { trouble: 'unreadable', reason: 'answer' });
  if (status < 400) return refusal({ trouble: 'unreadable', reason: 'redirect', ...quote });
  if (status === 401) return refusal({ trouble: 'credentials', of: 'api-key', ...quote });
  if (status === 403) return refusal({ trouble: 'permission', of: 'api-key', ...quote });
  if (status === 429) return refusal({ trouble: 'throttled', seconds: toWholeSeconds(retryAfterMs) });
  if (status === 404 && !inSite)
    return refusal({ trouble: 'unreadable', reason: 'no-integration-api', needed: requiredVersion });
  if (status === 404 || isAboutSite(code, message))
    return refusal({ trouble: 'site', reason: 'unknown', ...quote });
  return refusal({ trouble: 'refused', reason: 'request', ...quote });
};

const isAboutSite = (code: string, message: string): boolean =>
  (code === '' || code === 'api.request.argument-type-mismatch') && /\bsite(Id)?\b/i.test(message);

/** A page of a list; `more` is what else the query says. */
export interface Page {
  readonly items: readonly Fields[];
  /** How many there are altogether. */
  readonly total: number;
}

type FetchPage = (offset: number) => Promise<Page>;

export const parsePage = (name: string, json: unknown): Page => {
  const { data, totalCount } = asFields(json);
  const total = asNumber(totalCount);
  if (!Array.isArray(data) || total === undefined)
    throw new ControllerError(name, { trouble: 'unreadable', reason: 'answer' });
  return { items: data.map(asFields), total };
};

/** How often a list is begun anew that changes while it is read. */
const maxRestarts = 5;

/**
 * Everything in a list that may change while it is read. A page may be shorter than was asked for. Each begins with
 * the last item of the one before: when that is not on it, something was deleted and the rest has moved up, over the
 * border of a page, so the list is begun anew. Nothing is given out twice.
 */
export const readAllPages = async function* (name: string, ask: FetchPage): AsyncGenerator<Fields> {
  const given = new Set<unknown>();
  let offset = 0;
  let seam: unknown;
  for (let tries = 1; ;) {
    const { items, total } = await ask(offset);
    if (seam !== undefined && !items.some((item) => keyOf(item) === seam)) {
      if (tries++ >= maxRestarts)
        throw new ControllerError(name, { trouble: 'unreadable', reason: 'list-changing' });
      [offset, seam] = [0, undefined];
      continue;
    }
    for (const item of items) {
      if (given.has(keyOf(item))) continue;
      given.add(keyOf(item));
      yield item;
    }
    const end = offset + items.length;
    if (end >= total) return;
    if (items.length === 0)
      throw new ControllerError(name, { trouble: 'unreadable', reason: 'list-incomplete' });
    // Of pages with one item each, none could hold anything new besides.
    const overlaps = items.length > 1;
    seam = overlaps ? keyOf(items.at(-1) ?? {}) : undefined;
    offset = overlaps ? end - 1 : end;
  }
};

/** A voucher may be listed without its id, but never without anything that tells it from others. */
const keyOf = ({ id, code }: Fields): unknown => id ?? code;
