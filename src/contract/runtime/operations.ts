import { parse as parseQuery } from 'node:querystring';
import type { Ajv, ErrorObject, Options as AjvOptions } from 'ajv';
import { OpenAPIRouter, OpenAPIValidator } from 'openapi-backend';
import { isCachedBody, type CachedBody } from '../../lib/cachedBody.js';
import { DatabaseUnavailable, makeUnavailable, Problem } from '../../lib/problem.js';
import type { Contract, Operation, Problems } from '../contract.js';
import { ContractError } from '../source.js';
import { bindHandlers, type BoundOperation, type HandlerBindingOptions } from './handlerBinding.js';
import type { OperationRequest, AccessControl, AnyReply } from './request.js';

export interface OperationsOptions<Key, Services> extends HandlerBindingOptions<Key, Services> {
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
  /** Runs a request whose path has an operation. Throws `Problem` or `MethodNotAllowed` to refuse it. */
  run(request: OperationRequest<Key>): Promise<AnyReply>;
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
  const { basePath, access, onViolation } = options;
  const bound = await bindHandlers(contract, options);
  const router = new ContractRouter(contract, basePath, bound);
  const validators = validatorsOf(contract);
  requireSecuritySchemes(contract);
  const { authenticate, authenticateInTurn } = makeAuthentication(access);
  const checkReply = makeReplyCheck(validators, onViolation);

  const countRequest = async (request: OperationRequest<Key>, key: Key): Promise<void> => {
    const rateLimit = await orUnavailable(access.count(key));
    request.rateLimit = rateLimit;
    if (!rateLimit || rateLimit.accepted) return;
    const seconds = String(rateLimit.resetSeconds);
    throw new Problem('rate_limited', { seconds }, { 'Retry-After': seconds });
  };

  const requireScope = (key: Key, { scope }: Operation): void => {
    if (!access.permits(key, scope)) throw new Problem('forbidden', { scope });
  };

  const validate = (request: OperationRequest<Key>, operation: Operation): void => {
    const errors = operation.canFail ? validators.requestErrors(operation, request) : [];
    if (errors.length > 0) throw new Problem('invalid_request', { message: operation.messageFor(errors) });
  };

  const refuseMethod = async (request: OperationRequest<Key>): Promise<never> => {
    request.key = await authenticateInTurn(request.headers);
    await countRequest(request, request.key);
    throw new MethodNotAllowed();
  };

  const run = async (request: OperationRequest<Key>): Promise<AnyReply> => {
    const route = router.find(request.path, request.method);
    if (!route) return refuseMethod(request);
    const { operation, security, handle, isMocked } = route;
    request.operation = operation;
    const key = await authenticate(request.headers, security);
    request.key = key;
    await countRequest(request, key);
    requireScope(key, operation);
    convertQuery(request, operation);
    const { maxBodyBytes } = operation;
    if (maxBodyBytes !== undefined) convertBody(request, operation, await request.readBody(maxBodyBytes));
    validate(request, operation);
    const reply = await handle(request);
    if (!isMocked) checkReply(operation, reply);
    return reply;
  };

  return {
    handles: (path) => router.handles(path),
    methodsOf: (path) => router.methodsOf(path),
    problems: new Map([...contract.operations.values()].flatMap(({ problems }) => [...problems])),
    mocked: new Set([...bound].flatMap(([id, { isMocked }]) => (isMocked ? [id] : []))),
    find: ({ path, method }) => router.find(path, method)?.operation,
    run,
    noteProblem: ({ id, statuses }, status) => {
      if (!statuses.has(status)) onViolation(id, `status ${String(status)} is not documented`, false);
    },
  };
};

type Headers = OperationRequest<unknown>['headers'];

const single = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header.trim() : undefined;

/** Security scheme of the contract → the token that a request sends for it. */
const tokenReaders = new Map<string, (headers: Headers) => string | undefined>([
  ['bearerAuth', (headers) => /^bearer +(\S+)$/i.exec(single(headers['authorization']) ?? '')?.[1]],
  ['apiKeyAuth', (headers) => single(headers['x-api-key'])],
]);

/** A scheme that is read must be declared, or clients could not know of it. */
const requireSecuritySchemes = ({ resolved, locate }: Contract): void => {
  const declared = resolved.components.securitySchemes ?? {};
  for (const scheme of tokenReaders.keys())
    if (!Object.hasOwn(declared, scheme))
      throw new ContractError(`components.securitySchemes.${scheme} is missing`, locate(['components']));
};

/** Nothing was done yet when the database does not answer here, so the client may send the request again. */
const orUnavailable = <T>(asked: T): T =>
  asked instanceof Promise
    ? (asked.catch((error: unknown) => {
        throw error instanceof DatabaseUnavailable ? makeUnavailable() : error;
      }) as T)
    : asked;

/** Finds the key of a request. Throws 401 if there is none, or the error that kept a key from being checked. */
const makeAuthentication = <Key>(access: AccessControl<Key>) => {
  const tryScheme = async (scheme: string, headers: Headers): Promise<Key | undefined> => {
    const readToken = tokenReaders.get(scheme);
    if (!readToken) return undefined;
    const token = readToken(headers);
    return token === undefined ? access.anonymous : orUnavailable(access.authenticate(token));
  };
  const unauthorized = () => new Problem('unauthorized', {}, { 'WWW-Authenticate': 'Bearer' });

  return {
    /** Tries all schemes at once: one that can not be checked does not matter if another is good. */
    authenticate: async (headers: Headers, security: OperationRoute<Key>['security']): Promise<Key> => {
      const schemes = security.flat();
      const results = await Promise.allSettled(schemes.map((scheme) => tryScheme(scheme, headers)));
      const keyOf = (scheme: string): Key | undefined => {
        const result = results[schemes.indexOf(scheme)];
        return result?.status === 'fulfilled' ? result.value : undefined;
      };
      for (const requirement of security) {
        const keys = requirement.map(keyOf);
        if (keys[0] !== undefined && !keys.includes(undefined)) return keys[0];
      }
      const failed = results.find((result) => result.status === 'rejected');
      throw failed ? (failed.reason as Error) : unauthorized();
    },

    /** For a path without an operation, and so without requirements: the first scheme that gives a key. */
    authenticateInTurn: async (headers: Headers): Promise<Key> => {
      let failure: Error | undefined;
      for (const scheme of tokenReaders.keys()) {
        try {
          const key = await tryScheme(scheme, headers);
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
const convertQuery = ({ search, query }: OperationRequest<unknown>, operation: Operation): void => {
  const given = operation.query.length > 0 ? parseQuery(search, '&', '=', { maxKeys: 0 }) : {};
  for (const [name, convert] of operation.query) {
    const value = convert(given[name]);
    if (value !== undefined) query[name] = value;
  }
};

const convertBody = (request: OperationRequest<unknown>, operation: Operation, body: unknown): void => {
  request.body = operation.body(body);
  request.sentBody = operation.sentBody(body);
};

/** Called with a reply that the contract does not document. May throw to refuse it, unless it is an error already. */
type OnViolation = (operationId: string, what: string, mayThrow?: boolean) => void;

/** Compares replies with the contract, a cached body only once. */
const makeReplyCheck = (validators: Validators, onViolation: OnViolation) => {
  const checked = new WeakSet<CachedBody<unknown>>();
  return (operation: Operation, { status, body }: AnyReply): void => {
    const cached = isCachedBody(body) ? body : undefined;
    if (cached && checked.has(cached)) return;
    const { id, statuses } = operation;
    if (!statuses.has(status)) onViolation(id, `status ${String(status)} is not documented`);
    const errors = validators.replyErrors(
      operation,
      status,
      cached ? JSON.parse(cached.bytes.toString()) : body,
    );
    if (errors.length > 0)
      onViolation(
        id,
        errors.map(({ instancePath, message = '' }) => `${instancePath} ${message}`).join(', '),
      );
    if (cached) checked.add(cached);
  };
};

/** All that a request to one path with one method needs. */
interface OperationRoute<Key> extends BoundOperation<Key> {
  /** Any of these is enough; the schemes of one are needed together. */
  readonly security: readonly (readonly string[])[];
}

/** Finds operations by path and method. Paths have no parameters, so the routes are listed once and looked up. */
class ContractRouter<Key> extends OpenAPIRouter {
  readonly #routes = new Map<string, Map<string, OperationRoute<Key>>>();

  constructor(
    { resolved }: Contract,
    basePath: string,
    operations: ReadonlyMap<string, BoundOperation<Key>>,
  ) {
    super({ definition: resolved, apiRoot: basePath || '/' });
    for (const { path, method, operationId, security = [] } of this.getOperations()) {
      const bound = operations.get(operationId ?? '');
      if (!bound) continue;
      const methods = this.#routes.get(basePath + path) ?? new Map<string, OperationRoute<Key>>();
      methods.set(method, { ...bound, security: security.map((schemes) => Object.keys(schemes)) });
      this.#routes.set(basePath + path, methods);
    }
  }

  find(path: string, method: string): OperationRoute<Key> | undefined {
    return this.#routes.get(path)?.get(method);
  }

  /** Is there an operation at this path, whatever its method? */
  handles(path: string): boolean {
    return this.#routes.has(path);
  }

  /** The methods of a path, for `Allow`. */
  methodsOf(path: string): string[] {
    return [...(this.#routes.get(path)?.keys() ?? [])].map((method) => method.toUpperCase());
  }
}

/** The parts of a request that a contract describes. */
interface RequestParts {
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

interface Validators {
  requestErrors(operation: Operation, parts: RequestParts): ErrorObject[];
  /** Replies with a status that has no schema have no errors. */
  replyErrors(operation: Operation, status: number, body: unknown): ErrorObject[];
}

const compiled = new WeakMap<Contract, Validators>();

/** A contract is compiled once, however many services of this process serve it. */
const validatorsOf = (contract: Contract): Validators => {
  const validators = compiled.get(contract) ?? compileValidators(contract);
  compiled.set(contract, validators);
  return validators;
};

const sharedAjv = new Map<unknown, Ajv>();

/** Each instance compiles JSON Schema's own schema first, which takes longer than all schemas of a contract. */
const shareAjv = (created: Ajv, { coerceTypes }: AjvOptions): Ajv => {
  const shared = sharedAjv.get(coerceTypes) ?? created;
  sharedAjv.set(coerceTypes, shared);
  // Without what was compiled before: a contract that was replaced must not stay in memory.
  return shared.removeSchema();
};

/** Compiles the schemas of requests now, so that a bad one is found at start, and those of replies when needed. */
const compileValidators = (contract: Contract): Validators => {
  const router = new OpenAPIRouter({ definition: contract.resolved });
  const validator = new OpenAPIValidator({
    definition: router.definition,
    router,
    ajvOpts: { allErrors: true, validateFormats: false, addUsedSchema: false },
    customizeAjv: shareAjv,
    lazyCompileValidators: true,
  });
  const compileRequest = ({ id, location }: Operation) => {
    try {
      return validator.getRequestValidatorsForOperation(id);
    } catch (error) {
      throw new ContractError(`${id}: ${(error as Error).message}`, contract.locate(location));
    }
  };
  const requestValidators = new Map(
    [...contract.operations.values()].map((operation) => [operation.id, compileRequest(operation)]),
  );
  return {
    requestErrors: ({ id }, { query, headers, body }) => {
      const parts = { path: {}, query, header: headers, cookie: {}, requestBody: body };
      const validators = requestValidators.get(id) ?? [];
      return validators.flatMap((isValid) => (isValid(parts) ? [] : (isValid.errors ?? [])));
    },
    replyErrors: ({ id }, status, body) => {
      const isValid = validator.getStatusBasedResponseValidatorForOperation(id)[status];
      // openapi-backend knows an absent body as null.
      return isValid && !isValid(body ?? null) ? (isValid.errors ?? []) : [];
    },
  };
};
