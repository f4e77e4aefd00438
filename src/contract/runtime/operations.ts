import { parse as parseQuery, type ParsedUrlQuery } from 'node:querystring';
import { andThen, type Awaitable } from '../../lib/awaitable.js';
import { DatabaseUnavailable, makeUnavailable, Problem } from '../../lib/problem.js';
import type { Contract, Operation, Problems, RequestBody } from '../contract.js';
import { jsonMedia, type SecurityScheme } from '../document.js';
import { parseCookies, type ParameterReader } from '../parameters.js';
import { ContractRouter } from './contractRouter.js';
import { bindHandlers, type HandlerBindingOptions } from './handlerBinding.js';
import type { AccessControl, AnyReply, OperationRequest, RateLimitStatus, RequestClient } from './request.js';
import { makeReplyCheck, validatorsOf, type OnViolation, type RequestParts } from './validators.js';

export interface OperationsOptions<Key, Services> extends HandlerBindingOptions<Services> {
  basePath: string;
  access: AccessControl<Key>;
  onViolation: OnViolation;
}

export interface Operations<Key> {
  /** Is there an operation at this path, whatever its method? */
  handles(path: string): boolean;
  /** The methods of a path, for `Allow`. */
  methodsOf(path: string): readonly string[];
  /** The problems of all operations, for a request that is refused before it has an operation. */
  readonly problems: Problems;
  /** The operations that answer from their examples. */
  readonly mocked: ReadonlySet<string>;
  /** The operation that a request asks for, if there is one. */
  find(request: Pick<OperationRequest<Key>, 'path' | 'method'>): Operation | undefined;
  /** Runs a request whose path has an operation. Throws `Problem` or `MethodNotAllowed` to refuse it, at once or later. */
  run(request: OperationRequest<Key>): Awaitable<AnyReply>;
  /** Reports an error whose status the contract does not document for the operation. */
  noteProblem(operation: Operation, status: number): void;
}

/** 405 belongs to a path and not to an operation, so the contract has no entry for it. */
export class MethodNotAllowed extends Error {
  override readonly name = 'MethodNotAllowed';
}

/** Serves the operations of a contract: from the matched operation to the checked reply. */
export const makeOperations = async <Key, Services>(
  contract: Contract,
  options: OperationsOptions<Key, Services>,
): Promise<Operations<Key>> => {
  const { basePath, access, services, onViolation } = options;
  const validators = validatorsOf(contract);
  const bound = await bindHandlers(
    contract,
    options,
    (...reply) => validators.replyErrors(...reply).length === 0,
  );
  const router = new ContractRouter(contract, basePath, bound);
  type Route = NonNullable<ReturnType<typeof router.find>>;
  const { authenticate, authenticateInTurn } = makeAuthentication(contract, access);
  const checkReply = makeReplyCheck(validators, onViolation);

  const countRequest = (request: OperationRequest<Key>, key: Key): Awaitable<void> =>
    andThen(orUnavailable(access.count(key)), (rateLimit) => requireRate(request, key, rateLimit));

  const requireRate = (
    request: OperationRequest<Key>,
    key: Key,
    rateLimit: RateLimitStatus | undefined,
  ): void => {
    request.rateLimit = rateLimit;
    if (!rateLimit || rateLimit.accepted) return;
    access.refused?.(key);
    const seconds = String(rateLimit.resetSeconds);
    throw new Problem('rate_limited', { seconds }, { 'Retry-After': seconds });
  };

  const requireScope = (key: Key, operation: Operation): void => {
    const { scope } = operation;
    if (scope === undefined || access.permits(key, scope, operation)) return;
    access.refused?.(key);
    throw new Problem('forbidden', { scope });
  };

  const validate = (request: OperationRequest<Key>, operation: Operation): void => {
    const errors = operation.canFail ? validators.requestErrors(operation, request) : [];
    if (errors.length > 0) throw new Problem('invalid_request', { message: operation.messageFor(errors) });
  };

  const refuseMethod = async (request: OperationRequest<Key>): Promise<never> => {
    access.accept?.(request);
    const key = await authenticateInTurn(request);
    request.key = key;
    await countRequest(request, key);
    throw new MethodNotAllowed();
  };

  const permit = (request: OperationRequest<Key>, operation: Operation, key: Key): Awaitable<void> => {
    request.key = key;
    return andThen(countRequest(request, key), () => requireScope(key, operation));
  };

  const identify = (request: OperationRequest<Key>, operation: Operation): Awaitable<void> => {
    access.accept?.(request);
    if (operation.security.length === 0) return;
    return andThen(authenticate(request, operation.security), (key) => permit(request, operation, key));
  };

  const readBodyOf = async (request: OperationRequest<Key>, operation: Operation): Promise<void> => {
    if (!operation.requestBody) return;
    const mustWait = !request.isComplete();
    await readBody(request, operation, operation.requestBody);
    // Somebody who sends slowly may have lost their rights meanwhile.
    if (mustWait && operation.security.length > 0) {
      request.key = await authenticate(request, operation.security);
      requireScope(request.key, operation);
    }
  };

  const handle = (request: OperationRequest<Key>, route: Route): Awaitable<AnyReply> => {
    const { operation, handler, mock } = route;
    readParameters(request, operation, route.pathValues);
    validate(request, operation);
    if (mock) return mock(request);
    return andThen(handler(new HandlerRequest(request, operation), services), (reply) => {
      checkReply(operation, reply);
      return reply;
    });
  };

  const run = (request: OperationRequest<Key>): Awaitable<AnyReply> => {
    const route = router.find(request.path, request.method);
    if (!route) return refuseMethod(request);
    const { operation } = route;
    request.operation = operation;
    return andThen(identify(request, operation), () =>
      operation.requestBody
        ? readBodyOf(request, operation).then(() => handle(request, route))
        : handle(request, route),
    );
  };

  return {
    handles: (path) => router.handles(path),
    methodsOf: (path) => router.methodsOf(path),
    problems: new Map([...contract.operations.values()].flatMap(({ problems }) => [...problems])),
    mocked: new Set([...bound].flatMap(([id, { mock }]) => (mock ? [id] : []))),
    find: ({ path, method }) => router.find(path, method)?.operation,
    run,
    noteProblem: ({ id, statuses }, status) => {
      if (!statuses.has(status)) onViolation(id, `status ${String(status)} is not documented`, false);
    },
  };
};

/** The parts of a request that identify the caller. */
type Credentials = Pick<OperationRequest<unknown>, 'headers' | 'search' | 'client'>;
type ReadToken = (request: Omit<Credentials, 'client'>) => string | undefined;

const single = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header.trim() : undefined;

/** How to find the token of a security scheme in a request. */
export const compileToken = (scheme: SecurityScheme): ReadToken => {
  if (scheme.type === 'http')
    return ({ headers }) => /^bearer +(\S+)$/i.exec(single(headers['authorization']) ?? '')?.[1];
  const { in: place, name } = scheme;
  const lowerCase = name.toLowerCase();
  if (place === 'header') return ({ headers }) => single(headers[lowerCase]);
  if (place === 'cookie') return ({ headers }) => parseCookies(single(headers['cookie']))[name];
  return ({ search }) => {
    const value = parseQuery(search, '&', '=', { maxKeys: 0 })[name];
    return typeof value === 'string' ? value : undefined;
  };
};

/** Nothing was done yet when the database does not answer here, so the client may send the request again. */
const orUnavailable = <T>(asked: T): T =>
  asked instanceof Promise
    ? (asked.catch((error: unknown) => {
        throw error instanceof DatabaseUnavailable ? makeUnavailable() : error;
      }) as T)
    : asked;

/** Finds the key of a request. Throws 401 if there is none, or the error that kept a key from being checked. */
const makeAuthentication = <Key>({ resolved }: Contract, access: AccessControl<Key>) => {
  const schemes = Object.entries(resolved.components.securitySchemes ?? {});
  const tokenReaders = new Map(schemes.map(([name, scheme]) => [name, compileToken(scheme)]));
  const tryScheme = (scheme: string, request: Credentials): Awaitable<Key | undefined> => {
    const token = tokenReaders.get(scheme)?.(request);
    if (token === undefined) return access.anonymous;
    const found = orUnavailable(access.authenticate(token, scheme, request));
    // If another scheme is good, nobody hears of its failure.
    if (found instanceof Promise) found.catch(() => undefined);
    return found;
  };
  const challenge = schemes.some(([, { type }]) => type === 'http') ? { 'WWW-Authenticate': 'Bearer' } : {};
  const unauthorized = () => new Problem('unauthorized', {}, challenge);

  /** One scheme that can not be checked does not matter if another is good. */
  const waitForAll = async (
    tried: ReadonlyMap<string, Awaitable<Key | undefined>>,
    security: Operation['security'],
  ): Promise<Key> => {
    const results = await Promise.allSettled([...tried.values()].map(async (found) => found));
    const schemesTried = [...tried.keys()];
    const keyOf = (scheme: string): Key | undefined => {
      const result = results[schemesTried.indexOf(scheme)];
      return result?.status === 'fulfilled' ? result.value : undefined;
    };
    for (const requirement of security) {
      const keys = requirement.map(keyOf);
      if (keys[0] !== undefined && !keys.includes(undefined)) return keys[0];
    }
    const failed = results.find((result) => result.status === 'rejected');
    throw failed ? (failed.reason as Error) : unauthorized();
  };

  return {
    /** Tries all schemes at once. A key that is found at once is returned at once. */
    authenticate: (request: Credentials, security: Operation['security']): Awaitable<Key> => {
      const first = security[0]?.[0] ?? '';
      const firstFound = tryScheme(first, request);
      if (firstFound !== undefined && !(firstFound instanceof Promise) && security[0]?.length === 1)
        return firstFound;
      const tried = new Map<string, Awaitable<Key | undefined>>([[first, firstFound]]);
      for (const requirement of security) {
        for (const scheme of requirement)
          if (!tried.has(scheme)) tried.set(scheme, tryScheme(scheme, request));
        const found = requirement.length === 1 ? tried.get(requirement[0] ?? '') : undefined;
        if (found !== undefined && !(found instanceof Promise)) return found;
      }
      return waitForAll(tried, security);
    },

    /** For a path without an operation, and so without requirements: the first scheme that gives a key. */
    authenticateInTurn: async (request: Credentials): Promise<Key> => {
      let failure: Error | undefined;
      for (const scheme of tokenReaders.keys()) {
        try {
          const key = await tryScheme(scheme, request);
          if (key !== undefined) return key;
        } catch (error) {
          failure = error as Error;
        }
      }
      throw failure ?? unauthorized();
    },
  };
};

/** Reads the documented parameters only. */
export const readParameters = (
  request: Omit<Credentials, 'client'> & Omit<RequestParts, 'body'>,
  { parameters: { path, query, header, cookie } }: Operation,
  pathValues: Readonly<Record<string, string>>,
): void => {
  readInto(request.pathParameters, path, pathValues);
  if (query.length > 0) readInto(request.query, query, parseSearch(request.search));
  readInto(request.headerParameters, header, request.headers);
  if (cookie.length > 0) readInto(request.cookies, cookie, parseCookies(single(request.headers['cookie'])));
};

const parsedSearches = new Map<string, ParsedUrlQuery>();
const maxParsedSearches = 1000;
/** Longer ones are seldom sent twice, and might hold what is secret. */
const maxParsedLength = 64;

/** Clients send the same few again and again, and parsing one costs as much as the way to the handler. */
const parseSearch = (search: string): ParsedUrlQuery => {
  const known = parsedSearches.get(search);
  if (known) return known;
  const parsed = parseQuery(search, '&', '=', { maxKeys: 0 });
  if (search.length > maxParsedLength) return parsed;
  if (parsedSearches.size >= maxParsedSearches) parsedSearches.clear();
  parsedSearches.set(search, parsed);
  return parsed;
};

const readInto = (
  values: Record<string, unknown>,
  readers: readonly ParameterReader[],
  sent: Readonly<Record<string, unknown>>,
): void => {
  for (const { key, read } of readers) {
    const value = read(Object.hasOwn(sent, key) ? sent[key] : undefined);
    if (value !== undefined) values[key] = value;
  }
};

const readBody = async (
  request: OperationRequest<unknown>,
  operation: Operation,
  { media, maxBytes }: RequestBody,
): Promise<void> => {
  if (media !== jsonMedia) {
    request.body = request.streamBody(media, maxBytes);
    return;
  }
  const body = await request.readBody(maxBytes);
  request.body = operation.body(body);
  request.sentBody = operation.sentBody(body);
};

/** What a handler gets. The signal is made on demand, by a getter of the class: a getter per object costs each request. */
class HandlerRequest {
  readonly input: ReturnType<typeof inputOf>;
  readonly key: unknown;
  readonly reply = makeReply;
  readonly #request: OperationRequest<unknown>;

  constructor(request: OperationRequest<unknown>, operation: Operation) {
    this.#request = request;
    this.input = inputOf(request, operation);
    this.key = request.key;
  }

  get signal(): AbortSignal {
    return this.#request.signal();
  }

  get client(): RequestClient {
    return this.#request.client();
  }
}

const inputOf = (request: OperationRequest<unknown>, { parameters }: Operation) => {
  const { pathParameters: path, query, headerParameters, cookies: cookie, body, sentBody } = request;
  const header: Record<string, unknown> = {};
  for (const { name, key } of parameters.header) header[name] = headerParameters[key];
  return { path, query, header, cookie, body, sentBody };
};

const makeReply = (status: number, body?: unknown, headers?: AnyReply['headers']): Awaitable<AnyReply> =>
  andThen(body, (known) => (headers ? { status, body: known, headers } : { status, body: known }));
