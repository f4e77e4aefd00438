import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Problems } from '../contract/contract.js';
import { UnknownPreference } from '../contract/runtime/mock.js';
import { MethodNotAllowed, type Operations } from '../contract/runtime/operations.js';
import type { OperationRequest, AnyReply } from '../contract/runtime/request.js';
import { isCachedBody } from '../lib/cachedBody.js';
import type { Log } from '../lib/log.js';
import type { Metrics } from '../lib/metrics.js';
import { DatabaseUnavailable, fillTemplate, makeUnavailable, Problem, publicText } from '../lib/problem.js';
import type { Admission } from './admission.js';
import { ClientGone, readJson } from './body.js';
import {
  jsonResponse,
  matchesEtag,
  methodNotAllowedBody,
  sendResponse,
  type HttpResponse,
  type ObserveRequest,
} from './response.js';

export interface ServeOperationOptions<Key> {
  operations: Operations<Key>;
  log: Log;
  metrics: Metrics;
  observe: ObserveRequest;
  admission: Admission;
  /** How long a client is taken to wait for an answer. */
  requestDeadlineMs: number;
  /** What a log line may say of a key. */
  prefixOf(key: Key): string;
}

/** Answers one request whose path belongs to an operation. Rejects with what nobody foresaw. */
export type ServeOperation = (
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  search: string,
  id: string,
) => Promise<void>;

/** From node:http to an operation and back, without Express. */
export const makeServeOperation = <Key>(options: ServeOperationOptions<Key>): ServeOperation => {
  const { operations, log, metrics, observe, admission, requestDeadlineMs, prefixOf } = options;

  const runAdmitted = async (call: OperationRequest<Key>): Promise<AnyReply> => {
    if (!admission.enter()) {
      call.operation = operations.find(call);
      throw makeUnavailable();
    }
    try {
      return await operations.run(call);
    } finally {
      admission.leave();
    }
  };

  const answerTo = async (
    req: IncomingMessage,
    call: OperationRequest<Key>,
    reqId: string,
  ): Promise<HttpResponse> => {
    try {
      return replyResponse(req, await runAdmitted(call));
    } catch (error) {
      if (error instanceof MethodNotAllowed) {
        const allow = operations.methodsOf(call.path).join(', ');
        return jsonResponse(405, methodNotAllowedBody, ['Allow', allow]);
      }
      if (error instanceof UnknownPreference)
        return jsonResponse(400, { error: 'invalid_request', message: error.message });
      if (error instanceof ClientGone) throw error;
      const cause: unknown = error instanceof Problem ? error.cause : error;
      if (cause !== undefined) log.error({ reqId, err: cause }, 'request failed');
      const answer = problemResponse(error, call.operation?.problems, operations.problems);
      if (call.operation) operations.noteProblem(call.operation, answer.status);
      return answer;
    }
  };

  return async (req, res, path, search, id) => {
    const started = performance.now();
    const call: OperationRequest<Key> = {
      method: (req.method ?? '').toLowerCase(),
      path,
      headers: req.headers,
      search,
      operation: undefined,
      key: undefined,
      rateLimit: undefined,
      query: {},
      body: undefined,
      sentBody: undefined,
      readBody: (maxBytes) => readJson(req, res, maxBytes),
      signal: () => makeClientSignal(res, started + requestDeadlineMs - performance.now()),
    };
    let answer: HttpResponse;
    try {
      answer = await answerTo(req, call, id);
    } catch (error) {
      if (!(error instanceof ClientGone)) throw error;
      res.destroy();
      return;
    }
    answer.headers.push('X-Request-Id', id);
    if (operations.mocked.has(call.operation?.id ?? '')) answer.headers.push('X-Mock', 'true');
    if (call.rateLimit) {
      const { limit, remaining, resetSeconds } = call.rateLimit;
      answer.headers.push('RateLimit-Limit', String(limit), 'RateLimit-Remaining', String(remaining));
      answer.headers.push('RateLimit-Reset', String(resetSeconds));
      if (!call.rateLimit.accepted) metrics.limiterRefusal();
    }
    sendResponse(req, res, answer);
    observe({
      reqId: id,
      operation: call.operation?.id ?? 'none',
      method: req.method,
      status: answer.status,
      started,
      key: call.key === undefined ? undefined : prefixOf(call.key),
    });
  };
};

const replyResponse = (req: IncomingMessage, { status, body, headers }: AnyReply): HttpResponse => {
  const flat = headers ? Object.entries(headers).flat() : [];
  if (body === undefined) return { status, headers: flat };
  if (!isCachedBody(body)) return jsonResponse(status, body, flat);
  flat.push('ETag', body.etag);
  // A list is for the holder of a key, and is asked for anew each time: the ETag makes that cheap.
  if (headers?.['Cache-Control'] === undefined) flat.push('Cache-Control', 'private, no-cache');
  return matchesEtag(req, body.etag)
    ? { status: 304, headers: flat }
    : { status, headers: flat, body: body.bytes };
};

/** The one place that makes an answer of an error. What is thrown by accident is a server_error. */
const problemResponse = (error: unknown, documented: Problems | undefined, all: Problems): HttpResponse => {
  const problem =
    error instanceof Problem ? error : new Problem('server_error', { message: clientText(error) });
  const { status, text } = documented?.get(problem.code) ??
    all.get(problem.code) ?? { status: 500, text: problem.message };
  const message = fillTemplate(text, problem.values);
  return jsonResponse(status, { error: problem.code, message }, Object.entries(problem.headers).flat());
};

/** Where the database is, and why it does not answer, is the operator's matter. */
const clientText = (error: unknown): string =>
  error instanceof DatabaseUnavailable ? 'Die Datenbank ist nicht erreichbar' : publicText(error);

const connectionClosedSignals = new WeakMap<Socket, AbortSignal>();

/** Aborts when a connection closes. An answer that is queued behind another one would not hear of it by itself. */
const connectionClosedSignal = (socket: Socket): AbortSignal => {
  const known = connectionClosedSignals.get(socket);
  if (known) return known;
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  if (socket.destroyed) abort.abort();
  else socket.once('close', () => abort.abort());
  connectionClosedSignals.set(socket, abort.signal);
  return abort.signal;
};

/** A signal that aborts once nobody waits for an answer: the client is gone, or the deadline has passed. */
const makeClientSignal = (res: ServerResponse, leftMs: number): AbortSignal => {
  const gone = connectionClosedSignal(res.req.socket);
  if (gone.aborted || res.closed || res.destroyed) return AbortSignal.abort(new ClientGone());
  if (leftMs <= 0) return AbortSignal.abort(makeUnavailable());
  const abort = new AbortController();
  const end = (reason: Error): void => {
    clearTimeout(timer);
    gone.removeEventListener('abort', leave);
    abort.abort(reason);
  };
  const leave = (): void => end(new ClientGone());
  const timer = setTimeout(() => end(makeUnavailable()), leftMs);
  gone.addEventListener('abort', leave, { once: true });
  res.once('close', leave);
  return abort.signal;
};
