import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import type { Agent } from 'node:https';
import { Readable } from 'node:stream';
import got, { type Response } from 'got';

import {
  ControllerError,
  unreachableError,
  deadlineError,
  timeoutError,
  disconnectedError,
} from '../errors.js';

/** One request to a controller. */
export interface ControllerRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
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
  /** Keeps its place among the controller's calls until it has ended or is destroyed. */
  readonly body: Readable;
}

interface SendRequestOptions {
  readonly name: string;
  readonly url: string;
  readonly agent: Agent;
}

/** Sends one request and gives the answer as it comes. Aborting the signal ends both at once. */
export type SendRequest = (
  call: ControllerRequest,
  signal: AbortSignal,
  silenceMs?: number,
) => Promise<StreamedReply>;

/**
 * None of got's errors leaves this file: they hold the request, with its headers and its body. What they mean is said
 * anew, and depends on whether the request had been given to a connection.
 */
export const makeSendRequest =
  ({ name, url, agent }: SendRequestOptions): SendRequest =>
  ({ method, path, headers, json }, signal, silenceMs) =>
    new Promise((resolve, reject) => {
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
        // The agent gives a connection to the request once it is made and trusted; then it is written.
        request.once('socket', () => {
          sent = true;
        }),
      );
      const aborted = (): void => {
        reject(sent ? timeoutError(name) : deadlineError(name));
        source.destroy();
      };
      signal.addEventListener('abort', aborted, { once: true });
      // An error may still come when everything is over; unheard it would end the process.
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
          body: makeReplyBody({ name, source, signal, idleTimeoutMs: silenceMs }),
        });
      });
    });

const causesOf = (error: unknown): unknown[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : [error];

interface ReplyBodyOptions {
  readonly name: string;
  readonly source: Readable;
  readonly signal: AbortSignal;
  /** How long nothing may come while something is waited for. */
  readonly idleTimeoutMs: number | undefined;
}

/** A body with errors of our own. */
export const makeReplyBody = ({ name, source, signal, idleTimeoutMs }: ReplyBodyOptions): Readable => {
  let silence: NodeJS.Timeout | undefined;
  const tooLate = (): void => void body.destroy(timeoutError(name));
  const listen = (): void => {
    if (idleTimeoutMs !== undefined) silence ??= setTimeout(tooLate, idleTimeoutMs).unref();
  };
  const stopListening = (): void => {
    clearTimeout(silence);
    silence = undefined;
  };
  const body = new Readable({
    read: () => {
      listen();
      source.resume();
    },
    destroy: (error, done) => {
      stopListening();
      signal.removeEventListener('abort', tooLate);
      source.destroy();
      done(error);
    },
  });
  // It may break off before somebody reads; unheard that would end the process.
  body.on('error', () => undefined);
  signal.addEventListener('abort', tooLate, { once: true });
  source
    .on('data', (chunk: Buffer) => {
      stopListening();
      if (body.push(chunk)) listen();
      // A reader who takes his time is not the controller's silence.
      else source.pause();
    })
    .once('end', () => {
      stopListening();
      body.push(null);
    })
    .once('error', () => body.destroy(disconnectedError(name)))
    .once('close', () => {
      if (!source.readableEnded) body.destroy(disconnectedError(name));
    });
  return body;
};
