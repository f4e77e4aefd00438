import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { CodedError } from '../../errors/codedError.js';

/** A request as it is passed on. */
export interface ForwardedRequest {
  readonly method: string;
  /** Path and query, as the client sent them. */
  readonly target: string;
  /** Names and values in turns, as they came. */
  readonly rawHeaders: readonly string[];
  /** The headers that say how long the body is. */
  readonly framing: readonly string[];
  /** What was read of the body already. */
  readonly bodyStart: Buffer;
  /** The rest of the body. `undefined`: that was all. */
  readonly bodyRest: Readable | undefined;
}

/** The server behind the proxy. */
export interface Upstream {
  /** Sends a request, and resolves with the head of the response. Rejects with `UpstreamError`. */
  send(request: ForwardedRequest, signal: AbortSignal): Promise<IncomingMessage>;
}

/** The server behind the proxy can't be reached, does not answer, or not in HTTP. */
export class UpstreamError extends CodedError<'timeout' | 'no-answer'> {
  override readonly name = 'UpstreamError';

  constructor(
    message: string,
    /** What the client gets. */
    readonly status: 502 | 504,
  ) {
    super(status === 504 ? 'timeout' : 'no-answer', message, { kind: 'unavailable' });
  }
}

interface UpstreamOptions {
  /** Its address; a path in it comes before those of the requests. */
  readonly url: URL;
  /** Certificates in PEM that are trusted instead of those of the system. */
  readonly ca: string | undefined;
  /** How long it may be silent. */
  readonly timeoutMs: number;
}

/** These belong to one connection, or are said by this one again. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that go on to the other side: all but those of the connection. */
export const forwardedHeaders = (rawHeaders: readonly string[], ...without: readonly string[]): string[] => {
  const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[index * 2] ?? '',
    rawHeaders[index * 2 + 1] ?? '',
  ]);
  const ofConnection = pairs
    .filter(([name]) => name?.toLowerCase() === 'connection')
    .flatMap(([, value]) => (value ?? '').toLowerCase().split(','))
    .map((name) => name.trim());
  const dropped = new Set([...hopByHop, ...ofConnection, ...without]);
  return pairs.filter(([name]) => !dropped.has((name ?? '').toLowerCase())).flat();
};

export const makeUpstream = ({ url, ca, timeoutMs }: UpstreamOptions): Upstream => {
  const base = url.pathname.replace(/\/$/, '');
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return {
    send: ({ method, target, rawHeaders, framing, bodyStart, bodyRest }, signal) =>
      new Promise((resolve, reject) => {
        let response: IncomingMessage | undefined;
        const request: ClientRequest = send({
          // URLs have IPv6 addresses in brackets.
          hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
          port: url.port,
          method,
          path: target === '*' ? target : base + target,
          // The proxy itself has answered `Expect: 100-continue`.
          headers: [
            'Host',
            url.host,
            ...forwardedHeaders(rawHeaders, 'host', 'expect', 'content-length'),
            ...framing,
          ],
          ca,
          // A connection each: no request meets one that the server is about to close.
          agent: false,
          signal,
        });
        request.setTimeout(timeoutMs, () => {
          (response ?? request).destroy(
            new UpstreamError(`was silent for ${String(timeoutMs / 1000)} s`, 504),
          );
        });
        request.on('response', (received) => {
          response = received;
          resolve(received);
        });
        request.on('error', (error) => reject(explain(error)));
        request.on('close', () => reject(new UpstreamError('closed the connection without an answer', 502)));
        if (bodyStart.length > 0) request.write(bodyStart);
        if (bodyRest) bodyRest.pipe(request);
        else request.end();
      }),
  };
};

/** What is said of the failures that people run into. */
const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'broke off the connection',
  EPIPE: 'broke off the connection',
  ENOTFOUND: 'has a name that is not known',
  EAI_AGAIN: 'has a name that can not be looked up now',
  EHOSTUNREACH: 'can not be reached',
  ENETUNREACH: 'can not be reached',
  ETIMEDOUT: 'can not be reached',
  HPE_HEADER_OVERFLOW: 'answered with more than 16 KiB of headers',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that signs itself: --ca-file can name it',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate of an unknown CA: --ca-file can name it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate of an unknown CA: --ca-file can name it',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
};

/** An error of Node as one of the server behind the proxy. */
export const explain = (error: Error): UpstreamError => {
  if (error instanceof UpstreamError) return error;
  const code = 'code' in error ? String(error.code) : '';
  // Several addresses of one name fail together.
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return explain(error.errors[0]);
  const known = Object.hasOwn(explanations, code) ? explanations[code] : undefined;
  return new UpstreamError(
    known ??
      (code.startsWith('HPE_') ? `did not answer in HTTP (${code})` : `failed (${code || error.name})`),
    502,
  );
};
