import type { Awaitable } from '../../lib/awaitable.js';
import type { Contract, Operation } from '../contract.js';
import type { ReplyHeaders } from '../document.js';
import { ContractError } from '../source.js';
import { compileMock, makeBodyGenerator, type MockBodies } from './mock.js';
import type { OperationRequest, AnyReply } from './request.js';
import type { FitsReply } from './validators.js';

export interface HandlerBindingOptions<Services> {
  /** By operationId. Their types are those of the contract that they are written for. */
  handlers: Readonly<Record<string, unknown>>;
  services: Services;
  /** Which operations answer from their examples. Without it, one that has no handler is an error. */
  mocks?: 'missing' | 'all' | undefined;
  /** Makes the bodies of mocks from the schemas, with this seed, instead of from the examples. */
  mockSeed?: number | undefined;
}

/** An operation and what answers it: its handler or, without one, a mock. */
export type BoundOperation<Services> = { readonly operation: Operation } & (
  | { readonly handler: UntypedHandler<Services>; readonly mock?: undefined }
  | { readonly handler?: undefined; readonly mock: MockOperation }
);

/** The input's type is generated from the schemas that the request was validated against. */
type UntypedHandler<Services> = (request: unknown, services: Services) => Awaitable<AnyReply>;

type MockOperation = (request: OperationRequest<unknown>) => AnyReply;

/** Gives every operation of the contract its handler or, if `mocks` allows it, its examples. */
export const bindHandlers = async <Services>(
  contract: Contract,
  { handlers, mocks, mockSeed }: HandlerBindingOptions<Services>,
  fitsReply: FitsReply,
): Promise<ReadonlyMap<string, BoundOperation<Services>>> => {
  const bound = new Map<string, BoundOperation<Services>>();
  let bodies: MockBodies | undefined;
  for (const operation of contract.operations.values()) {
    const { id } = operation;
    const handler = Object.hasOwn(handlers, id) ? handlers[id] : undefined;
    if (handler && mocks !== 'all') {
      bound.set(id, { operation, handler: handler as UntypedHandler<Services> });
    } else if (mocks) {
      bodies ??= await makeMockBodies(contract, mockSeed, fitsReply);
      bound.set(id, { operation, mock: makeMockOperation(operation, bodies) });
    } else {
      throw new ContractError(
        `${id} has no handler`,
        contract.locate([...operation.location, 'operationId']),
      );
    }
  }
  const unknown = mocks ? undefined : Object.keys(handlers).find((id) => !contract.operations.has(id));
  if (unknown !== undefined)
    throw new Error(`the handler ${unknown} belongs to no operation of the contract`);
  return bound;
};

const makeMockBodies = async (
  contract: Contract,
  seed: number | undefined,
  fitsReply: FitsReply,
): Promise<MockBodies> => {
  const otherwise = await makeBodyGenerator(contract, fitsReply);
  if (seed === undefined) return { generate: otherwise, prefersExamples: true };
  const { makeDynamicBodies } = await import('./dynamic/dynamicBodies.js');
  const generate = await makeDynamicBodies(contract, { seed, fitsReply, otherwise });
  return { generate, prefersExamples: false };
};

/** Is compiled when it is asked for, after its examples have been examined. */
const makeMockOperation = (operation: Operation, bodies: MockBodies): MockOperation => {
  let mock: MockOperation | undefined;
  return (request) => {
    mock ??= compileMock(operation, bodies);
    const mocked = mock(request);
    return request.rateLimit ? { ...mocked, headers: withoutRateLimits(mocked.headers ?? {}) } : mocked;
  };
};

/** The real figures of a key with a limit are sent instead of the examples. */
const withoutRateLimits = (headers: ReplyHeaders): ReplyHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^ratelimit-/i.test(name)));
