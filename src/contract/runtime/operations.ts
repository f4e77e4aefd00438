import { OpenAPIBackend, type HandlerMap } from 'openapi-backend';
import { andThen, type Awaitable } from '../../lib/awaitable.js';
import { CodedError } from '../../errors/codedError.js';
import { HttpProblem } from '../../errors/httpProblem.js';
import { negotiate } from '../accept.js';
import type { RequestBody } from '../bodyTypes.js';
import type { Contract, Operation, Problems } from '../contract.js';
import { responseFor } from '../responses.js';
import { ContractError } from '../source.js';
import { makeAuthentication, makeReadCookies } from './authentication.js';
import { ContractRouter, type Match } from './contractRouter.js';
import { makeMockBodies, makeMockOperation } from '../mock/mock.js';
import type { AccessControl, AnyReply, OperationRequest } from './request.js';
import { HandlerRequest, readBody, readParameters } from './requestInput.js';
import { makeReplyCheck, validatorsOf, type OnViolation, type Validators } from './validators.js';

export interface OperationsOptions<Key, Services> {
  /** By operationId. Their types are those of the contract that they are written for. */
  handlers: Readonly<Record<string, unknown>>;
  services: Services;
  /** Which operations answer from their examples. Without it, one that has no handler is an error. */
  mocks?: 'missing' | 'all' | undefined;
  /** Makes the bodies of mocks from the schemas, with this seed, instead of from the examples. */
  mockSeed?: number | undefined;
  basePath: string;
  access: AccessControl<Key>;
  onViolation: OnViolation;
  /** Without it, handlers run at once. */
  queue?: RunQueued<Key>;
}

/**
 * Runs the handler of a valid request, perhaps later. Throws `HttpProblem` to refuse it, at once or later.
 */
export type RunQueued<Key> = (
  request: Pick<OperationRequest<Key>, 'key' | 'signal' | 'client'>,
  operation: Operation,
  run: () => Awaitable<AnyReply>,
) => Awaitable<AnyReply>;

export interface Operations<Key> {
  /** What a request asks for. `undefined`: no operation has this path. The method is in lower case. */
  find(path: string, method: string): Match | undefined;
  /** The methods of a path, for `Allow`. */
  methodsOf(path: string): readonly string[];
  /** The problems of all operations, for a request that is refused before it has an operation. */
  readonly problems: Problems;
  /** The operations that answer from their examples. */
  readonly mocked: ReadonlySet<string>;
  /**
   * Runs what was found for a request. Throws `HttpProblem`
   * or `MethodNotAllowed` to refuse it, at once or later.
   */
  run(request: OperationRequest<Key>, match: Match): Awaitable<AnyReply>;
  /**
   * Counts a request whose path has no operation, if it has a valid key,
   * and adds to it what it found out. Throws `HttpProblem` to refuse it.
   */
  countUnknown(request: UnknownRequest<Key>): Promise<void>;
  /** Reports an error whose status the contract does not document for the operation. */
  noteProblem(operation: Operation, status: number): void;
}

/** What is known of a request whose path has no operation. */
export type UnknownRequest<Key> = Pick<
  OperationRequest<Key>,
  'headers' | 'search' | 'client' | 'key' | 'rateLimit'
>;

/** 405 belongs to a path and not to an operation, so the contract has no entry for it. */
export class MethodNotAllowed extends CodedError<'method-not-allowed'> {
  override readonly name = 'MethodNotAllowed';

  constructor() {
    super('method-not-allowed', 'the path has no operation with this method', { kind: 'invalid' });
  }
}

/** An operation that a request asks for. */
type Route = Match & { readonly operation: Operation };

/** Adds to the request what it found out. Throws `HttpProblem` to refuse it, at once or later. */
type Step<Key> = (request: OperationRequest<Key>, route: Route) => Awaitable<void>;

/** Serves the operations of a contract: from the matched operation to the checked reply. */
export const makeOperations = async <Key, Services>(
  contract: Contract,
  options: OperationsOptions<Key, Services>,
): Promise<Operations<Key>> => {
  const { basePath, access, onViolation } = options;
  const router = new ContractRouter(contract, basePath);
  const validators = validatorsOf(contract);
  const { answers, mocked } = await bindHandlers(contract, options, router, validators);
  const { accept, identify, countRequest, requireScope, authenticateInTurn } = makeAccessSteps(
    contract,
    access,
  );
  const readCookies = makeReadCookies(access);

  const chooseMediaType = (request: OperationRequest<Key>, { operation }: Route): void => {
    const { offered, negotiates } = operation;
    request.accepted = negotiates ? negotiate(request.headers['accept'], offered) : offered[0];
    if (negotiates && request.accepted === undefined)
      throw new HttpProblem('not_acceptable', { media: offered.join(', ') });
  };

  const receiveBody: Step<Key> = (request, route) =>
    route.operation.requestBody && waitForBody(request, route, route.operation.requestBody);

  const waitForBody = async (
    request: OperationRequest<Key>,
    route: Route,
    body: RequestBody,
  ): Promise<void> => {
    const mustWait = !request.isComplete();
    await readBody(request, route.operation, body);
    // A client that sends slowly may have lost its rights meanwhile.
    if (!mustWait) return;
    await identify(request, route);
    requireScope(request, route);
  };

  const convertParameters: Step<Key> = (request, { operation, pathValues }) =>
    readParameters(request, operation, pathValues, readCookies);

  const validate: Step<Key> = (request, { operation }) => {
    const errors = validators.requestErrors(operation, request);
    const { messageFor } = request.bodyType ?? operation;
    if (errors.length > 0)
      throw new HttpProblem('invalid_request', { message: messageFor(errors, request.body) });
  };

  const steps: readonly Step<Key>[] = [
    accept,
    identify,
    countRequest,
    requireScope,
    chooseMediaType,
    receiveBody,
    convertParameters,
    validate,
  ];

  /** Goes on at once after a step that need not be waited for. */
  const prepare = (request: OperationRequest<Key>, route: Route, first = 0): Awaitable<void> => {
    for (let index = first; index < steps.length; index += 1) {
      const step = steps[index]?.(request, route);
      if (step instanceof Promise) return step.then(() => prepare(request, route, index + 1));
    }
  };

  /** A path without this method has no operation, and so no scope. */
  const refuseMethod = async (request: OperationRequest<Key>): Promise<never> => {
    accept(request);
    request.key = await authenticateInTurn(request);
    await countRequest(request);
    throw new MethodNotAllowed();
  };

  const countUnknown = async (request: UnknownRequest<Key>): Promise<void> => {
    request.key = await authenticateInTurn(request).catch(() => undefined);
    await countRequest(request);
  };

  const run = (request: OperationRequest<Key>, { operation, pathValues }: Match): Awaitable<AnyReply> => {
    const answer = answers.get(operation?.id ?? '');
    if (!operation || !answer) return refuseMethod(request);
    request.operation = operation;
    contract.examine?.(operation);
    return andThen(prepare(request, { operation, pathValues }), () => answer(request));
  };

  return {
    find: (path, method) => router.find(path, method),
    methodsOf: (path) => router.methodsOf(path),
    problems: new Map([...contract.operations.values()].flatMap(({ problems }) => [...problems])),
    mocked,
    run,
    countUnknown,
    noteProblem: ({ id, definition }, status) => {
      if (!responseFor(definition.responses, status))
        onViolation(id, `status ${String(status)} is not documented`, false);
    },
  };
};

/** The steps that ask who sent a request, and what its key may do. */
const makeAccessSteps = <Key>(contract: Contract, access: AccessControl<Key>) => {
  const { authenticate, authenticateInTurn, hasCredentials } = makeAuthentication(contract, access);

  /** May say no with an error. */
  const hasScope = (key: Key, operation: Operation): boolean => {
    const { scope } = operation;
    try {
      return scope === undefined || access.permits(key, scope, operation);
    } catch {
      return false;
    }
  };

  return {
    authenticateInTurn,
    accept: (request: OperationRequest<Key>): void => access.accept?.(request),

    identify: (request: OperationRequest<Key>, { operation }: Route): Awaitable<void> => {
      const { security, hasOptionalSecurity } = operation;
      if (security.length === 0 || (hasOptionalSecurity && !hasCredentials(request, security))) return;
      const suffices = (key: Key): boolean => hasScope(key, operation);
      return andThen(authenticate(request, operation, suffices), (key) => {
        request.key = key;
      });
    },

    countRequest: (request: UnknownRequest<Key>): Awaitable<void> => {
      const { key } = request;
      if (key === undefined) return;
      return andThen(access.count(key), (rateLimit) => {
        request.rateLimit = rateLimit;
        if (!rateLimit || rateLimit.accepted) return;
        access.refused?.(key);
        const seconds = String(rateLimit.resetSeconds);
        throw new HttpProblem('rate_limited', { seconds }, { 'Retry-After': seconds });
      });
    },

    requireScope: ({ key }: OperationRequest<Key>, { operation }: Route): void => {
      const { scope } = operation;
      if (key === undefined || scope === undefined || access.permits(key, scope, operation)) return;
      access.refused?.(key);
      throw new HttpProblem('forbidden', { scope });
    },
  };
};

/** The input's type is generated from the schemas that the request was validated against. */
type UntypedHandler<Services> = (request: unknown, services: Services) => Awaitable<AnyReply>;

type Answer<Key> = (request: OperationRequest<Key>) => Awaitable<AnyReply>;

/** What answers each operation, by operationId: its handler or, if `mocks` allows it, its examples. */
const bindHandlers = async <Key, Services>(
  contract: Contract,
  { handlers, services, mocks, mockSeed, onViolation, queue }: OperationsOptions<Key, Services>,
  router: ContractRouter,
  validators: Validators,
): Promise<{ answers: ReadonlyMap<string, Answer<Key>>; mocked: ReadonlySet<string> }> => {
  const answers = new Map<string, Answer<Key>>();
  const checkReply = makeReplyCheck(validators, onViolation);
  const unanswered: Operation[] = [];
  for (const operation of contract.operations.values()) {
    const { id, location } = operation;
    const handler = Object.hasOwn(handlers, id) ? (handlers[id] as UntypedHandler<Services>) : undefined;
    if (handler && mocks !== 'all')
      answers.set(id, (request) => {
        const handle = () => handler(new HandlerRequest(request, operation), services);
        return andThen(queue ? queue(request, operation, handle) : handle(), (reply) => {
          checkReply(operation, reply, request.accepted);
          return reply;
        });
      });
    else if (mocks) unanswered.push(operation);
    else throw new ContractError(`${id} has no handler`, contract.locate([...location, 'operationId']));
  }
  if (!mocks) {
    // Not initialised by its `init`, which would read the contract again.
    // It refuses a handler that has no operation.
    const backend = new OpenAPIBackend({ definition: contract.resolved, strict: true });
    Object.assign(backend, { router, initialized: true }).register(handlers as HandlerMap);
  }
  const fitsReply = (...reply: Parameters<Validators['replyErrors']>): boolean =>
    validators.replyErrors(...reply).length === 0;
  if (unanswered.length > 0) {
    const bodies = await makeMockBodies(contract, mockSeed, fitsReply);
    for (const operation of unanswered) answers.set(operation.id, makeMockOperation(operation, bodies));
  }
  return { answers, mocked: new Set(unanswered.map(({ id }) => id)) };
};
