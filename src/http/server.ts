import {
  createServer as createHttpServer,
  ServerResponse,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Log } from '../log/log.js';
import type { HttpMetrics } from './httpMetrics.js';
import { stripBasePath } from '../lib/basePath.js';
import { makeTurnBatch } from './turnBatch.js';
import { publicText } from '../lib/publicText.js';
import type { IsFromProxy } from './client.js';
import { makeDropReporter } from './droppedConnections.js';
import { makeGracefulShutdown, sayGoodbye } from './gracefulShutdown.js';
import { listenAt, nameUnixPeer, type ListenTarget } from './listen.js';
import { makePipelining } from './pipelining.js';
import { probeWhenHalfClosed } from './halfClosed.js';
import { makeParserErrorResponse, writeParserErrorResponse, type ParserError } from './parserErrors.js';
import { standardErrorForm, type ErrorForm } from './errorForm.js';
import { closeWithoutReading, sendResponse, type HttpResponse, type ObserveRequest } from './response.js';
import type { DescriptionEndpoint } from './servedDescription.js';
import type { ServedContract } from './servedContract.js';
import type { OperationExchange, ServeOperation } from './serveOperation.js';

/** A certificate and its key, in PEM. */
export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

interface HttpServerOptions {
  target: ListenTarget;
  tls: TlsFiles | undefined;
  /** The path that everything is below. It is removed here, so that nothing behind it knows of it. */
  basePath: string;
  /** What is served of each contract. The first that has a path answers it. */
  readonly contracts: readonly { readonly current: ServedContract }[];
  pages: RequestListener;
  /** Without it, no proxy is trusted. */
  isFromProxy?: IsFromProxy;
  observe: ObserveRequest;
  log: Log;
  metrics: HttpMetrics;
  newRequestId(): string;
  maxConnections: number;
  /** How many connections may wait to be accepted. */
  backlog: number;
  /** How long a connection without a request stays open. */
  keepAliveTimeoutMs: number;
  /** How long the slowest answer may be worked on. */
  slowestAnswerMs: number;
}

export interface RunningHttpServer {
  /** Where it listens, with the base path. */
  readonly url: string;
  /** The Unix socket that it listens on; undefined for an address. */
  readonly socket: string | undefined;
  /** Shows another certificate to connections from now on; those that are open stay as they are. */
  replaceCertificate(tls: TlsFiles): void;
  /** Takes no more connections, finishes what is in flight, then resolves. */
  drain(): Promise<void>;
}

/** What load balancers ask the process itself: also answered without the base path. */
const probePaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

const requestIdPattern = /^[\w.:-]{1,64}$/;

/** How long a connection may be silent while a request is on its way or an answer is waited for. */
const socketTimeoutMs = 120_000;
/** What an answer may take beside the work for it before its connection counts as dead. */
const responseMarginMs = 60_000;

/** Listens, and hands each request to the owner of its path. */
export const startHttpServer = async (options: HttpServerOptions): Promise<RunningHttpServer> => {
  const { tls, basePath, contracts, pages, observe, log, newRequestId } = options;

  const { isDraining, track, drain } = makeGracefulShutdown();
  const noteDropped = makeDropReporter(options);

  /** Requests that expect something else than `100-continue`. */
  const unmetExpectations = new WeakSet<IncomingMessage>();

  const findDescription = (path: string): DescriptionEndpoint | undefined =>
    contracts.find(({ current }) => current.description.handles(path))?.current.description;

  /** Of requests that belong to no contract: that of the first. */
  const errorForm = (): ErrorForm => contracts[0]?.current.errors ?? standardErrorForm;

  const notFound = ({ url }: IncomingMessage, headers: string[] = []): HttpResponse => {
    const form = errorForm();
    return form.response(404, { code: 'not_found', message: form.text('address'), target: url }, headers);
  };

  const findPath = (path: string): string | undefined =>
    stripBasePath(basePath, path) ?? (probePaths.has(path) ? path : undefined);

  const dispatch = (
    req: IncomingMessage,
    res: ServerResponse,
    { id, started, isPipelined }: { id: string; started: number; isPipelined: boolean },
  ): void => {
    const refuse = (status: number, reason: 'host' | 'expect'): void => {
      const headers = ['X-Request-Id', id, 'Connection', 'close'];
      const form = errorForm();
      const error = { code: 'invalid_request', message: form.text(reason), target: req.url };
      sendResponse(req, res, form.response(status, error, headers));
      observe({ reqId: id, operation: 'none', method: req.method, status, started });
    };
    // HTTP/1.1 wants exactly one Host; before that there was none, and a proxy may send on what such a client sent.
    const lacksHost = req.headers.host === undefined && req.httpVersion === '1.1';
    if (isRepeated(req.rawHeaders, 'host') || (lacksHost && options.isFromProxy?.(req) !== true)) {
      refuse(400, 'host');
      return;
    }
    if (unmetExpectations.has(req)) {
      refuse(417, 'expect');
      return;
    }
    // Node keeps the first of several and drops the rest, which may be what a proxy has looked at.
    if (isRepeated(req.rawHeaders, 'authorization')) delete req.headers.authorization;
    const { path: fullPath, search } = parseTarget(req.url ?? '/');
    const path = basePath === '' ? fullPath : findPath(fullPath);
    if (path === undefined) {
      sendResponse(req, res, notFound(req, ['X-Request-Id', id]));
      observe({ reqId: id, operation: 'none', method: req.method, status: 404, started });
      return;
    }
    const method = (req.method ?? '').toLowerCase();
    for (const { current } of contracts) {
      const match = current.find(path, method);
      if (!match) continue;
      const exchange = { req, res, method, path, search, id, started };
      startOperation(exchange, isPipelined, () => current.serveOperation(exchange, match));
      return;
    }
    const description = findDescription(path);
    const operation = description ? 'description' : 'page';
    res.once('finish', () => {
      observe({ reqId: id, operation, method: req.method, status: res.statusCode, started });
    });
    res.setHeader('X-Request-Id', id);
    if (description) description.serve(req, res, path);
    // `CONNECT host:443` and `OPTIONS *` name no page.
    else if (!path.startsWith('/')) sendResponse(req, res, notFound(req));
    else {
      // Express gives the address that was asked for the same name.
      const url = search === '' ? path : `${path}?${search}`;
      pages(Object.assign(req, { originalUrl: req.url, url }), res);
    }
  };

  const startOperation = (
    { req, res, id, started }: OperationExchange,
    isPipelined: boolean,
    serve: () => ReturnType<ServeOperation>,
  ): void => {
    const onError = (error: unknown): void => {
      fail(req, res, id, error);
      observe({ reqId: id, res, operation: 'none', method: req.method, status: 500, started });
    };
    if (isDraining()) sayGoodbye(res);
    const respond = (write: () => void): void => {
      try {
        write();
      } catch (error) {
        onError(error);
      }
    };
    try {
      const work = serve();
      if (work instanceof Promise) track(req, res, work.then(respond, onError));
      else if (isPipelined) respond(work);
      else respondTogether(() => respond(work));
    } catch (error) {
      onError(error);
    }
  };

  const respondTogether = makeTurnBatch((respond: () => void) => respond());

  /** Unexpected errors: the client gets a 500, the log the reason, and the process continues. */
  const fail = (req: IncomingMessage, res: ServerResponse, id: string, error: unknown): void => {
    log.error({ reqId: id, err: error }, 'request failed');
    if (res.headersSent) {
      res.destroy();
      return;
    }
    const content = { code: 'server_error', message: publicText(error), target: req.url };
    sendResponse(req, res, errorForm().response(500, content, ['X-Request-Id', id]));
  };

  const begin = (req: IncomingMessage, res: ServerResponse, started: number, isPipelined: boolean): void => {
    const given = req.headers['x-request-id'];
    const id = typeof given === 'string' && requestIdPattern.test(given) ? given : newRequestId();
    try {
      dispatch(req, res, { id, started, isPipelined });
    } catch (error) {
      fail(req, res, id, error);
    }
  };
  const pipelining = makePipelining({
    begin,
    onDropped: () => noteDropped.pipelining(),
    onAbandoned: (requests) => {
      options.metrics.droppedConnection('closed');
      log.info({ requests }, 'a connection was closed before its requests could begin');
    },
  });
  const { admit, hasBegunAnswer, isOwedAnswer, nextDue, lastDue, whenReadAgain, watchProgress } = pipelining;

  /** Does something after the answers that a connection is still owed. */
  const afterAnswers = (socket: Socket, act: () => void): void => {
    const due = lastDue(socket);
    if (due) due.once('close', act);
    else act();
  };

  /** Node leaves a CONNECT alone with its socket. It is answered like any other request. */
  const onConnect = (req: IncomingMessage, socket: Socket): void => {
    socket.on('error', () => undefined);
    socket.on('timeout', () => socket.destroy());
    afterAnswers(socket, () => {
      if (!socket.writable) return;
      const res = new ServerResponse(req);
      res.shouldKeepAlive = false;
      res.assignSocket(socket);
      res.once('finish', () => {
        closeWithoutReading(socket);
      });
      admit(req, res);
    });
  };

  const methodsAt = (target: string): readonly string[] => {
    const path = findPath(parseTarget(target).path);
    if (path === undefined) return [];
    const found = contracts.map(({ current }) => current.methodsOf(path)).find(({ length }) => length > 0);
    return found ?? findDescription(path)?.methods ?? [];
  };

  /** A client is not late while we do not read its connection. Afterwards it gets its time once more. */
  const giveMoreTime = (error: ParserError, socket: Socket): boolean =>
    whenReadAgain(socket, () => {
      const hasGoneOn = watchProgress(socket);
      const timer = setTimeout(() => {
        // What has arrived while the process was busy is read first.
        setImmediate(() => {
          if (!socket.destroyed && !hasGoneOn()) onClientError(error, socket);
        });
      }, limits.headersTimeout).unref();
      socket.once('close', () => clearTimeout(timer));
    });

  const refused = new WeakSet<Socket>();
  /** What is no HTTP is refused once. What was asked before it is answered first. */
  const onClientError = (error: ParserError, socket: Socket): void => {
    if (refused.has(socket)) return;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && giveMoreTime(error, socket)) return;
    refused.add(socket);
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    afterAnswers(socket, () => {
      // A request whose body never comes to its end may still be there: the refusal is its answer, unless it has one.
      if (hasBegunAnswer(socket)) {
        socket.destroy();
        noteDropped.incomplete();
      } else if (!socket.writable) closeWithoutReading(socket);
      else {
        const [reqId, refusal] = [newRequestId(), makeParserErrorResponse(error, methodsAt, errorForm())];
        const { status, method } = refusal;
        writeParserErrorResponse(socket, reqId, refusal);
        observe({ reqId, operation: 'none', method, status, started: performance.now() });
      }
    });
  };

  const limits = {
    requireHostHeader: false,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
    keepAliveTimeout: options.keepAliveTimeoutMs,
  };
  const server: Server = tls
    ? createHttpsServer({ ...tls, ...limits }, admit)
    : createHttpServer(limits, admit);
  // Node does not document this one. Without it the end of the requests is the end of the answers, too.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.timeout = Math.max(socketTimeoutMs, options.slowestAnswerMs + responseMarginMs);
  server.maxConnections = options.maxConnections;
  server.on('drop', () => noteDropped.connections());
  server.on('timeout', (socket: Socket) => {
    // A connection without a request has come to its usual end.
    if (isOwedAnswer(socket)) noteDropped.silent();
    socket.destroy();
  });
  let isUnix = false;
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (isUnix) nameUnixPeer(socket);
    // Node remembers the address from now on, also when the client is gone before anybody asks.
    else void socket.remoteAddress;
    // A client that has closed its side still gets its answers. Not before its handshake: who leaves in the middle of
    // one would stay connected.
    socket.allowHalfOpen = true;
    probeWhenHalfClosed(socket, () => nextDue(socket));
  });
  server.on('checkContinue', admit);
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    unmetExpectations.add(req);
    admit(req, res);
  });
  server.on('connect', onConnect);
  server.on('clientError', onClientError);
  const { host, socket, ...bound } = await listenAt(server, options.target, options.backlog);
  isUnix = bound.isUnix;
  return {
    url: `${tls ? 'https' : 'http'}://${host}${basePath}`,
    socket,
    replaceCertificate: (files) => {
      if (server instanceof HttpsServer) server.setSecureContext(files);
    },
    drain: () => drain(server),
  };
};

const isRepeated = (rawHeaders: readonly string[], name: string): boolean => {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] ?? '';
    if (header.length === name.length && header.toLowerCase() === name) count += 1;
  }
  return count > 1;
};

/** The path of a request target, and what follows its question mark. */
const parseTarget = (url: string): { path: string; search: string } => {
  // A client that takes us for a proxy writes the whole address.
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '') || '/';
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return {
    // A base URL that ends in a slash makes two of them.
    path: path.includes('//') ? path.replace(/\/{2,}/g, '/') : path,
    search: mark < 0 ? '' : target.slice(mark + 1),
  };
};
