import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { stripBasePath } from '../lib/basePath.js';
import { publicText } from '../lib/publicText.js';
import type { Log } from '../log/log.js';
import type { IsFromProxy } from './client.js';
import { standardErrorForm, type ErrorForm } from './errorForm.js';
import { sayGoodbye, type makeGracefulShutdown } from './gracefulShutdown.js';
import { sendResponse, type HttpResponse, type ObserveRequest } from './response.js';
import type { ServedContract } from './servedContract.js';
import type { DescriptionEndpoint } from './servedDescription.js';
import type { OperationExchange, ServeOperation } from './serveOperation.js';
import { makeTurnBatch } from './turnBatch.js';

export interface ServedPathsOptions {
  /** The path that everything is below. It is removed here, so that nothing behind it knows of it. */
  readonly basePath: string;
  /** What is served of each contract. The first that has a path answers it. */
  readonly contracts: readonly { readonly current: ServedContract }[];
}

export interface DispatchOptions extends ServedPathsOptions {
  readonly pages: RequestListener;
  /** Without it, no proxy is trusted. */
  readonly isFromProxy?: IsFromProxy;
  readonly observe: ObserveRequest;
  readonly log: Log;
  newRequestId(): string;
}

/** What load balancers ask the process itself: also answered without the base path. */
const probePaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

const requestIdPattern = /^[\w.:-]{1,64}$/;

/** What is served below the base path. */
export const makeServedPaths = ({ basePath, contracts }: ServedPathsOptions) => {
  const findDescription = (path: string): DescriptionEndpoint | undefined =>
    contracts.find(({ current }) => current.description.handles(path))?.current.description;

  /** Of requests that belong to no contract: that of the first. */
  const errorForm = (): ErrorForm => contracts[0]?.current.errors ?? standardErrorForm;

  const findPath = (path: string): string | undefined =>
    stripBasePath(basePath, path) ?? (probePaths.has(path) ? path : undefined);

  const methodsAt = (target: string): readonly string[] => {
    const path = findPath(parseTarget(target).path);
    if (path === undefined) return [];
    const found = contracts.map(({ current }) => current.methodsOf(path)).find(({ length }) => length > 0);
    return found ?? findDescription(path)?.methods ?? [];
  };

  return { findDescription, errorForm, findPath, methodsAt };
};

/** Hands each request to the owner of its path. */
export const makeDispatch = (
  { basePath, contracts, pages, isFromProxy, observe, log, newRequestId }: DispatchOptions,
  { findDescription, errorForm, findPath }: ReturnType<typeof makeServedPaths>,
  { isDraining, track }: Pick<ReturnType<typeof makeGracefulShutdown>, 'isDraining' | 'track'>,
) => {
  /** Requests that expect something else than `100-continue`. */
  const unmetExpectations = new WeakSet<IncomingMessage>();

  const notFound = ({ url }: IncomingMessage, headers: string[] = []): HttpResponse => {
    const form = errorForm();
    return form.response(404, { code: 'not_found', message: form.text('address'), target: url }, headers);
  };

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
    // HTTP/1.1 wants exactly one Host; before that there was none,
    // and a proxy may send on what such a client sent.
    const lacksHost = req.headers.host === undefined && req.httpVersion === '1.1';
    if (isRepeated(req.rawHeaders, 'host') || (lacksHost && isFromProxy?.(req) !== true)) {
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

  return {
    begin,
    /** Of a request that has not begun. */
    noteUnmetExpectation: (req: IncomingMessage): void => {
      unmetExpectations.add(req);
    },
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
