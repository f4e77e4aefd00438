import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { jsonAnswer, send } from './answer.js';
import { makeDrain } from './drain.js';
import type { Front } from './front.js';
import type { Observe } from './observe.js';

export interface ServerOptions {
  host: string;
  port: number;
  tls: { cert: Buffer; key: Buffer } | undefined;
  /** What is served of the contract. Asked for once per request. */
  front(): Front;
  pages: RequestListener;
  observe: Observe;
  newRequestId(): string;
}

export interface RunningServer {
  readonly url: string;
  /** Takes no more connections, finishes what is in flight, then resolves. */
  drain(): Promise<void>;
}

const requestIdOf = /^[\w.:-]{1,64}$/;

/** Listens, and hands each request to whoever owns its path. */
export const startServer = async (options: ServerOptions): Promise<RunningServer> => {
  const { host, port, tls, front, pages, observe, newRequestId } = options;

  const { track, drain } = makeDrain();

  const onRequest = (req: IncomingMessage, res: ServerResponse): void => {
    const given = req.headers['x-request-id'];
    const id = typeof given === 'string' && requestIdOf.test(given) ? given : newRequestId();
    // HTTP/1.1 wants exactly one Host; before that there was none.
    if (isRepeated(req.rawHeaders, 'host') || (req.headers.host === undefined && req.httpVersion === '1.1')) {
      const headers = ['X-Request-Id', id, 'Connection', 'close'];
      send(req, res, jsonAnswer(400, { error: 'invalid_request', message: 'Host ungültig' }, headers));
      observe({ reqId: id, operation: 'none', method: req.method, status: 400, started: performance.now() });
      return;
    }
    // Node keeps the first of several and drops the rest, which may be what a proxy has looked at.
    if (isRepeated(req.rawHeaders, 'authorization')) delete req.headers.authorization;
    // A client that takes us for a proxy writes the whole address.
    const target = (req.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '');
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const { api, isOperation, description } = front();
    if (isOperation(path)) {
      track(req, res, api(req, res, path, mark < 0 ? '' : target.slice(mark + 1), id));
      return;
    }
    const operation = description.handles(path) ? 'description' : 'page';
    const started = performance.now();
    res.once('finish', () => {
      observe({ reqId: id, operation, method: req.method, status: res.statusCode, started });
    });
    res.setHeader('X-Request-Id', id);
    if (operation === 'description') description.serve(req, res, path);
    else pages(req, res);
  };

  const limits = {
    requireHostHeader: false,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
  };
  const server: Server = tls
    ? createHttpsServer({ ...tls, ...limits }, onRequest)
    : createHttpServer(limits, onRequest);
  server.timeout = 120_000;
  server.on('checkContinue', onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    refuse(error, socket, newRequestId());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return {
    url: `${tls ? 'https' : 'http'}://${name}:${String(bound.port)}`,
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

const reasons: Partial<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What is no HTTP gets one plain refusal, unless an answer to an earlier request is on its way. */
const refuse = (error: NodeJS.ErrnoException, socket: Socket, id: string): void => {
  const answering =
    '_httpMessage' in socket && socket._httpMessage !== null && socket._httpMessage !== undefined;
  if (!socket.writable || answering || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const body = '{"error":"invalid_request","message":"Anfrage ungültig"}';
  socket.end(
    `HTTP/1.1 ${reasons[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\nX-Request-Id: ${id}\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`,
  );
};
