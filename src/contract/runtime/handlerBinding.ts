import type { Context } from 'openapi-backend';
import type { Contract, Operation } from '../contract.js';
import { ContractError } from '../source.js';
import type { OperationHandlers, OperationId, OperationReply } from '../types.js';
import { compileMock } from './mock.js';
import type { AnyReply, OperationRequest } from './request.js';

export interface HandlerBindingOptions<Key, Services> {
  handlers: Partial<OperationHandlers<Key, Services>>;
  services: Services;
  /** Which operations answer from their examples. Without it, one that has no handler is an error. */
  mocks?: 'missing' | 'all' | undefined;
}

/** Who answers each operation. */
export interface BoundHandlers<Key> {
  /** By operationId, as openapi-backend takes them. */
  readonly handlers: Record<
    string,
    (c: Context, call: OperationRequest<Key>) => AnyReply | Promise<AnyReply>
  >;
  /** The operations that answer from their examples. */
  readonly mocked: ReadonlySet<string>;
}

const reply = (status: number, body: unknown, headers?: Readonly<Record<string, string>>): AnyReply =>
  headers ? { status, body, headers } : { status, body };

/** Gives every operation of the contract its handler or, where that is asked for, its examples. */
export const bindHandlers = <Key, Services>(
  contract: Contract,
  { handlers, services, mocks }: HandlerBindingOptions<Key, Services>,
): BoundHandlers<Key> => {
  const mocked = new Set<string>();
  const answering: BoundHandlers<Key>['handlers'] = {};
  for (const operation of contract.operations.values()) {
    const { id } = operation;
    const handler = Object.hasOwn(handlers, id) ? handlers[id as OperationId] : undefined;
    if (handler && mocks !== 'all') {
      // The contract has just validated the input against the schemas that its type is generated from.
      const answer = handler as (
        request: unknown,
        services: Services,
      ) => Promise<OperationReply<OperationId>>;
      answering[id] = (_c, call) => answer(new HandlerRequest(call), services);
    } else if (mocks) {
      mocked.add(id);
      answering[id] = makeMockHandler(operation);
    } else {
      throw new ContractError(
        `${id} has no handler: handlers/index.ts`,
        contract.locate([...operation.location, 'operationId']),
      );
    }
  }
  const lost = mocks ? undefined : Object.keys(handlers).find((id) => !contract.operations.has(id));
  if (lost !== undefined) throw new Error(`the handler ${lost} belongs to no operation of the contract`);
  return { handlers: answering, mocked };
};

/** What a handler gets. The signal is made when it asks for it, which most do not: a getter of its own would cost each. */
class HandlerRequest {
  readonly input: ReturnType<typeof inputOf>;
  readonly key: unknown;
  readonly reply = reply;
  readonly #call: OperationRequest<unknown>;

  constructor(call: OperationRequest<unknown>) {
    this.#call = call;
    this.input = inputOf(call);
    this.key = call.key;
  }

  get signal(): AbortSignal {
    return this.#call.signal();
  }
}

const inputOf = (call: OperationRequest<unknown>) => {
  const header: Record<string, unknown> = {};
  for (const [name, lowerCase] of call.operation?.headers ?? []) header[name] = call.headers[lowerCase];
  return { query: call.query, header, body: call.requestBody, sentBody: call.sentBody };
};

const makeMockHandler = (operation: Operation) => {
  // openapi-backend makes a body of a schema, and is only known when a request comes.
  let api: Context['api'] | undefined;
  const mock = compileMock(
    operation,
    (code): unknown => api?.mockResponseForOperation(operation.id, { code }).mock,
  );
  return (c: Context, call: OperationRequest<unknown>): AnyReply => {
    api = c.api;
    const answer = mock(call.headers['prefer']);
    return call.rateLimit ? { ...answer, headers: withoutLimits(answer.headers ?? {}) } : answer;
  };
};

/** A key with a limit has figures of its own. */
const withoutLimits = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^ratelimit-/i.test(name)));
