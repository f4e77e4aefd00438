import { publicText } from '../../lib/publicText.js';
import { ensureDeadline, remainingMs, sleepUnlessAborted } from '../deadline.js';
import { ControllerError, deadlineError, withKnownOutcome } from '../errors.js';
import type { Connection } from '../https/connection.js';
import type { ControllerRequest } from '../https/exchange.js';
import { asFields, asNumber, type Fields } from '../parsing.js';
import { isBusy, isTokenRefused, parseOmadaAnswer, toOmadaError, type OmadaAnswer } from './answer.js';
import type { OmadaTokens } from './tokens.js';

interface OmadaApiOptions {
  readonly connection: Connection;
  readonly tokens: OmadaTokens;
  readonly name: string;
  /** For one request with its repetitions, unless its signal has a deadline already. */
  readonly deadlineMs: number;
}

type OmadaRequest = Omit<ControllerRequest, 'headers'>;

/** A list, page by page. */
interface ListRequest {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

/** A complete list, and the other values of its last page. */
interface OmadaList {
  readonly items: readonly Fields[];
  readonly fields: Fields;
}

/** The Open API. Paths come after `/openapi/v1/{omadacId}`. */
export interface OmadaApi {
  /**
   * Returns any answer. A refused token is renewed once; a
   * busy controller is asked again while there is time.
   */
  send(call: OmadaRequest): Promise<OmadaAnswer>;
  /** The result of a successful answer; throws the error that any other one means. */
  unwrap(answer: OmadaAnswer): unknown;
  get(path: string, signal: AbortSignal | undefined): Promise<Fields>;
  list(call: ListRequest): Promise<OmadaList>;
}

/** The controller says how long to wait, but 0 would be a loop. */
const minWaitMs = 250;

const pageSize = 1000;

/** A list has no more pages, whatever number of rows it says, and takes no longer. */
const maxPages = 500;
const maxListMs = 600_000;

/** How often a list that changes while it is read is restarted. */
const maxRestarts = 5;

/** Text of the controller without these secrets, on one line. */
export const redactQuote = (text: string, secrets: readonly string[]): string =>
  publicText(secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text))
    .replace(/[\p{C}\s]+/gu, ' ')
    .slice(0, 200);

export const makeOmadaApi = ({ connection, tokens, name, deadlineMs }: OmadaApiOptions): OmadaApi => {
  const send = async (request: OmadaRequest): Promise<OmadaAnswer> => {
    const { signal, end } = ensureDeadline(deadlineMs, request.signal);
    try {
      for (let isRenewed = false; ;) {
        const token = await tokens.get(signal);
        const path = `/openapi/v1/${token.omadacId}${request.path}`;
        const reply = await connection.call({ ...request, path, signal, headers: token.headers() });
        const answer = parseOmadaAnswer(reply);
        if (isTokenRefused(answer)) {
          tokens.drop(token);
          if (isRenewed) return answer;
          isRenewed = true;
        } else {
          const waitMs = Math.max(minWaitMs, answer.retryAfterMs);
          if (!isBusy(answer) || waitMs >= remainingMs(signal)) return answer;
          if (!(await sleepUnlessAborted(waitMs, signal))) throw deadlineError(name);
        }
      }
    } finally {
      end();
    }
  };

  const unwrap = (answer: OmadaAnswer): unknown => {
    if (answer.status >= 300 || answer.errorCode !== 0)
      throw toOmadaError(answer, { name, safe: tokens.safe });
    return answer.result;
  };

  const get = async (path: string, signal: AbortSignal | undefined): Promise<Fields> =>
    asFields(await withKnownOutcome(send({ method: 'GET', path, signal }).then(unwrap)));

  /** Undefined when the list has changed while it was read. */
  const readPages = async ({ path, query, signal }: ListRequest): Promise<OmadaList | undefined> => {
    const items: Fields[] = [];
    const ids = new Set<unknown>();
    const startedAt = performance.now();
    let total: number | undefined;
    for (let page = 1; page <= maxPages; page++) {
      if (performance.now() - startedAt > maxListMs) throw deadlineError(name);
      const search = new URLSearchParams({ page: String(page), pageSize: String(pageSize), ...query });
      const fields = await get(`${path}?${search.toString()}`, signal);
      const { totalRows, data, ...others } = fields;
      const rows = asNumber(totalRows);
      if (!Array.isArray(data) || rows === undefined)
        throw new ControllerError(name, { kind: 'unreadable', reason: 'list' });
      if (total !== undefined && rows !== total) return undefined;
      total = rows;
      for (const item of data.map(asFields)) {
        const { id } = item;
        // It has moved across a page boundary, and another may be missing.
        if (id !== undefined && id !== null && ids.has(id)) return undefined;
        ids.add(id);
        items.push(item);
      }
      if (items.length >= total) return { items, fields: others };
      if (data.length === 0) break;
    }
    throw new ControllerError(name, { kind: 'unreadable', reason: 'list-incomplete' });
  };

  return {
    send,
    unwrap,
    get,
    list: async (request) => {
      for (let tries = 1; tries <= maxRestarts; tries++) {
        const list = await readPages(request);
        if (list) return list;
      }
      throw new ControllerError(name, { kind: 'unreadable', reason: 'list-changing' });
    },
  };
};
