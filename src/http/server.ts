import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { makeClientErrors } from './clientErrors.js';
import { makeDispatch, makeServedPaths, type DispatchOptions } from './dispatch.js';
import { makeDropReporter } from './droppedConnections.js';
import { makeGracefulShutdown } from './gracefulShutdown.js';
import { probeWhenHalfClosed } from './halfClosed.js';
import type { HttpMetrics } from './httpMetrics.js';
import { listenAt, nameUnixPeer, type ListenTarget } from './listen.js';
import { makePipelining } from './pipelining.js';

/** A certificate and its key, in PEM. */
export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

interface HttpServerOptions extends DispatchOptions {
  target: ListenTarget;
  tls: TlsFiles | undefined;
  metrics: HttpMetrics;
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

/** How long a connection may be silent while a request is on its way or an answer is waited for. */
const socketTimeoutMs = 120_000;
/** What an answer may take beside the work for it before its connection counts as dead. */
const responseMarginMs = 60_000;

/** Listens, and hands each request to the owner of its path. */
export const startHttpServer = async (options: HttpServerOptions): Promise<RunningHttpServer> => {
  const { tls, basePath, observe, log, newRequestId } = options;

  const shutdown = makeGracefulShutdown();
  const noteDropped = makeDropReporter(options);
  const paths = makeServedPaths(options);
  const { begin, noteUnmetExpectation } = makeDispatch(options, paths, shutdown);

  const pipelining = makePipelining({
    begin,
    onDropped: () => noteDropped.pipelining(),
    onAbandoned: (requests) => {
      options.metrics.droppedConnection('closed');
      log.info({ requests }, 'a connection was closed before its requests could begin');
    },
  });
  const { admit, isOwedAnswer, nextDue } = pipelining;

  const limits = {
    requireHostHeader: false,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
    keepAliveTimeout: options.keepAliveTimeoutMs,
  };
  const { onConnect, onClientError } = makeClientErrors({
    pipelining,
    paths,
    noteDropped,
    observe,
    newRequestId,
    headersTimeoutMs: limits.headersTimeout,
  });
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
    // A client that has closed its side still gets its answers. Not before its handshake:
    // who leaves in the middle of one would stay connected.
    socket.allowHalfOpen = true;
    probeWhenHalfClosed(socket, () => nextDue(socket));
  });
  server.on('checkContinue', admit);
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    noteUnmetExpectation(req);
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
    drain: () => shutdown.drain(server),
  };
};
