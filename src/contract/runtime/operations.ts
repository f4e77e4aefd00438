import { andThen, type Awaitable } from '../../lib/awaitable.js';
import { HttpProblem } from '../../errors/httpProblem.js';
import { negotiate } from '../accept.js';
import type { RequestBody } from '../bodyTypes.js';
import type { Contract, Operation, Problems } from '../contract.js';
import { responseFor } from '../responses.js';
import { makeAuthentication, makeReadCookies } from './authentication.js';
import { ContractRouter } from './contractRouter.js';
import { bindHandlers, type HandlerBindingOptions } from './handlerBinding.js';
import type { AccessControl, AnyReply, OperationRequest } from './request.js';
import { HandlerRequest, readBody, readParameters } from './requestInput.js';
import { makeReplyCheck, validatorsOf, type OnViolation } from './validators.js';
import { CodedError } from '../../errors/codedError.js';

export interface OperationsOptions<Key, Services> extends HandlerBindingOptions<Services> {
  basePath: string;
  access: AccessControl<Key>;
  onViolation: OnViolation;
  /** Without it, handlers run at once. */
  queue?: RunQueued<Key>;
}

/** Runs the handler of a valid request, perhaps later. Throws `HttpProblem` to refuse it, at once or later. */
export type RunQueued<Key> = (
  request: Pick<OperationRequest<Key>, 'key' | 'signal' | 'client'>,
  operation: Operation,
  run: () => Awaitable<AnyReply>,
) => Awaitable<AnyReply>;

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
  /** Runs a request whose path has an operation. Throws `HttpProblem` or `MethodNotAllowed` to refuse it, at once or later. */
  run(request: OperationRequest<Key>): Awaitable<AnyReply>;
  /**
   * Counts a request whose path has no operation, if it has a valid key, and adds to it what it found out. Throws
   * `HttpProblem` to refuse it.
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

/** Serves the operations of a contract: from the matched operation to the checked reply. */
export const makeOperations = async <Key, Services>(
  contract: Contract,
  options: OperationsOptions<Key, Services>,
): Promise<Operations<Key>> => {
  const { basePath, access, services, onViolation, queue } = options;
  const validators = validatorsOf(contract);
  const bound = await bindHandlers(
    contract,
    options,
    (...reply) => validators.replyErrors(...reply).length === 0,
  );
  const router = new ContractRouter(contract, basePath, bound);
  type Route = NonNullable<ReturnType<typeof router.find>>;
  /** Adds to the request what it found out. Throws `HttpProblem` to refuse it, at once or later. */
  type Step = (request: OperationRequest<Key>, route: Route) => Awaitable<void>;
  const { authenticate, authenticateInTurn, hasCredentials } = makeAuthentication(contract, access);
  const readCookies = makeReadCookies(access);
  const checkReply = makeReplyCheck(validators, onViolation);

  const accept: Step = (request) => access.accept?.(request);

  /** May say no with an error. */
  const hasScope = (key: Key, operation: Operation): boolean => {
    const { scope } = operation;
    try {
      return scope === undefined || access.permits(key, scope, operation);
    } catch {
      return false;
    }
  };

  const identify: Step = (request, { operation }) => {
    const { security, hasOptionalSecurity } = operation;
    if (security.length === 0 || (hasOptionalSecurity && !hasCredentials(request, security))) return;
    const suffices = (key: Key): boolean => hasScope(key, operation);
    return andThen(authenticate(request, operation, suffices), (key) => {
      request.key = key;
    });
  };

  const countRequest = (request: UnknownRequest<Key>): Awaitable<void> => {
    const { key } = request;
    if (key === undefined) return;
    return andThen(access.count(key), (rateLimit) => {
      request.rateLimit = rateLimit;
      if (!rateLimit || rateLimit.accepted) return;
      access.refused?.(key);
      const seconds = String(rateLimit.resetSeconds);
      throw new HttpProblem('rate_limited', { seconds }, { 'Retry-After': seconds });
    });
  };

  const requireScope = ({ key }: OperationRequest<Key>, { operation }: Route): void => {
    const { scope } = operation;
    if (key === undefined || scope === undefined || access.permits(key, scope, operation)) return;
    access.refused?.(key);
    throw new HttpProblem('forbidden', { scope });
  };

  const chooseMediaType = (request: OperationRequest<Key>, { operation }: Route): void => {
    const { offered, negotiates } = operation;
    request.accepted = negotiates ? negotiate(request.headers['accept'], offered) : offered[0];
    if (negotiates && request.accepted === undefined)
      throw new HttpProblem('not_acceptable', { media: offered.join(', ') });
  };

  const receiveBody: Step = (request, route) =>
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

  const convertParameters: Step = (request, { operation, pathValues }) =>
    readParameters(request, operation, pathValues, readCookies);

  const validate: Step = (request, { operation }) => {
    const errors = operation.canFail ? validators.requestErrors(operation, request) : [];
    const { messageFor } = request.bodyType ?? operation;
    if (errors.length > 0)
      throw new HttpProblem('invalid_request', { message: messageFor(errors, request.body) });
  };

  const steps: readonly Step[] = [
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

  const answer = (request: OperationRequest<Key>, route: Route): Awaitable<AnyReply> => {
    const { operation, handler, mock } = route;
    if (mock) return mock(request);
    const handle = () => handler(new HandlerRequest(request, operation), services);
    return andThen(queue ? queue(request, operation, handle) : handle(), (reply) => {
      checkReply(operation, reply, request.accepted);
      return reply;
    });
  };

  /** A path without this method has no operation, and so no scope. */
  const refuseMethod = async (request: OperationRequest<Key>): Promise<never> => {
    access.accept?.(request);
    request.key = await authenticateInTurn(request);
    await countRequest(request);
    throw new MethodNotAllowed();
  };

  const countUnknown = async (request: UnknownRequest<Key>): Promise<void> => {
    request.key = await authenticateInTurn(request).catch(() => undefined);
    await countRequest(request);
  };

  const run = (request: OperationRequest<Key>): Awaitable<AnyReply> => {
    const route = router.find(request.path, request.method);
    if (!route) return refuseMethod(request);
    request.operation = route.operation;
    contract.examine?.(route.operation);
    return andThen(prepare(request, route), () => answer(request, route));
  };

  return {
    handles: (path) => router.handles(path),
    methodsOf: (path) => router.methodsOf(path),
    problems: new Map([...contract.operations.values()].flatMap(({ problems }) => [...problems])),
    mocked: new Set([...bound].flatMap(([id, { mock }]) => (mock ? [id] : []))),
    find: ({ path, method }) => router.find(path, method)?.operation,
    run,
    countUnknown,
    noteProblem: ({ id, definition }, status) => {
      if (!responseFor(definition.responses, status))
        onViolation(id, `status ${String(status)} is not documented`, false);
    },
  };
};
