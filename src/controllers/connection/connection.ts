import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { ControllerClock } from '../controller.js';

/** One request to a controller. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Comes after the controller's address: `/api/login`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface CallReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface StreamedReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Keeps its place among the controller's calls until it has ended or is destroyed. */
  readonly body: Readable;
}

/**
 * The way to one controller: a pool of kept-alive connections, at most so many calls at a time, others wait in their
 * order; deadlines; and rest for one that fails again and again.
 *
 * Both calls throw `ControllerError` when the controller certainly did nothing (no connection, certificate not
 * trusted, no time left, resting), and `OutcomeUnknown` when the request may have reached it. Every status is a
 * reply; redirects are never followed.
 */
export interface Connection {
  call(call: Call): Promise<CallReply>;
  /** For answers that may be too large to hold. */
  stream(call: Call): Promise<StreamedReply>;
  readonly clock: ControllerClock;
  /** Lets what is under way end, and then closes every connection. */
  close(): Promise<void>;
}
