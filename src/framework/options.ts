import type { RateLimitStatus, RequestClient } from '../contract/exchange.js';
import type { OperationHandlers } from '../contract/types.js';
import type { HttpProblem } from '../errors/httpProblem.js';
import type { Awaitable } from '../lib/awaitable.js';

/** Where a credential comes from, and what it is needed for. */
export interface CredentialContext {
  /** The name of the security scheme in the contract. */
  readonly scheme: string;
  /** The scopes that the operation asks of this scheme, where it is `oauth2` or `openIdConnect`. */
  readonly scopes: readonly string[];
  readonly client: RequestClient;
}

/** What a service is made of, besides its contract. */
interface CommonOptions<Principal, Services> {
  /** The file of the contract, OpenAPI 3.0 or 3.1. It may refer to others in its folder. */
  readonly contract: string | URL;
  /** The second argument of every handler: what handlers work with. */
  readonly services?: Services;
  /**
   * Finds out who calls: the principal of the handlers, or `undefined`, which
   * is answered with 401. The token is what the scheme says: a bearer token, a
   * key, or user and password with a colon between. May throw an `HttpProblem`.
   */
  authenticate?(token: string, context: CredentialContext): Awaitable<NonNullable<Principal> | undefined>;
  /** Has the principal the `x-scope` of an operation? By default it has; without it, the answer is 403. */
  permits?(principal: NonNullable<Principal>, scope: string, operationId: string): boolean;
  /**
   * Counts a request against the limit of its principal;
   * `undefined` for one without. One that is not accepted gets 429.
   */
  countRequest?(principal: NonNullable<Principal>): Awaitable<RateLimitStatus> | undefined;
  /** What log lines call a principal. Never its credential. */
  nameOf?(principal: NonNullable<Principal>): string;
  /** The refusal that an error of a handler stands for. Any other error is a 500, and logged. */
  toProblem?(error: unknown): HttpProblem<string> | undefined;
  /** Rejects with the reason while requests can't be served, for `/readyz`. */
  checkReady?(): Promise<void>;
  /** The path that everything is below; by default that of `servers[0].url` of the contract. */
  readonly basePath?: string;
  /**
   * Is a reply that the contract does not document a 500, and not
   * only logged? By default where `NODE_ENV` is not `production`.
   */
  readonly strictReplies?: boolean;
  /** `info` by default. */
  readonly logLevel?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** Who has it may read `/metrics` from anywhere. Without it, only this machine may. */
  readonly metricsToken?: string;
  /** Addresses of proxies whose `X-Forwarded-*` headers count: `10.0.0.0/8`. */
  readonly trustProxy?: readonly string[];
  readonly limits?: Partial<ServiceLimits>;
}

/** What overload and slowness are limited to. */
export interface ServiceLimits {
  /** Requests of operations at a time: 1000. Further ones get 503 at once. */
  readonly maxRequestsInFlight: number;
  /** Open connections: 2000. Further ones are closed at once. */
  readonly maxConnections: number;
  /** How long an idle connection stays open: 75,000. */
  readonly keepAliveTimeoutMs: number;
  /** How long a client is assumed to wait; then the `signal` of its request aborts: 30,000. */
  readonly requestDeadlineMs: number;
  /** How long a graceful shutdown may take; then the process exits with 1: 25,000. */
  readonly stopDeadlineMs: number;
}

export type ServeContractOptions<Operations, Principal, Services> = CommonOptions<Principal, Services> &
  (
    | {
        /** A function for each operation of the contract, by its operationId. */
        readonly handlers: OperationHandlers<Operations, Principal, Services>;
        readonly mocks?: undefined;
      }
    | {
        readonly handlers: Partial<OperationHandlers<Operations, Principal, Services>>;
        /** Operations without a handler answer with the examples of the contract. */
        readonly mocks: 'missing';
      }
  );

/** Where a service listens: by default port 8080 of 127.0.0.1. */
export interface ListenOptions {
  /** 0 for any free port. */
  readonly port?: number;
  readonly host?: string;
  /** A Unix socket, instead of host and port. */
  readonly path?: string;
  /** Certificate and key in PEM: then it speaks HTTPS. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
}

/** Writes lines of JSON to standard output, or readable ones to a terminal. */
export interface ServiceLog {
  info(text: string): void;
  info(values: object, text: string): void;
  warn(text: string): void;
  warn(values: object, text: string): void;
  error(text: string): void;
  error(values: object, text: string): void;
}

export interface ContractService {
  /** Resolves with its address, once it listens. */
  listen(where?: ListenOptions): Promise<{ readonly url: string }>;
  /** Takes no more connections, and resolves when what is in flight has been answered. */
  close(): Promise<void>;
  /** Listens until SIGTERM or SIGINT, then closes. A second signal ends the process at once. */
  run(where?: ListenOptions): Promise<void>;
  readonly log: ServiceLog;
}
