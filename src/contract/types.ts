import type { operations } from '../../generated/openapi.js';
import type { CachedBody } from '../lib/cachedBody.js';

export type OperationId = keyof operations;

type Parameters<K extends OperationId, Place extends 'query' | 'header'> =
  Exclude<operations[K]['parameters'][Place], undefined> extends infer P
    ? [P] extends [never]
      ? object
      : P
    : never;

type RequestBody<K extends OperationId> = operations[K] extends {
  requestBody: { content: { 'application/json': infer B } };
}
  ? B
  : undefined;

type Responses<K extends OperationId> = operations[K]['responses'];

/** The statuses that the contract documents for an operation. */
export type ReplyStatus<K extends OperationId> = keyof Responses<K> & number;

/** What the contract documents as the body of one status. */
export type ReplyBody<K extends OperationId, S extends ReplyStatus<K>> = Responses<K>[S] extends {
  content: { 'application/json': infer B };
}
  ? B
  : undefined;

/** What a handler gets: converted, validated and typed by the contract. */
export interface OperationInput<K extends OperationId> {
  readonly query: Parameters<K, 'query'>;
  readonly header: Parameters<K, 'header'>;
  readonly body: RequestBody<K>;
  /** What the client itself sent of the body: converted, but without the contract's defaults. */
  readonly sentBody: unknown;
}

/** What a handler returns: only what the contract documents. */
export type OperationReply<K extends OperationId> = {
  [S in ReplyStatus<K>]: {
    readonly status: S;
    readonly body: ReplyBody<K, S> | CachedBody<ReplyBody<K, S>>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[ReplyStatus<K>];

/** Makes a reply. A status or a field that the contract does not document does not compile. */
export type MakeReply<K extends OperationId> = <S extends ReplyStatus<K>>(
  status: S,
  body: NoInfer<ReplyBody<K, S> | CachedBody<ReplyBody<K, S>>>,
  headers?: Readonly<Record<string, string>>,
) => OperationReply<K>;

/** One operation of the contract: a function from its input to one of its documented replies. */
export type OperationHandler<K extends OperationId, Key, Services> = (
  request: {
    readonly input: OperationInput<K>;
    readonly key: Key;
    readonly reply: MakeReply<K>;
    /** Aborts once nobody waits for the answer any more. */
    readonly signal: AbortSignal;
  },
  services: Services,
) => Promise<OperationReply<K>>;

/** A handler for every operation of the contract. */
export type OperationHandlers<Key, Services> = {
  readonly [K in OperationId]: OperationHandler<K, Key, Services>;
};
