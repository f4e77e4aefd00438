import { publicText } from '../../lib/publicText.js';
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
  /** Returns any answer. A throttled request is sent once more. */
  send(call: IntegrationRequest): Promise<IntegrationAnswer>;
  /** The JSON of a successful answer; throws the error that any other one means. */
  unwrap(answer: IntegrationAnswer): unknown;
  ask(call: IntegrationRequest): Promise<unknown>;
}

/** UniFi OS and the cloud have the API behind their gateway; the standalone Network application does not. */
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
  const call = (pathPrefix: string, { path, ...request }: IntegrationRequest): Promise<ControllerReply> =>
    connection.call({ ...request, path: `${pathPrefix}/integration/v1${path}`, headers });

  /** Learns the prefix of the API from answers. A request under a wrong path can't have done anything. */
  const reach = async (request: IntegrationRequest): Promise<ControllerReply> => {
    const tried = prefix ?? gateway;
    const reply = await call(tried, request);
    if (reply.status !== 404 || (prefix !== undefined && isInSite(request))) {
      // An HTML page in place of the API means that the console is starting: forget the prefix.
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

  const unwrap = (answer: IntegrationAnswer): unknown => {
    if (answer.status >= 300 || answer.json === undefined) throw toAnswerError(answer, { name, safe });
    return answer.json;
  };

  return { send, unwrap, ask: async (request) => unwrap(await send(request)) };
};

const isPage = ({ headers }: ControllerReply): boolean => headers['content-type']?.includes('html') === true;

/** Consoles answer unknown paths with their start page. */
const isApi = ({ status, text }: ControllerReply): boolean => {
  const fields = asFields(tryParseJson(text));
  if (status < 300) return typeof fields['applicationVersion'] === 'string';
  return [401, 403].includes(status) && Object.keys(fields).length > 0;
};

const isInSite = ({ path }: IntegrationRequest): boolean => path.startsWith('/sites/');

/** An answer, whatever the shape of its error. */
interface IntegrationAnswer {
  /** Was the request about a site, or about the controller as a whole? */
  readonly inSite: boolean;
  readonly status: number;
  readonly json: unknown;
  /** The controller's own text and code; untrusted. */
  readonly message: string;
  readonly code: string;
  readonly retryAfterMs: number;
}

/**
 * Errors come in three shapes: the gateway's `{"error":{…}}`, even with status 200, the
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

/** Older versions have no vouchers in the Integration API. */
export const requiredVersion = '9.1.120';

interface AnswerErrorOptions {
  readonly name: string;
  /** Makes the controller's text safe to show. */
  safe(text: string): string;
}

/** The error that an unsuccessful answer means. With `OutcomeUnknown` something may have been done. */
export const toAnswerError = (
  { inSite, status, message, code, retryAfterMs }: IntegrationAnswer,
  { name, safe }: AnswerErrorOptions,
): ControllerError | OutcomeUnknown => {
  const refusal = (failure: Failure): ControllerError => new ControllerError(name, failure);
  const quote = { ...(message !== '' && { said: safe(message) }), status };
  if (status >= 500 || status === 408)
    return new OutcomeUnknown(name, { kind: 'unreadable', reason: 'faulty', status });
  if (status < 300) return new OutcomeUnknown(name, { kind: 'unreadable', reason: 'answer' });
  if (status < 400) return refusal({ kind: 'unreadable', reason: 'redirect', ...quote });
  if (status === 401) return refusal({ kind: 'credentials', of: 'api-key', ...quote });
  if (status === 403) return refusal({ kind: 'permission', of: 'api-key', ...quote });
  if (status === 429) return refusal({ kind: 'throttled', seconds: toWholeSeconds(retryAfterMs) });
  if (status === 404 && !inSite)
    return refusal({ kind: 'unreadable', reason: 'no-integration-api', needed: requiredVersion });
  if (status === 404 || isAboutSite(code, message))
    return refusal({ kind: 'site', reason: 'unknown', ...quote });
  return refusal({ kind: 'refused', reason: 'request', ...quote });
};

const isAboutSite = (code: string, message: string): boolean =>
  (code === '' || code === 'api.request.argument-type-mismatch') && /\bsite(Id)?\b/i.test(message);

/** A page of a list. */
export interface Page {
  readonly items: readonly Fields[];
  /** The number of items on all pages. */
  readonly total: number;
}

type FetchPage = (offset: number) => Promise<Page>;

export const parsePage = (name: string, json: unknown): Page => {
  const { data, totalCount } = asFields(json);
  const total = asNumber(totalCount);
  if (!Array.isArray(data) || total === undefined)
    throw new ControllerError(name, { kind: 'unreadable', reason: 'answer' });
  return { items: data.map(asFields), total };
};

/** How often a list that changes while it is read is restarted. */
const maxRestarts = 5;

/**
 * All items of a list that may change while it is read. A page may be shorter than requested.
 * Each page starts with the last item of the previous one: if that is missing, an item was deleted and others
 * have moved across the page boundary, so the list is restarted. No item is returned twice.
 */
export const readAllPages = async function* (name: string, ask: FetchPage): AsyncGenerator<Fields> {
  const given = new Set<unknown>();
  let offset = 0;
  let overlapKey: unknown;
  for (let tries = 1; ;) {
    const { items, total } = await ask(offset);
    if (overlapKey !== undefined && !items.some((item) => keyOf(item) === overlapKey)) {
      if (tries++ >= maxRestarts)
        throw new ControllerError(name, { kind: 'unreadable', reason: 'list-changing' });
      [offset, overlapKey] = [0, undefined];
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
      throw new ControllerError(name, { kind: 'unreadable', reason: 'list-incomplete' });
    // With one item per page, an overlap would leave no room for new items.
    const overlaps = items.length > 1;
    overlapKey = overlaps ? keyOf(items.at(-1) ?? {}) : undefined;
    offset = overlaps ? end - 1 : end;
  }
};

/** A voucher may be listed without its id; then its code identifies it. */
const keyOf = ({ id, code }: Fields): unknown => id ?? code;
