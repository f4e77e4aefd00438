import { parse as parseQuery } from 'node:querystring';
import { OpenAPIBackend, type Context } from 'openapi-backend';
import { Problem } from '../problem.js';
import type { AnyReply, Call, Gate } from './call.js';
import type { Contract, Operation, Problems } from './contract.js';
import { makeHandling, type HandlingOptions } from './handling.js';
import { prepareLookup } from './lookup.js';
import { makeReplyCheck, type OnViolation } from './replyCheck.js';

export interface OperationsOptions<Key, Services> extends HandlingOptions<Key, Services> {
  basePath: string;
  gate: Gate<Key>;
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
  find(call: Pick<Call<Key>, 'path' | 'method'>): Operation | undefined;
  run(call: Call<Key>): Promise<AnyReply>;
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
  const { basePath, gate, onViolation } = options;
  const { answering, mocked } = makeHandling(contract, options);
  type C = Context;
  type X = Call<Key>;

  const authenticate = async (call: X, token: string | undefined): Promise<boolean> => {
    try {
      const key = token === undefined ? gate.anonymous : await gate.authenticate(token);
      call.key ??= key;
      return key !== undefined;
    } catch (error) {
      // openapi-backend would take this for a key that is not valid.
      call.fault = error as Error;
      return false;
    }
  };
  const bearerAuth = (_c: C, call: X) => authenticate(call, bearerToken(call.headers['authorization']));
  const apiKeyAuth = (_c: C, call: X) => authenticate(call, single(call.headers['x-api-key']));

  const admit = async (call: X): Promise<Key> => {
    if (call.key === undefined && call.fault !== undefined) throw call.fault;
    if (call.key === undefined) throw new Problem('unauthorized', {}, { 'WWW-Authenticate': 'Bearer' });
    const allowance = await gate.count(call.key);
    call.allowance = allowance;
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
        if (!gate.permits(key, operation.scope)) throw new Problem('forbidden', { scope: operation.scope });
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
      ...answering,
    },
  });
  await backend.init();
  const routes = prepareLookup(backend, contract, basePath);
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
