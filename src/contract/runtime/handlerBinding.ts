import type { Contract, Operation } from '../contract.js';
import { ContractError } from '../source.js';
import { compileMock, makeBodyGenerator, type MockBodies } from './mock.js';
import type { OperationRequest, AnyReply } from './request.js';

export interface HandlerBindingOptions<Services> {
  /** By operationId. Their types are those of the contract that they are written for. */
  handlers: Readonly<Record<string, unknown>>;
  services: Services;
  /** Which operations answer from their examples. Without it, one that has no handler is an error. */
  mocks?: 'missing' | 'all' | undefined;
  /** Makes the bodies of mocks from the schemas, with this seed, instead of from the examples. */
  mockSeed?: number | undefined;
}

/** Does the contract allow this body for a status of an operation? */
type FitsReply = (operation: Operation, status: number, body: unknown) => boolean;

/** An operation and the function that answers it. */
export interface BoundOperation<Key> {
  readonly operation: Operation;
  readonly handle: RunHandler<Key>;
  /** Does it answer from its examples? */
  readonly isMocked: boolean;
}

type RunHandler<Key> = (request: OperationRequest<Key>) => AnyReply | Promise<AnyReply>;

const reply = (status: number, body?: unknown, headers?: Readonly<Record<string, string>>): AnyReply =>
  headers ? { status, body, headers } : { status, body };

/** Gives every operation of the contract its handler or, if `mocks` allows it, its examples. */
export const bindHandlers = async <Key, Services>(
  contract: Contract,
  { handlers, services, mocks, mockSeed }: HandlerBindingOptions<Services>,
  fitsReply: FitsReply,
): Promise<ReadonlyMap<string, BoundOperation<Key>>> => {
  const bound = new Map<string, BoundOperation<Key>>();
  let bodies: MockBodies | undefined;
  for (const operation of contract.operations.values()) {
    const { id } = operation;
    const handler = Object.hasOwn(handlers, id) ? handlers[id] : undefined;
    if (handler && mocks !== 'all') {
      // The input's type is generated from the schemas that the request was validated against.
      const handle = handler as (request: unknown, services: Services) => Promise<AnyReply>;
      const run: RunHandler<Key> = (request) => handle(new HandlerRequest(request), services);
      bound.set(id, { operation, handle: run, isMocked: false });
    } else if (mocks) {
      bodies ??= await makeMockBodies(contract, mockSeed, fitsReply);
      bound.set(id, { operation, handle: makeMockHandler(operation, bodies), isMocked: true });
    } else {
      throw new ContractError(
        `${id} has no handler: handlers/index.ts`,
        contract.locate([...operation.location, 'operationId']),
      );
    }
  }
  const unknown = mocks ? undefined : Object.keys(handlers).find((id) => !contract.operations.has(id));
  if (unknown !== undefined)
    throw new Error(`the handler ${unknown} belongs to no operation of the contract`);
  return bound;
};

/** What a handler gets. The signal is made on demand, by a getter of the class: a getter per object costs each request. */
class HandlerRequest {
  readonly input: ReturnType<typeof inputOf>;
  readonly key: unknown;
  readonly reply = reply;
  readonly #request: OperationRequest<unknown>;

  constructor(request: OperationRequest<unknown>) {
    this.#request = request;
    this.input = inputOf(request);
    this.key = request.key;
  }

  get signal(): AbortSignal {
    return this.#request.signal();
  }
}

const inputOf = (request: OperationRequest<unknown>) => {
  const {
    operation,
    pathParameters: path,
    query,
    headerParameters,
    cookies: cookie,
    body,
    sentBody,
  } = request;
  const header: Record<string, unknown> = {};
  for (const { name, key } of operation?.parameters.header ?? []) header[name] = headerParameters[key];
  return { path, query, header, cookie, body, sentBody };
};

const makeMockBodies = async (
  contract: Contract,
  seed: number | undefined,
  fitsReply: FitsReply,
): Promise<MockBodies> => {
  const otherwise = await makeBodyGenerator(contract);
  if (seed === undefined) return { generate: otherwise, prefersExamples: true };
  const { makeDynamicBodies } = await import('./dynamic/dynamicBodies.js');
  const generate = await makeDynamicBodies(contract, { seed, fitsReply, otherwise });
  return { generate, prefersExamples: false };
};

const makeMockHandler = (operation: Operation, bodies: MockBodies): RunHandler<unknown> => {
  const mock = compileMock(operation, bodies);
  return (request) => {
    const mocked = mock(request);
    return request.rateLimit ? { ...mocked, headers: withoutRateLimits(mocked.headers ?? {}) } : mocked;
  };
};

/** The real figures of a key with a limit are sent instead of the examples. */
const withoutRateLimits = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^ratelimit-/i.test(name)));
