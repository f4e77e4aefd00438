import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Problems } from '../contract/contract.js';
import type { AnyReply, Call } from '../contract/call.js';
import { UnknownPreference } from '../contract/mock.js';
import { MethodNotAllowed, type Operations } from '../contract/operations.js';
import { isKept } from '../kept.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import { DatabaseUnavailable } from '../databaseUnavailable.js';
import { fill, Problem, publicText, unavailable } from '../problem.js';
import type { Admission } from './admission.js';
import { isKnown, jsonAnswer, methodNotAllowed, send, type Answer } from './answer.js';
import { awaitedSignal } from './awaited.js';
import { ClientGone, readJson } from './body.js';
import type { Observe } from './observe.js';

export interface ApiOptions<Key> {
  operations: Operations<Key>;
  log: Log;
  metrics: Metrics;
  observe: Observe;
  admission: Admission;
  /** How long a client is taken to wait for an answer. */
  requestDeadlineMs: number;
  /** What a log line may say of a key. */
  prefixOf(key: Key): string;
}

/** Answers one request whose path belongs to an operation. Rejects with what nobody foresaw. */
export type Api = (
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  search: string,
  id: string,
) => Promise<void>;

/** From node:http to an operation and back, without Express. */
export const makeApi = <Key>(options: ApiOptions<Key>): Api => {
  const { operations, log, metrics, observe, admission, requestDeadlineMs, prefixOf } = options;

  const runAdmitted = async (call: Call<Key>): Promise<AnyReply> => {
    if (!admission.enter()) {
      call.operation = operations.find(call);
      throw unavailable();
    }
    try {
      return await operations.run(call);
    } finally {
      admission.leave();
    }
  };

  const answerTo = async (req: IncomingMessage, call: Call<Key>, reqId: string): Promise<Answer> => {
    try {
      return replyAnswer(req, await runAdmitted(call));
    } catch (error) {
      if (error instanceof MethodNotAllowed) {
        const allow = operations.methodsOf(call.path).join(', ');
        return jsonAnswer(405, methodNotAllowed, ['Allow', allow]);
      }
      if (error instanceof UnknownPreference)
        return jsonAnswer(400, { error: 'invalid_request', message: error.message });
      if (error instanceof ClientGone) throw error;
      const cause: unknown = error instanceof Problem ? error.cause : error;
      if (cause !== undefined) log.error({ reqId, err: cause }, 'request failed');
      const answer = problemAnswer(error, call.operation?.problems, operations.problems);
      if (call.operation) operations.noteProblem(call.operation, answer.status);
      return answer;
    }
  };

  return async (req, res, path, search, id) => {
    const started = performance.now();
    const call: Call<Key> = {
      method: (req.method ?? '').toLowerCase(),
      path,
      headers: req.headers,
      search,
      query: {},
      requestBody: undefined,
      params: {},
      cookies: {},
      operation: undefined,
      key: undefined,
      allowance: undefined,
      fault: undefined,
      readBody: () => readJson(req, res),
      signal: () => awaitedSignal(res, started + requestDeadlineMs - performance.now()),
    };
    let answer: Answer;
    try {
      answer = await answerTo(req, call, id);
    } catch (error) {
      if (!(error instanceof ClientGone)) throw error;
      res.destroy();
      return;
    }
    answer.headers.push('X-Request-Id', id);
    if (operations.mocked.has(call.operation?.id ?? '')) answer.headers.push('X-Mock', 'true');
    if (call.allowance) {
      const { limit, remaining, resetSeconds } = call.allowance;
      answer.headers.push('RateLimit-Limit', String(limit), 'RateLimit-Remaining', String(remaining));
      answer.headers.push('RateLimit-Reset', String(resetSeconds));
      if (!call.allowance.accepted) metrics.limiterRefusal();
    }
    send(req, res, answer);
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

const replyAnswer = (req: IncomingMessage, { status, body, headers }: AnyReply): Answer => {
  const flat = headers ? Object.entries(headers).flat() : [];
  if (body === undefined) return { status, headers: flat };
  if (!isKept(body)) return jsonAnswer(status, body, flat);
  flat.push('ETag', body.etag);
  // A list is for the holder of a key, and is asked for anew each time: the ETag makes that cheap.
  if (headers?.['Cache-Control'] === undefined) flat.push('Cache-Control', 'private, no-cache');
  return isKnown(req, body.etag)
    ? { status: 304, headers: flat }
    : { status, headers: flat, body: body.bytes };
};

/** The one place that makes an answer of an error. What is thrown by accident is a server_error. */
const problemAnswer = (error: unknown, documented: Problems | undefined, all: Problems): Answer => {
  const problem =
    error instanceof Problem ? error : new Problem('server_error', { message: clientText(error) });
  const { status, text } = documented?.get(problem.code) ??
    all.get(problem.code) ?? { status: 500, text: problem.message };
  const message = fill(text, problem.values);
  return jsonAnswer(status, { error: problem.code, message }, Object.entries(problem.headers).flat());
};

/** Where the database is, and why it does not answer, is the operator's matter. */
const clientText = (error: unknown): string =>
  error instanceof DatabaseUnavailable ? 'Die Datenbank ist nicht erreichbar' : publicText(error);
