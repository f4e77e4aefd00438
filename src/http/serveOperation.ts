import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { contentTypeOf, type Operation } from '../contract/contract.js';
import { jsonMedia, type ReplyHeaders } from '../contract/document.js';
import { ContractError } from '../contract/source.js';
import { UnknownPreference } from '../contract/mock/mock.js';
import type { Match } from '../contract/runtime/contractRouter.js';
import { MethodNotAllowed, type Operations } from '../contract/runtime/operations.js';
import type { AnyReply, OperationRequest, RequestClient } from '../contract/runtime/request.js';
import { andThen, type Awaitable } from '../lib/awaitable.js';
import { isCachedBody } from '../lib/cachedBody.js';
import type { Log } from '../log/log.js';
import type { HttpMetrics } from './httpMetrics.js';
import { HttpProblem, isHttpProblem, makeUnavailable } from '../errors/httpProblem.js';
import { publicText } from '../lib/publicText.js';
import { isStreamed, type StreamedBody } from '../lib/streamedBody.js';
import type { Admission } from './overload.js';
import { BodyTimeout, receiveBody, streamBody, type BodyOptions } from './body.js';
import { ClientGone, makeClientSignal, onceClosed } from './clientGone.js';
import type { ResolveClient } from './client.js';
import type { ErrorForm } from './errorForm.js';
import { processUploadBudget, type UploadBudget } from './uploadBudget.js';
import {
  jsonResponse,
  matchesEtag,
  sendResponse,
  type HttpResponse,
  type ObserveRequest,
} from './response.js';

export interface ServeOperationOptions<Key> {
  operations: Operations<Key>;
  errors: ErrorForm;
  /** The refusal that an error of the service stands for. Any other error is a `server_error`. */
  toProblem?(error: unknown): HttpProblem<string> | undefined;
  log: Log;
  metrics: HttpMetrics;
  observe: ObserveRequest;
  admission: Admission;
  /** Another one than that of the process, for tests. */
  uploads?: UploadBudget;
  /** How long a client is assumed to wait for a response. */
  requestDeadlineMs: number;
  resolveClient: ResolveClient;
  /** Whether answers may be stored, by a browser or on the way. */
  noStore?: boolean;
  /** What a log line may say of a key. */
  prefixOf(key: Key): string;
  /** Called when a request ends in an unexpected error. */
  failed?(key: Key): void;
}

/**
 * Works on a request whose path belongs to an operation, and returns what writes the response:
 * at once if nothing has to be waited for. Both fail only with unexpected errors.
 */
export type ServeOperation = (exchange: OperationExchange, match: Match) => Awaitable<() => void>;

/** A request, and what is to become its response. */
export interface OperationExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** In lower case. */
  readonly method: string;
  /** Without the base path. */
  readonly path: string;
  /** What follows the question mark. */
  readonly search: string;
  readonly id: string;
  /** What `performance.now()` said when it came. */
  readonly started: number;
}

/** What log and metrics say where there was nobody to answer, as with nginx. */
const clientClosedRequest = 499;

/** How long a client that nobody knows may take for its body. What is public takes small ones only. */
const publicBodyTimeoutMs = 5_000;

/** From node:http to an operation and back, without Express. */
export const makeServeOperation = <Key>(options: ServeOperationOptions<Key>): ServeOperation => {
  const { operations, errors, log, metrics, observe, prefixOf } = options;

  const runAdmitted = (request: HttpOperationRequest<Key>, match: Match): Awaitable<HttpResponse> => {
    if (!request.enter()) {
      request.operation = match.operation;
      throw makeUnavailable();
    }
    let response: Awaitable<HttpResponse> | undefined;
    try {
      response = andThen(operations.run(request, match), (reply) => replyResponse(request, reply));
      return response instanceof Promise ? response.finally(() => request.leave()) : response;
    } finally {
      if (!(response instanceof Promise)) request.leave();
    }
  };

  /** The response to a request that failed; `undefined` when there is nobody to answer. */
  const errorResponse = (error: unknown, request: HttpOperationRequest<Key>): HttpResponse | undefined => {
    const { id: reqId, req } = request.exchange;
    const target = req.url;
    if (error instanceof MethodNotAllowed) {
      const allow = operations.methodsOf(request.path).join(', ');
      return errors.response(405, { code: 'method_not_allowed', target }, ['Allow', allow]);
    }
    if (error instanceof UnknownPreference)
      return errors.response(400, { code: 'invalid_request', message: error.message, target });
    if (error instanceof ContractError)
      return errors.response(501, { code: 'not_implemented', message: error.message, target });
    if (error instanceof ClientGone) return undefined;
    if (error instanceof BodyTimeout) {
      const content = { code: 'invalid_request', message: errors.text('request'), target };
      return { ...errors.response(408, content), closesConnection: true };
    }
    const problem = isHttpProblem(error) ? error : (options.toProblem?.(error) ?? serverError(error));
    if (problem.cause !== undefined) log.error({ reqId, err: problem.cause }, 'request failed');
    const { operation } = request;
    const response = errors.problemResponse(problem, target, operation?.problems);
    if (response.status === 500 && request.key !== undefined) options.failed?.(request.key);
    if (!operation) return response;
    operations.noteProblem(operation, response.status);
    const documented = jsonTypeOf(operation, { status: response.status });
    return documented === undefined ? response : { ...response, contentType: documented };
  };

  const respond = (request: HttpOperationRequest<Key>, response: HttpResponse | undefined): void => {
    const { exchange, operation, rateLimit } = request;
    const { id, req, res } = exchange;
    const observeAs = (status: number): void => {
      observe({
        reqId: id,
        res,
        operation: operation?.id ?? 'none',
        method: req.method,
        status,
        started: exchange.started,
        key: request.key === undefined ? undefined : prefixOf(request.key),
      });
    };
    // Until all of the response is sent: it may be made of what was uploaded.
    if (request.holdsUpload()) onceClosed(res, () => request.releaseUpload());
    if (!response) {
      res.destroy();
      observeAs(clientClosedRequest);
      return;
    }
    const { headers } = response;
    headers.push('X-Request-Id', id);
    if (options.noStore && !headers.includes('Cache-Control')) headers.push('Cache-Control', 'no-store');
    if (operation?.negotiates) headers.push('Vary', 'Accept');
    if (operation && operations.mocked.has(operation.id)) headers.push('X-Mock', 'true');
    if (rateLimit) {
      headers.push('RateLimit-Limit', String(rateLimit.limit));
      headers.push('RateLimit-Remaining', String(rateLimit.remaining));
      headers.push('RateLimit-Reset', String(rateLimit.resetSeconds));
      if (!rateLimit.accepted) metrics.limiterRefusal();
    }
    sendResponse(req, res, response, (error) => {
      log.error({ reqId: id, err: error }, 'the response broke off');
    });
    observeAs(response.status);
  };

  return (exchange, match) => {
    const request = new HttpOperationRequest<Key>(exchange, options);
    let response: Awaitable<HttpResponse | undefined>;
    try {
      response = runAdmitted(request, match);
    } catch (error) {
      response = errorResponse(error, request);
    }
    return andThen(
      response instanceof Promise
        ? response.catch((error: unknown) => errorResponse(error, request))
        : response,
      (known) => () => respond(request, known),
    );
  };
};

type RequestOptions = Pick<
  ServeOperationOptions<unknown>,
  'admission' | 'uploads' | 'requestDeadlineMs' | 'resolveClient'
>;

/** A class, because the same functions for each request would be made anew for each as an object. */
class HttpOperationRequest<Key> implements OperationRequest<Key> {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly headers: IncomingMessage['headers'];
  operation: Operation | undefined = undefined;
  key: Key | undefined = undefined;
  rateLimit: OperationRequest<Key>['rateLimit'] = undefined;
  readonly pathParameters: Record<string, unknown> = {};
  readonly query: Record<string, unknown> = {};
  readonly headerParameters: Record<string, unknown> = {};
  readonly cookies: Record<string, unknown> = {};
  accepted: string | undefined = undefined;
  bodyType: OperationRequest<Key>['bodyType'] = undefined;
  body: unknown = undefined;
  sentBody: unknown = undefined;
  #isAdmitted = false;
  #uploadedBytes = 0;

  constructor(
    readonly exchange: OperationExchange,
    private readonly options: RequestOptions,
  ) {
    this.method = exchange.method;
    this.path = exchange.path;
    this.search = exchange.search;
    this.headers = exchange.req.headers;
  }

  isComplete(): boolean {
    return this.exchange.req.complete;
  }

  /** Counts it as in flight. False when it is to be refused. */
  enter(): boolean {
    this.#isAdmitted = this.options.admission.enter();
    return this.#isAdmitted;
  }

  leave(): void {
    if (this.#isAdmitted) this.options.admission.leave();
    this.#isAdmitted = false;
  }

  readBody(maxBytes: number, isUpload: boolean): Promise<Buffer> {
    const options = isUpload ? { hasRoom: (bytes: number) => this.#reserveUpload(bytes) } : {};
    const isPublic = this.key === undefined;
    return isPublic && !this.exchange.req.complete
      ? this.#readPublicBody(maxBytes, options)
      : receiveBody(this.exchange.req, this.exchange.res, maxBytes, options);
  }

  get #uploads(): UploadBudget {
    return this.options.uploads ?? processUploadBudget;
  }

  #reserveUpload(bytes: number): boolean {
    const isReserved = this.#uploads.reserve(bytes);
    if (isReserved) this.#uploadedBytes += bytes;
    return isReserved;
  }

  holdsUpload(): boolean {
    return this.#uploadedBytes > 0;
  }

  /** Called when nothing more is done with the body. */
  releaseUpload(): void {
    this.#uploads.release(this.#uploadedBytes);
    this.#uploadedBytes = 0;
  }

  /** While the body of somebody unknown is waited for, it takes no place of those in flight. */
  async #readPublicBody(maxBytes: number, options: BodyOptions): Promise<Buffer> {
    this.leave();
    const body = await receiveBody(this.exchange.req, this.exchange.res, maxBytes, {
      ...options,
      timeoutMs: publicBodyTimeoutMs,
    });
    if (!this.enter()) throw makeUnavailable();
    return body;
  }

  hasBody(): boolean {
    const { 'transfer-encoding': encoding, 'content-length': length = '0' } = this.headers;
    return encoding !== undefined || length !== '0';
  }

  streamBody(maxBytes: number): Readable {
    return streamBody(this.exchange.req, this.exchange.res, maxBytes);
  }

  client(): RequestClient {
    return this.options.resolveClient(this.exchange.req);
  }

  signal(): AbortSignal {
    const { res, started } = this.exchange;
    return makeClientSignal(res, started + this.options.requestDeadlineMs - performance.now());
  }
}

const replyResponse = (
  { exchange: { req }, operation, accepted }: HttpOperationRequest<unknown>,
  reply: AnyReply,
): HttpResponse => {
  const { status, body, headers } = reply;
  if (isStreamed(body)) return streamedResponse(reply, body, operation, accepted);
  const contentType = operation && jsonTypeOf(operation, reply, accepted);
  const flat = headers ? flattenHeaders(headers, contentType) : [];
  if (body === undefined) return { status, headers: flat };
  if (!isCachedBody(body)) return { ...jsonResponse(status, body, flat), contentType };
  flat.push('ETag', body.etag);
  // Only the owner of a key may cache a list, and has to revalidate it: the ETag makes that cheap.
  if (headers?.['Cache-Control'] === undefined) flat.push('Cache-Control', 'private, no-cache');
  return matchesEtag(req, body.etag)
    ? { status: 304, headers: flat }
    : { status, headers: flat, contentType, body: body.bytes };
};

/** The content type of a reply that is JSON under another name. */
const jsonTypeOf = (
  operation: Operation,
  reply: Pick<AnyReply, 'status' | 'headers'>,
  accepted?: string,
): string | undefined => {
  const type = operation.hasOtherJson ? contentTypeOf(operation, reply, 'json', accepted) : undefined;
  return type === jsonMedia ? undefined : type;
};

/**
 * Names and values in turns; a name with several values comes once for each.
 * The content type is written with the body.
 */
const flattenHeaders = (headers: ReplyHeaders, contentType: string | undefined): string[] =>
  Object.entries(headers).flatMap(([name, value]) => {
    if (contentType !== undefined && name.toLowerCase() === 'content-type') return [];
    return typeof value === 'string' ? [name, value] : value.flatMap((each) => [name, each]);
  });

const streamedResponse = (
  reply: AnyReply,
  body: StreamedBody,
  operation: Operation | undefined,
  accepted: string | undefined,
): HttpResponse => ({
  status: reply.status,
  headers: flattenHeaders(reply.headers ?? {}, 'any'),
  contentType: operation && contentTypeOf(operation, reply, 'stream', accepted),
  body,
});

const serverError = (error: unknown): HttpProblem =>
  new HttpProblem('server_error', { message: publicText(error) }, {}, error);
