import { parse as parseQuery } from 'node:querystring';
import { OpenAPIBackend, type Context } from 'openapi-backend';
import { isCachedBody, type CachedBody } from '../../lib/cachedBody.js';
import { Problem } from '../../lib/problem.js';
import type { Contract, Operation, Problems } from '../contract.js';
import { bindHandlers, type HandlerBindingOptions } from './handlerBinding.js';
import type { AccessControl, AnyReply, OperationRequest } from './request.js';
import { prepareRoutes } from './routes.js';

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
  find(call: Pick<OperationRequest<Key>, 'path' | 'method'>): Operation | undefined;
  run(call: OperationRequest<Key>): Promise<AnyReply>;
  /** Notes an error with a status that the contract does not document for the operation. */
  noteProblem(operation: Operation, status: number): void;
}

/** 405, which belongs to a path and to no operation, and so to no entry of the contract. */
export class MethodNotAllowed extends Error {
  override readonly name = 'MethodNotAllowed';
}

/** Wires the contract, through openapi-backend, to the gate and the handlers. */
export const makeOperations = async <Key, Services>(
  contract: Contract,
  options: OperationsOptions<Key, Services>,
): Promise<Operations<Key>> => {
  const { basePath, access, onViolation } = options;
  const { handlers, mocked } = bindHandlers(contract, options);
  type C = Context;
  type X = OperationRequest<Key>;

  const authenticate = async (call: X, token: string | undefined): Promise<boolean> => {
    try {
      const key = token === undefined ? access.anonymous : await access.authenticate(token);
      call.key ??= key;
      return key !== undefined;
    } catch (error) {
      // openapi-backend would take this for a key that is not valid.
      call.authenticationError = error as Error;
      return false;
    }
  };
  const bearerAuth = (_c: C, call: X) => authenticate(call, bearerToken(call.headers['authorization']));
  const apiKeyAuth = (_c: C, call: X) => authenticate(call, single(call.headers['x-api-key']));

  const admit = async (call: X): Promise<Key> => {
    if (call.key === undefined && call.authenticationError !== undefined) throw call.authenticationError;
    if (call.key === undefined) throw new Problem('unauthorized', {}, { 'WWW-Authenticate': 'Bearer' });
    const allowance = await access.count(call.key);
    call.rateLimit = allowance;
    if (allowance && !allowance.accepted) {
      const seconds = String(allowance.resetSeconds);
      throw new Problem('rate_limited', { seconds }, { 'Retry-After': seconds });
    }
    return call.key;
  };

  const backend = new OpenAPIBackend({
    definition: contract.resolved,
    apiRoot: basePath || '/',
    strict: true,
    quick: true,
    ignoreTrailingSlashes: false,
    validate: (_c: C, call: X) => call.operation?.canFail !== false,
    ajvOpts: { allErrors: true, validateFormats: false },
    securityHandlers: { bearerAuth, apiKeyAuth },
    handlers: {
      methodNotAllowed: async (c: C, call: X) => {
        if (!(await bearerAuth(c, call))) await apiKeyAuth(c, call);
        await admit(call);
        throw new MethodNotAllowed();
      },
      postSecurityHandler: async (_c: C, call: X) => {
        const operation = call.operation;
        if (!operation) throw new Error('no operation');
        const key = await admit(call);
        if (!access.permits(key, operation.scope)) throw new Problem('forbidden', { scope: operation.scope });
        // No other parameters are read.
        const given = operation.query.length > 0 ? parseQuery(call.search, '&', '=', { maxKeys: 0 }) : {};
        for (const [name, convert] of operation.query) {
          const value = convert(given[name]);
          if (value !== undefined) call.query[name] = value;
        }
        if (!operation.hasBody) return;
        const body = await call.readBody();
        call.requestBody = operation.body(body);
        call.sentBody = operation.sentBody(body);
      },
      unauthorizedHandler: (_c: C, call: X) => admit(call),
      validationFail: (c: C, call: X) => {
        throw new Problem('invalid_request', {
          message: call.operation?.messageFor(c.validation.errors ?? []) ?? '',
        });
      },
      ...handlers,
    },
  });
  await backend.init();
  const routes = prepareRoutes(backend, contract, basePath);
  const check = makeReplyCheck(backend, onViolation);

  return {
    handles: (path) => routes.has(path),
    methodsOf: (path) => [...(routes.get(path)?.keys() ?? [])].map((method) => method.toUpperCase()),
    problems: new Map([...contract.operations.values()].flatMap(({ problems }) => [...problems])),
    mocked,
    find: ({ path, method }) => contract.operations.get(routes.get(path)?.get(method)?.operationId ?? ''),
    noteProblem: ({ id, statuses }, status) => {
      if (!statuses.has(status)) onViolation(id, `status ${String(status)} is not documented`, false);
    },
    run: async (call) => {
      const answer = (await backend.handleRequest(call as never, call)) as AnyReply;
      if (call.operation && !mocked.has(call.operation.id)) check(call.operation, answer);
      return answer;
    },
  };
};

const single = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header.trim() : undefined;

const bearerToken = (header: string | string[] | undefined): string | undefined =>
  /^bearer +(\S+)$/i.exec(single(header) ?? '')?.[1];

/** Called with a reply that the contract does not document. May throw to refuse it, unless it is an error already. */
type OnViolation = (operationId: string, what: string, mayThrow?: boolean) => void;

/** Compares replies with the contract; bytes that are sent many times only once. */
const makeReplyCheck = ({ validator }: OpenAPIBackend, onViolation: OnViolation) => {
  const checked = new WeakSet<CachedBody<unknown>>();
  return ({ id, statuses }: Operation, { status, body }: AnyReply): void => {
    if (isCachedBody(body) && checked.has(body)) return;
    if (!statuses.has(status)) onViolation(id, `status ${String(status)} is not documented`);
    const isValid = validator.getStatusBasedResponseValidatorForOperation(id)[status];
    // openapi-backend knows an absent body as null.
    if (isValid && !isValid(isCachedBody(body) ? JSON.parse(body.bytes.toString()) : (body ?? null))) {
      const places = (isValid.errors ?? []).map(
        ({ instancePath, message }) => `${instancePath} ${message ?? ''}`,
      );
      onViolation(id, places.join(', '));
    }
    if (isCachedBody(body)) checked.add(body);
  };
};
