import type { IncomingHttpHeaders } from 'node:http';

/**
 * What a span says of a piece of work: never a secret, a
 * name of a guest, a code, an address or a text of an error.
 */
export interface SpanDescription {
  readonly name: string;
  /** `client`: another system is called. `internal`: something of ours. */
  readonly kind: 'client' | 'internal';
  readonly attributes: Readonly<Record<string, string | number>>;
}

interface TracedRequest {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

interface TracedResponse {
  once(event: 'close', listener: () => void): unknown;
}

/** Ends a span, with the error where there was one. */
export type EndSpan = (error?: unknown, attributes?: SpanDescription['attributes']) => void;

/** Records traces. It is only there when somebody wants them. */
export interface Tracer {
  /** Runs the work for a request as a span of the trace that its client has begun, or of a new one. */
  traceRequest<T>(req: TracedRequest, res: TracedResponse, requestId: string, work: () => T): T;
  /** The request with this response, the very object, was answered. */
  noteResponse(res: object, operation: string, status: number): void;
  /** Runs work as a part of the current span. */
  run<T>(span: SpanDescription, work: () => Promise<T>): Promise<T>;
  /** Begins a part of the current span. */
  begin(span: SpanDescription): EndSpan;
  /** Is there a current span? */
  isActive(): boolean;
  /** Sends what was not sent, for a moment at most. */
  shutdown(): Promise<void>;
}
