import type { operations } from '../../generated/openapi.js';
import type { Kept } from '../kept.js';

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
export type Status<K extends OperationId> = keyof Responses<K> & number;

/** What the contract documents as the body of one status. */
export type Body<K extends OperationId, S extends Status<K>> = Responses<K>[S] extends {
  content: { 'application/json': infer B };
}
  ? B
  : undefined;

/** What a handler gets: converted, validated and typed by the contract. */
export interface Input<K extends OperationId> {
  readonly query: Parameters<K, 'query'>;
  readonly header: Parameters<K, 'header'>;
  readonly body: RequestBody<K>;
  /** What the client itself sent of the body: converted, but without the contract's defaults. */
  readonly sentBody: unknown;
}

/** What a handler returns: only what the contract documents. */
export type Reply<K extends OperationId> = {
  [S in Status<K>]: {
    readonly status: S;
    readonly body: Body<K, S> | Kept<Body<K, S>>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[Status<K>];

/** Makes a reply. A status or a field that the contract does not document does not compile. */
export type ReplyTo<K extends OperationId> = <S extends Status<K>>(
  status: S,
  body: NoInfer<Body<K, S> | Kept<Body<K, S>>>,
  headers?: Readonly<Record<string, string>>,
) => Reply<K>;

/** One operation of the contract: a function from its input to one of its documented replies. */
export type Handler<K extends OperationId, Key, Services> = (
  request: {
    readonly input: Input<K>;
    readonly key: Key;
    readonly reply: ReplyTo<K>;
    /** Aborts once nobody waits for the answer any more. */
    readonly signal: AbortSignal;
  },
  services: Services,
) => Promise<Reply<K>>;

/** A handler for every operation of the contract. */
export type Handlers<Key, Services> = { readonly [K in OperationId]: Handler<K, Key, Services> };
