import type { Readable } from 'node:stream';
import type { Awaitable } from '../../lib/awaitable.js';
import type { BodyType } from '../bodyTypes.js';
import type { Operation } from '../contract.js';
import type { RateLimitStatus, ReplyHeaders, RequestClient } from '../exchange.js';

export type { RateLimitStatus, RequestClient } from '../exchange.js';

/** A request for an operation. Each step of `operations.ts` adds what it found out. */
export interface OperationRequest<Key> {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What follows the question mark. */
  readonly search: string;
  operation: Operation | undefined;
  key: Key | undefined;
  rateLimit: RateLimitStatus | undefined;
  // The documented parameters, converted; headers by their names in lower case.
  readonly pathParameters: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headerParameters: Record<string, unknown>;
  readonly cookies: Record<string, unknown>;
  /** The media type that the client wants a success to have, one of those documented. */
  accepted: string | undefined;
  /** How the body is read; `undefined` where there is none. */
  bodyType: BodyType | undefined;
  /** The body, converted, with the contract's defaults; a stream if it has no fields. */
  body: unknown;
  /** The same without the defaults. */
  sentBody: unknown;
  /** Has all of it arrived, the body too? */
  isComplete(): boolean;
  /** Was a body announced? */
  hasBody(): boolean;
  /** Reads the body, refusing one that is too large, or an upload when too many are in memory. */
  readBody(maxBytes: number, isUpload: boolean): Promise<Buffer>;
  /** The body as it comes, ending with an error when it is too large. */
  streamBody(maxBytes: number): Readable;
  /** Aborts when the client is gone or its deadline has passed. */
  signal(): AbortSignal;
  /** Who sent it, and to which address of ours. */
  client(): RequestClient;
}

/** Authentication, rate limits and scopes, as the service implements them. */
export interface AccessControl<Key> {
  /** The key of requests that send none. Without it they are refused. */
  readonly anonymous?: Key | undefined;
  /** Refuses a request with an `HttpProblem`, before anything else is looked at. */
  accept?(request: OperationRequest<Key>): void;
  /**
   * The value of a cookie, from what this client sent. `undefined` for one that was not set for the address
   * that the client uses, and does not count. Without it, every cookie counts as it was sent.
   */
  cookieValue?(sent: string, client: RequestClient): string | undefined;
  /**
   * Whose token it is. `scheme` is the name of the security scheme that brought it.
   * That of `basic` is the user and the password with a colon between.
   */
  authenticate(
    token: string,
    scheme: string,
    request: Pick<OperationRequest<Key>, 'client'>,
    /** The scopes of OAuth 2.0 or OpenID Connect that the operation asks of the scheme. */
    scopes: readonly string[],
  ): Awaitable<Key | undefined>;
  /**
   * The one key of schemes that were needed together, by
   * the names of the schemes. Without it, the first counts.
   */
  combine?(keys: Readonly<Record<string, Key>>): Key;
  /** Counts the request against the key's limit. `undefined` for a key without one. */
  count(key: Key): Awaitable<RateLimitStatus> | undefined;
  /** Called when a request is refused, because it is beyond the limit or the scope of its key. */
  refused?(key: Key): void;
  /** May also throw an `HttpProblem` that says more. */
  permits(key: Key, scope: string, operation: Operation): boolean;
}

/** The reply of any operation. */
export interface AnyReply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: ReplyHeaders;
}

/** Makes the body of a mock from the schema of a status. */
export type BodyGenerator = (
  operation: Operation,
  status: number,
  request: OperationRequest<unknown>,
) => unknown;
