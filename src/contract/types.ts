import type { Readable } from 'node:stream';
import type { Awaitable } from '../lib/awaitable.js';
import type { CachedBody } from '../lib/cachedBody.js';
import type { StreamedBody } from '../lib/streamedBody.js';
import type { ReplyHeaders, RequestClient } from './exchange.js';
import type { UploadedFile } from './bodies/uploadedFile.js';

type Parameters<Operation, Place extends string> = Operation extends {
  parameters: { [P in Place]?: infer Found };
}
  ? Exclude<Found, undefined> extends infer P
    ? [P] extends [never]
      ? object
      : P
    : never
  : object;

type JsonMedia = 'application/json' | `${string}+json`;

type FormMedia = 'application/x-www-form-urlencoded';
type MultipartMedia = 'multipart/form-data';

/** A body with its media type, one for each that the contract documents. */
type BodyInput<Operation> = Operation extends { requestBody?: { content: infer Content } }
  ? [keyof Content] extends [never]
    ? NoBody
    : {
        [Media in keyof Content]: {
          /** As the contract writes it. */
          readonly mediaType: Media;
          /** A stream if it has no fields. */
          readonly body: Media extends JsonMedia | FormMedia
            ? Sent<Content[Media]>
            : Media extends MultipartMedia
              ? Sent<Content[Media], UploadedFile>
              : Readable;
        };
      }[keyof Content]
  : NoBody;

interface NoBody {
  readonly mediaType: undefined;
  readonly body: undefined;
}

/**
 * What the generated types have around a field that only responses have,
 * and around one that only requests have.
 */
interface ReadOnly<T> {
  readonly $read: T;
}
interface WriteOnly<T> {
  readonly $write: T;
}

/** The same where a form may have a file, which is binary text elsewhere. */
interface FileMark {
  readonly $file: true;
}

/** A value in a request: without fields that are `readOnly`. */
export type Sent<T, File = string> = T extends FileMark
  ? File
  : T extends WriteOnly<infer Field>
    ? Sent<Field, File>
    : T extends readonly unknown[]
      ? { [K in keyof T]: Sent<T[K], File> }
      : T extends object
        ? { [K in keyof T as NonNullable<T[K]> extends ReadOnly<unknown> ? never : K]: Sent<T[K], File> }
        : T;

/** A value in a response: without fields that are `writeOnly`. */
export type Answered<T> = T extends FileMark
  ? string
  : T extends ReadOnly<infer Field>
    ? Answered<Field>
    : T extends readonly unknown[]
      ? { [K in keyof T]: Answered<T[K]> }
      : T extends object
        ? { [K in keyof T as NonNullable<T[K]> extends WriteOnly<unknown> ? never : K]: Answered<T[K]> }
        : T;

/** What a service sends to a webhook, or to a callback, which is among the webhooks as `operationId.name`. */
export type WebhookBody<Webhook> = Webhook extends { post: { requestBody?: { content: infer Content } } }
  ? Answered<Content[keyof Content & JsonMedia]>
  : never;

type Responses<Operation> = Operation extends { responses: infer R } ? R : never;

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';

/** The statuses that an entry stands for: itself, those of `4XX`, or any for `default`. */
type StatusOf<Key> = Key extends number
  ? Key
  : Key extends 'default'
    ? number
    : Key extends `${infer First}XX`
      ? `${First}${Digit}${Digit}` extends `${infer Status extends number}`
        ? Status
        : never
      : never;

type RangeOf<S extends number> = `${S}` extends `${infer First}${Digit}${Digit}` ? `${First}XX` : never;

/** The entry that documents a status: its own, or else its range's, or else `default`. */
type ResponseOf<Operation, S extends number> = S extends keyof Responses<Operation>
  ? Responses<Operation>[S]
  : RangeOf<S> extends infer Range extends keyof Responses<Operation>
    ? Responses<Operation>[Range]
    : Responses<Operation>['default' & keyof Responses<Operation>];

/** The statuses that the contract documents for an operation. */
export type ReplyStatus<Operation> = StatusOf<keyof Responses<Operation>>;

/** What the contract documents as the body of one status. */
export type ReplyBody<Operation, S extends ReplyStatus<Operation>> = BodyOf<ResponseOf<Operation, S>>;

type BodyOf<Response> = Response extends {
  content: infer Content;
}
  ? {
      [Media in keyof Content]: Media extends JsonMedia
        ? Answered<Content[Media]> | CachedBody<Answered<Content[Media]>>
        : StreamedBody;
    }[keyof Content]
  : undefined;

/** The media types of an entry of the responses, if it is that of a success. */
type SuccessMedia<Operation> = {
  [Key in keyof Responses<Operation>]: `${Key & (string | number)}` extends `2${string}`
    ? Responses<Operation>[Key] extends { content: infer Content }
      ? keyof Content
      : undefined
    : never;
}[keyof Responses<Operation>];

/** What a handler gets: converted, validated and typed by the contract. */
export type OperationInput<Operation> = BodyInput<Operation> & {
  readonly path: Parameters<Operation, 'path'>;
  readonly query: Parameters<Operation, 'query'>;
  readonly header: Parameters<Operation, 'header'>;
  readonly cookie: Parameters<Operation, 'cookie'>;
  /**
   * The media type that the client accepts for a success: by
   * its `Accept` where there are several, or else the first.
   */
  readonly accept: SuccessMedia<Operation>;
  /** What the client itself sent of the body: converted, but without the contract's defaults. */
  readonly sentBody: unknown;
};

/** What a handler returns: only what the contract documents. */
export type OperationReply<Operation> = {
  [Key in keyof Responses<Operation>]: {
    readonly status: StatusOf<Key>;
    readonly body: BodyOf<Responses<Operation>[Key]>;
    readonly headers?: ReplyHeaders;
  };
}[keyof Responses<Operation>];

/**
 * Makes a reply, once its body is there. A status or a field
 * that the contract does not document does not compile.
 */
export type MakeReply<Operation> = <S extends ReplyStatus<Operation>>(
  status: S,
  ...rest: [ReplyBody<Operation, S>] extends [undefined]
    ? [body?: undefined, headers?: ReplyHeaders]
    : [body: NoInfer<Awaitable<ReplyBody<Operation, S>>>, headers?: ReplyHeaders]
) => Awaitable<OperationReply<Operation>>;

/** One operation of the contract: a function from its input to one of its documented replies. */
export type OperationHandler<Operation, Principal, Services> = (
  request: {
    readonly input: OperationInput<Operation>;
    /** Who calls, as `authenticate` has found out. */
    readonly principal: Principal;
    readonly reply: MakeReply<Operation>;
    /** Aborts once nobody waits for the answer any more. */
    readonly signal: AbortSignal;
    readonly client: RequestClient;
  },
  services: Services,
) => Awaitable<OperationReply<Operation>>;

/** A handler for every operation of a contract. */
export type OperationHandlers<Operations, Principal, Services> = {
  readonly [K in keyof Operations]: OperationHandler<Operations[K], Principal, Services>;
};
