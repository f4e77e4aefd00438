import { METHODS, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorForm } from './errorForm.js';
import { closeWithoutReading, noSniffing } from './response.js';

/** What Node's parser says when it gives up on a connection. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** An answer without a request: the parser has given up before there was one. */
export interface ParserErrorResponse {
  readonly status: number;
  readonly headers: readonly string[];
  readonly contentType: string;
  readonly body: unknown;
  /** The method that the parser does not know, where that is the reason. */
  readonly method?: string;
}

/**
 * The response to a request that the parser refused.
 * `methodsOf` lists the methods of a request target, if any.
 */
export const makeParserErrorResponse = (
  error: ParserError,
  methodsOf: (target: string) => readonly string[],
  { body: errorBody, contentType, text }: ErrorForm,
): ParserErrorResponse => {
  const { method, target } = findUnknownMethod(error) ?? {};
  if (method === undefined || target === undefined) {
    const status = statuses[error.code ?? ''] ?? 400;
    const body = errorBody(status, { code: 'invalid_request', message: text('request') });
    return { status, headers: [], contentType, body };
  }
  const methods = methodsOf(target);
  if (methods.length === 0) {
    const body = errorBody(404, { code: 'not_found', message: text('address'), target });
    return { status: 404, headers: [], contentType, body, method };
  }
  const body = errorBody(405, { code: 'method_not_allowed', target });
  return { status: 405, headers: [`Allow: ${methods.join(', ')}`], contentType, body, method };
};

const statuses: Partial<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * The parser knows `DESCRIBE` and others, but not for HTTP: there they are an invalid constant.
 * After `PRI` it expects the rest of what HTTP/2 begins with.
 */
const methodCodes = ['HPE_INVALID_METHOD', 'HPE_INVALID_CONSTANT', 'HPE_INVALID_VERSION'];
const requestLine = /^([\w!#$%&'*+.^`|~-]+) (\S+) HTTP\/1\.[01]$/;

/** The request line at which the parser stopped, if its method is the reason. */
const findUnknownMethod = ({ code = '', rawPacket, bytesParsed = 0 }: ParserError) => {
  if (!rawPacket || !methodCodes.includes(code)) return undefined;
  // A wrong version is found at the end of its line, a wrong method at the beginning.
  const before = bytesParsed - (code === 'HPE_INVALID_VERSION' ? 2 : 1);
  const start = before < 0 ? 0 : rawPacket.lastIndexOf('\n', before) + 1;
  const end = rawPacket.indexOf('\r\n', start);
  const line = end < 0 ? '' : rawPacket.toString('latin1', start, end);
  const [, method = '', target = ''] = requestLine.exec(line) ?? [];
  return method === '' || METHODS.includes(method) ? undefined : { method, target };
};

/** Writes a refusal as the last word on a connection. */
export const writeParserErrorResponse = (
  socket: Socket,
  id: string,
  { status, headers, contentType, body }: ParserErrorResponse,
): void => {
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    `X-Request-Id: ${id}`,
    ...headers,
    noSniffing.join(': '),
    `Content-Type: ${contentType}`,
    `Content-Length: ${String(Buffer.byteLength(text))}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${text}`);
  closeWithoutReading(socket);
};
