import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Operation } from '../../contract/contract.js';
import { isJsonMedia, mediaTypeOf } from '../../contract/document.js';
import { responseFor } from '../../contract/responses.js';
import type {
  CheckedRoute,
  ExchangeCheck,
  ResponseHead,
  Violation,
} from '../../contract/proxy/exchangeCheck.js';
import { bodyTypeFor } from '../../contract/runtime/requestInput.js';
import { jsonContentType } from '../../http/response.js';
import { decodeBody, readBodyStart, type BodyStart } from './messageBody.js';
import { explain, forwardedHeaders, type Upstream } from './upstream.js';
import { shownViolations, violationHeaders } from './violationText.js';

/** What the proxy has seen of one request and its response. */
export interface Exchange {
  readonly method: string;
  /** Without the query, which may hold a key. */
  readonly path: string;
  readonly operation: string | undefined;
  /** What the client got. */
  readonly status: number;
  readonly violations: readonly Violation[];
}

export interface ProxyServerOptions {
  readonly port: number;
  readonly check: ExchangeCheck;
  readonly upstream: Upstream;
  /** Does a violation become an error for the client, instead of a header? */
  readonly fails: boolean;
  onExchange(exchange: Exchange): void;
  /** The server behind gave no response, or broke it off. */
  onFailure(exchange: Exchange, failure: string): void;
}

export interface ProxyServer {
  readonly url: string;
  /** Ends what is in flight, too. */
  stop(): Promise<void>;
}

/** Longer bodies are passed on without being compared with their schema. */
export const maxCheckedBytes = 4 * 1024 * 1024;

/** Listens on this machine only, forwards everything, and reports contract violations. */
export const startProxyServer = async (options: ProxyServerOptions): Promise<ProxyServer> => {
  const server = createServer((req, res) => {
    handle(req, res, options).catch(() => res.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** A request on its way, with what was found out about it. */
interface Passage {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly route: CheckedRoute;
  readonly violations: Violation[];
}

const handle = async (
  req: IncomingMessage,
  res: ServerResponse,
  options: ProxyServerOptions,
): Promise<void> => {
  const { check, fails } = options;
  const { method = '', headers } = req;
  const target = targetOf(req.url ?? '/');
  const [path, search] = splitOnce(target, '?');
  const route = check.route({ method, path });
  const start = isRead(route, req) ? await readBodyStart(req, maxCheckedBytes) : unread;
  const body = start.isComplete ? start.bytes : undefined;
  const violations = [
    ...route.violations,
    ...check.checkRequest(route, { method, path, search, headers }, body),
  ];
  const passage: Passage = { req, res, method, target, path, route, violations };
  if (fails && violations.length > 0)
    refuse(passage, options, {
      status: 400,
      error: 'contract_violation',
      message: 'The request violates the contract; it was not forwarded.',
    });
  else await forward(passage, start, options);
};

/** Passes a request on, and its response back. */
const forward = async (passage: Passage, start: BodyStart, options: ProxyServerOptions): Promise<void> => {
  const { req, res, method, target } = passage;
  const abort = new AbortController();
  /** Which side has closed first. */
  const gone: { first?: 'client' | 'server' } = {};
  res.once('close', () => {
    gone.first ??= 'client';
    abort.abort();
  });
  try {
    const bodyRest = start.isComplete ? undefined : req;
    const response = await options.upstream.send(
      {
        method,
        target,
        rawHeaders: req.rawHeaders,
        framing: framingOf(req, start),
        bodyStart: start.bytes,
        bodyRest,
      },
      abort.signal,
    );
    // Listened to as long as the response lives: an error without a listener would end the process.
    response.on('error', () => (gone.first ??= 'server'));
    await answer(passage, response, options);
  } catch (error) {
    // The client is gone.
    if (gone.first === 'client') return;
    const { message, status } = explain(error as Error);
    const failure = `The server ${message}.`;
    if (res.headersSent) res.destroy();
    else
      refuse(passage, options, {
        status,
        error: status === 504 ? 'gateway_timeout' : 'bad_gateway',
        message: failure,
      });
    options.onFailure(summaryOf(passage, status), failure);
  }
};

/** Checks a response and sends it to the client. What can't be checked is passed on while it comes. */
const answer = async (
  passage: Passage,
  response: IncomingMessage,
  options: ProxyServerOptions,
): Promise<void> => {
  const { res, route, violations, method } = passage;
  const { operation } = route;
  const head: ResponseHead = { status: response.statusCode ?? 0, headers: response.headers };
  const { bytes, isComplete } = await readResponse(response, head, operation, method);
  if (operation) violations.push(...options.check.checkResponseHead(operation, head));
  if (operation && isComplete)
    violations.push(...(await checkBody(options.check, operation, head, bytes, method)));
  if (options.fails && violations.length > 0) {
    response.destroy();
    refuse(passage, options, {
      status: 502,
      error: 'contract_violation',
      message: 'The response of the server violates the contract.',
    });
    return;
  }
  writeHead(res, response, violations);
  options.onExchange(summaryOf(passage, head.status));
  if (isComplete) res.end(bytes);
  else {
    // Events may be far apart; the client decides how long to wait.
    response.socket.setTimeout(0);
    if (bytes.length > 0) res.write(bytes);
    await pipeline(response, res);
  }
};

const summaryOf = ({ method, path, route, violations }: Passage, status: number): Exchange => ({
  method,
  path,
  operation: route.operation?.id,
  status,
  violations,
});

interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly message: string;
}

/** An answer of the proxy itself. */
const refuse = (passage: Passage, { onExchange }: ProxyServerOptions, refusal: Refusal): void => {
  const { status, error, message } = refusal;
  const { res, violations } = passage;
  const body = Buffer.from(JSON.stringify({ error, message, violations: shownViolations(violations) }));
  res.writeHead(status, [
    'Content-Type',
    jsonContentType,
    'Content-Length',
    String(body.length),
    'Connection',
    'close',
    ...violationHeaders(violations),
  ]);
  res.end(body);
  onExchange(summaryOf(passage, status));
};

/** A client that takes this for a proxy of the browser's kind sends the whole address. */
const targetOf = (url: string): string => {
  if (url.startsWith('/') || url === '*' || !URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
};

const splitOnce = (text: string, separator: string): [string, string] => {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
};

/** Sets the length of a body, whatever its method: a server must not take the body for the next request. */
const framingOf = ({ headers }: IncomingMessage, { bytes, isComplete }: BodyStart): string[] => {
  if (headers['content-length'] !== undefined) return ['Content-Length', headers['content-length']];
  if (headers['transfer-encoding'] === undefined) return [];
  return isComplete ? ['Content-Length', String(bytes.length)] : ['Transfer-Encoding', 'chunked'];
};

const unread: BodyStart = { bytes: Buffer.alloc(0), isComplete: false };

/** A body is read before it goes on if there is something to compare it with. */
const isRead = ({ operation }: CheckedRoute, { headers }: IncomingMessage): boolean => {
  if (!operation) return false;
  const { requestBody } = operation;
  return !requestBody || bodyTypeFor(requestBody, headers['content-type'])?.schema !== undefined;
};

const readResponse = async (
  response: IncomingMessage,
  { status }: ResponseHead,
  operation: Operation | undefined,
  method: string,
): Promise<BodyStart> => {
  const documented = operation && responseFor(operation.definition.responses, status);
  const isJson = isJsonMedia(mediaTypeOf(response.headers['content-type']) ?? '');
  const isChecked = documented !== undefined && (isJson || !documented.content);
  return isChecked || method === 'HEAD' ? readBodyStart(response, maxCheckedBytes) : unread;
};

const checkBody = async (
  check: ExchangeCheck,
  operation: Operation,
  head: ResponseHead,
  bytes: Buffer,
  method: string,
): Promise<readonly Violation[]> => {
  if (method === 'HEAD' || head.status === 304) return [];
  try {
    const body = await decodeBody(bytes, head.headers['content-encoding'], maxCheckedBytes);
    return body ? check.checkResponseBody(operation, head, body) : [];
  } catch {
    const message = 'is not encoded as Content-Encoding says';
    return [{ in: 'response', what: 'body', message }];
  }
};

const writeHead = (
  res: ServerResponse,
  { statusCode = 0, statusMessage = '', rawHeaders }: IncomingMessage,
  violations: readonly Violation[],
): void => {
  res.sendDate = false;
  res.writeHead(statusCode, statusMessage, [
    ...forwardedHeaders(rawHeaders),
    ...violationHeaders(violations),
  ]);
};
