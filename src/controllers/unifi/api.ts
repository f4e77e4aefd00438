import type { Call, CallReply, Connection } from '../connection/connection.js';
import { fieldsOf, jsonOf } from '../connection/reading.js';
import { makeDeadline } from '../connection/deadline.js';
import { late } from '../connection/errors.js';
import { paused } from '../connection/waiting.js';
import { publicText } from '../../problem.js';
import { readAnswer, refusalOf, type Answer } from './refusal.js';

export interface ApiOptions {
  readonly connection: Connection;
  readonly name: string;
  readonly apiKey: string;
  /** For one request, a second try included. */
  readonly deadlineMs: number;
}

export type ApiCall = Omit<Call, 'headers'>;

/** The Integration API. Paths come after `/integration/v1`. */
export interface Api {
  /** Any answer. What a throttle prevents is asked for once more. */
  send(call: ApiCall): Promise<Answer>;
  /** The JSON of an answer, or throws what the answer means. */
  settle(answer: Answer): unknown;
  ask(call: ApiCall): Promise<unknown>;
}

/** UniFi OS and the cloud have it behind their gateway, the Network application on its own has not. */
const gateway = '/proxy/network';
const direct = '';

export const infoPath = `${gateway}/integration/v1/info`;

export const makeApi = ({ connection, name, apiKey, deadlineMs }: ApiOptions): Api => {
  let prefix: string | undefined;
  const headers = { 'x-api-key': apiKey };
  const call = (under: string, { path, ...rest }: ApiCall): Promise<CallReply> =>
    connection.call({ ...rest, path: `${under}/integration/v1${path}`, headers });

  /** Where the API is, is learned from answers. Under a wrong path nothing can have been done. */
  const reach = async (request: ApiCall): Promise<CallReply> => {
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

  const send = async (request: ApiCall): Promise<Answer> => {
    const begun = performance.now();
    const { signal, end } = makeDeadline(deadlineMs, request.signal);
    try {
      const first = readAnswer(await reach({ ...request, signal }), isInSite(request));
      const isInTime = performance.now() - begun + first.retryAfterMs < deadlineMs;
      if (first.status !== 429 || !isInTime) return first;
      if (!(await paused(first.retryAfterMs, signal))) throw late(name);
      return readAnswer(await reach({ ...request, signal }), isInSite(request));
    } finally {
      end();
    }
  };

  const settle = (answer: Answer): unknown => {
    if (answer.status >= 300 || answer.json === undefined) throw refusalOf(answer, { name, safe });
    return answer.json;
  };

  return { send, settle, ask: async (request) => settle(await send(request)) };
};

const isPage = ({ headers }: CallReply): boolean => headers['content-type']?.includes('html') === true;

/** Consoles answer with their start page where nothing else is. */
const isApi = ({ status, text }: CallReply): boolean => {
  const fields = fieldsOf(jsonOf(text));
  if (status < 300) return typeof fields['applicationVersion'] === 'string';
  return [401, 403].includes(status) && Object.keys(fields).length > 0;
};

const isInSite = ({ path }: ApiCall): boolean => path.startsWith('/sites/');
