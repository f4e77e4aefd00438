import type { Operation } from '../contract.js';

/** A request on its way through the contract. openapi-backend reads it as its own parsed request. */
export interface OperationRequest<Key> {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What follows the question mark. */
  readonly search: string;
  readonly query: Record<string, unknown>;
  requestBody: unknown;
  /** The same without the contract's defaults. */
  sentBody?: unknown;
  readonly params: Record<string, never>;
  readonly cookies: Record<string, never>;
  operation: Operation | undefined;
  key: Key | undefined;
  rateLimit: RateLimitStatus | undefined;
  /** Why the key could not be checked. */
  authenticationError: Error | undefined;
  /** Reads the body, refusing one that is too large. Absent fields and malformed JSON are the contract's matter. */
  readBody(): Promise<unknown>;
  /** Aborts once nobody waits for the answer any more. */
  signal(): AbortSignal;
}

/** What is left of a key's limit after a request was counted. */
export interface RateLimitStatus {
  readonly accepted: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Who may do what. The contract asks; `access/` answers. */
export interface AccessControl<Key> {
  /** Who a request without a key comes from. Without this it comes from nobody, and is refused. */
  readonly anonymous?: Key;
  authenticate(token: string): Promise<Key | undefined> | Key | undefined;
  /** Counts the request against the key's limit. `undefined` for a key without one. */
  count(key: Key): Promise<RateLimitStatus> | undefined;
  permits(key: Key, scope: string): boolean;
}

/** What a handler returned, whichever it was. */
export interface AnyReply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
