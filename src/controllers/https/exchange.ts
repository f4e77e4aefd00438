import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import type { Agent } from 'node:https';
import { Readable } from 'node:stream';
import type { Response } from 'got';
import {
  ControllerError,
  unreachableError,
  deadlineError,
  timeoutError,
  disconnectedError,
} from '../errors.js';

/** One request to a controller. */
export interface ControllerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Comes after the controller's address: `/api/login`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface ControllerReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface StreamedReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Counts as a call in flight until it has ended or is destroyed. */
  readonly body: Readable;
}

interface SendRequestOptions {
  readonly name: string;
  readonly url: string;
  readonly agent: Agent;
}

/** Sends one request and returns the reply while its body still arrives. The signal aborts both. */
export type SendRequest = (
  call: ControllerRequest,
  signal: AbortSignal,
  idleTimeoutMs?: number,
) => Promise<StreamedReply>;

/**
 * None of got's errors leaves this file: they hold the request with its secrets.
 * They are replaced by errors of ours, which depend on whether the request had been given to a socket.
 */
export const makeSendRequest =
  ({ name, url, agent }: SendRequestOptions): SendRequest =>
  async ({ method, path, headers, json }, signal, idleTimeoutMs) => {
    // Loaded here: a service whose controllers are all simulated never needs it.
    const { got } = await import('got');
    return new Promise((resolve, reject) => {
      if (signal.aborted) throw deadlineError(name);
      const source = got.stream(`${url}${path}`, {
        method,
        agent: { https: agent },
        headers: { accept: 'application/json', 'user-agent': 'voucherd', ...headers },
        // Without any body got would wait for one to be written.
        ...(json === undefined ? method !== 'GET' && { body: '' } : { json }),
        https: { rejectUnauthorized: true },
        retry: { limit: 0 },
        followRedirect: false,
        throwHttpErrors: false,
      });
      let sent = false;
      source.once('request', (request: ClientRequest) =>
        // The agent assigns a socket once it is connected and trusted. The request is written after that.
        request.once('socket', () => {
          sent = true;
        }),
      );
      const aborted = (): void => {
        reject(sent ? timeoutError(name) : deadlineError(name));
        source.destroy();
      };
      signal.addEventListener('abort', aborted, { once: true });
      // An error may come even after the end. Without a listener it would crash the process.
      source.on('error', (error: unknown) => {
        signal.removeEventListener('abort', aborted);
        const refusal = causesOf(error).find((cause) => cause instanceof ControllerError);
        reject(refusal ?? (sent ? disconnectedError(name) : unreachableError(name, error)));
      });
      source.once('response', ({ statusCode, headers }: Response) => {
        signal.removeEventListener('abort', aborted);
        resolve({
          status: statusCode,
          headers,
          body: makeReplyBody({ name, source, signal, idleTimeoutMs }),
        });
      });
    });
  };

const causesOf = (error: unknown): unknown[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : [error];

interface ReplyBodyOptions {
  readonly name: string;
  readonly source: Readable;
  readonly signal: AbortSignal;
  /** The longest pause between two chunks while the reader waits. */
  readonly idleTimeoutMs: number | undefined;
}

/** A reply body that fails only with errors of ours. */
export const makeReplyBody = ({ name, source, signal, idleTimeoutMs }: ReplyBodyOptions): Readable => {
  let timer: NodeJS.Timeout | undefined;
  const onTimeout = (): void => void body.destroy(timeoutError(name));
  const startTimer = (): void => {
    if (idleTimeoutMs !== undefined) timer ??= setTimeout(onTimeout, idleTimeoutMs).unref();
  };
  const stopTimer = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const body = new Readable({
    read: () => {
      startTimer();
      source.resume();
    },
    destroy: (error, done) => {
      stopTimer();
      signal.removeEventListener('abort', onTimeout);
      source.destroy();
      done(error);
    },
  });
  // It may fail before anybody reads. Without a listener that would crash the process.
  body.on('error', () => undefined);
  signal.addEventListener('abort', onTimeout, { once: true });
  source
    .on('data', (chunk: Buffer) => {
      stopTimer();
      if (body.push(chunk)) startTimer();
      // A slow reader must not look like a silent controller.
      else source.pause();
    })
    .once('end', () => {
      stopTimer();
      body.push(null);
    })
    .once('error', () => body.destroy(disconnectedError(name)))
    .once('close', () => {
      if (!source.readableEnded) body.destroy(disconnectedError(name));
    });
  return body;
};
