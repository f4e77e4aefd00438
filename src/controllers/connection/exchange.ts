import type { ClientRequest } from 'node:http';
import type { Agent } from 'node:https';
import got, { type Response } from 'got';
import { ControllerError } from '../controller.js';
import type { Call, StreamedReply } from './connection.js';
import { relay } from './relay.js';
import { brokenOff, late, unanswered, unreachable } from './errors.js';

export interface ExchangeOptions {
  readonly name: string;
  readonly url: string;
  readonly agent: Agent;
}

/** Sends one request and gives the answer as it comes. Aborting the signal ends both at once. */
export type Exchange = (call: Call, signal: AbortSignal, silenceMs?: number) => Promise<StreamedReply>;

/**
 * None of got's errors leaves this file: they hold the request, with its headers and its body. What they mean is said
 * anew, and depends on whether the request had been given to a connection.
 */
export const makeExchange =
  ({ name, url, agent }: ExchangeOptions): Exchange =>
  ({ method, path, headers, json }, signal, silenceMs) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) throw late(name);
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
        reject(sent ? unanswered(name) : late(name));
        source.destroy();
      };
      signal.addEventListener('abort', aborted, { once: true });
      // An error may still come when everything is over; unheard it would end the process.
      source.on('error', (error: unknown) => {
        signal.removeEventListener('abort', aborted);
        const refusal = causesOf(error).find((cause) => cause instanceof ControllerError);
        reject(refusal ?? (sent ? brokenOff(name) : unreachable(name, error)));
      });
      source.once('response', ({ statusCode, headers }: Response) => {
        signal.removeEventListener('abort', aborted);
        resolve({ status: statusCode, headers, body: relay({ name, source, signal, silenceMs }) });
      });
    });

const causesOf = (error: unknown): unknown[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : [error];
