import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { isBodiless } from '../contract/responses.js';
import { makeTurnBatch } from './turnBatch.js';
import type { Log } from '../log/log.js';
import type { HttpMetrics } from './httpMetrics.js';

/** An answer, ready to be written. */
export interface HttpResponse {
  readonly status: number;
  /** Names and values in turns, as `writeHead` takes them. */
  readonly headers: string[];
  /** JSON if it is not said. */
  readonly contentType?: string | undefined;
  readonly body?: Uint8Array | Readable | undefined;
  /** Is the connection closed after it? */
  readonly closesConnection?: boolean;
}

export const jsonContentType = 'application/json; charset=utf-8';

/** A JSON answer. */
export const jsonResponse = (status: number, body: unknown, headers: string[] = []): HttpResponse => ({
  status,
  headers,
  body: Buffer.from(JSON.stringify(body)),
});

/** Browsers must not guess another type: an answer may show what somebody else has entered. */
export const noSniffing = ['X-Content-Type-Options', 'nosniff'] as const;

/** Does the client have this state already? If-None-Match compares weakly: `W/"x"` matches `"x"`. */
export const matchesEtag = ({ headers }: IncomingMessage, etag: string): boolean => {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  return known.trim() === '*' || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
};

/** Writes an answer. A body that was not read and is too large, or of unknown length, ends the connection. */
export const sendResponse = (
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, contentType = jsonContentType, body: given, closesConnection = false }: HttpResponse,
  onBrokenOff: (error: Error) => void = () => undefined,
): void => {
  const body = isBodiless(status) ? undefined : given;
  if (given instanceof Readable && !body) given.destroy();
  headers.push(noSniffing[0], noSniffing[1]);
  if (body) headers.push('Content-Type', contentType);
  if (body instanceof Uint8Array) headers.push('Content-Length', String(body.length));
  if (closesConnection || hasUnreadBody(req)) {
    headers.push('Connection', 'close');
    const { socket } = req;
    // A body that was never touched counts as forgotten: node would read all of it after the answer.
    req.pause();
    req.read();
    socket.destroySoon = () => {
      closeWithoutReading(socket);
    };
  }
  res.writeHead(status, headers);
  if (body instanceof Readable) {
    // Sent now, so that the client of a stream of events knows that it is there.
    res.flushHeaders();
    // A pipelined response that still waits for its turn is not told that its connection is closed.
    const { socket } = req;
    const giveUp = (): void => void body.destroy();
    // Nobody waits for the end of events: a client that has closed its side is gone.
    const ends = contentType.startsWith('text/event-stream') ? ['close', 'end'] : ['close'];
    for (const end of ends) socket.once(end, giveUp);
    body.once('close', () => {
      for (const end of ends) socket.off(end, giveUp);
    });
    if (socket.destroyed || (ends.length > 1 && socket.readableEnded)) giveUp();
    pipeline(body, res, (error) => {
      // A client that is gone is no news.
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') onBrokenOff(error);
    });
  } else res.end(body);
};

/** How much of an unread body node may read and throw away to keep the connection open. */
const maxUnreadBytes = 64 * 1024;

const hasUnreadBody = (req: IncomingMessage): boolean =>
  !req.complete &&
  (req.headers['transfer-encoding'] !== undefined ||
    Number(req.headers['content-length'] ?? 0) > maxUnreadBytes);

/**
 * Closing a socket that holds unread bytes resets the connection, and the reset can overtake the answer.
 * So only our side is closed, nothing more is read, and the rest follows a moment later.
 */
export const closeWithoutReading = (socket: Socket): void => {
  socket.end();
  socket.pause();
  setTimeout(() => socket.destroy(), 500).unref();
};

/** One answered request, as log and metrics see it. */
interface ObservedRequest {
  /** As its client may have chosen it: another request may have the same. */
  readonly reqId: string;
  /** Tells the requests of operations apart. */
  readonly res?: object;
  /** The operationId; `description` or `page` for what is outside the contract; `none` for a wrong method. */
  readonly operation: string;
  readonly method: string | undefined;
  readonly status: number;
  /** What `performance.now()` said when the request came. */
  readonly started: number;
  readonly key?: string | undefined;
}

export type ObserveRequest = (request: ObservedRequest) => void;

/** The log never holds a key, a body, a code or a query. */
export const makeObserveRequest = (log: Log, metrics: HttpMetrics): ObserveRequest => {
  const observeTogether = makeTurnBatch((request: ObservedRequest & { readonly ended: number }) => {
    const { reqId, operation, method, status, key } = request;
    const ms = request.ended - request.started;
    metrics.request(operation, status, ms / 1000);
    log.info({ reqId, operation, method, status, ms: Math.round(ms * 100) / 100, key });
  });
  return ({ reqId, operation, method, status, started, key }) => {
    observeTogether({ reqId, operation, method, status, started, key, ended: performance.now() });
  };
};
