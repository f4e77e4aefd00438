import type { Readable } from 'node:stream';
import type { ConnectionState, ControllerClock, ControllerDeps } from '../controller.js';
import { ensureDeadline, makeDeadline } from '../deadline.js';
import {
  ControllerError,
  OutcomeUnknown,
  withKnownOutcome,
  deadlineError,
  connectionClosedError,
} from '../errors.js';
import { makeCircuitBreaker } from './circuitBreaker.js';
import {
  makeSendRequest,
  type ControllerReply,
  type ControllerRequest,
  type SendRequest,
  type StreamedReply,
} from './exchange.js';
import { makeCallQueue } from './queue.js';
import { makeRemoteClock } from './remoteClock.js';
import type { ConnectionSettings } from './settings.js';
import { makeTrustedAgent } from './trust.js';

export interface ConnectionDeps extends Pick<ControllerDeps, 'system' | 'log' | 'deadlineMs'> {
  /** The controller's name, for messages. */
  readonly name: string;
  /** How long the circuit breaker stays open at first. */
  readonly breakerOpenMs?: number;
}

/** A cheap request. Any answer below 500 shows that the controller is back. */
type Ping = Pick<ControllerRequest, 'path' | 'headers'>;

const maxConnectMs = 3000;
/**
 * A request that creates something and waited for longer than this
 * share of a call's time is not sent: it could hardly end in time.
 */
const maxQueueShare = 0.9;
const maxReplyBytes = 16 * 1024 * 1024;

/** May it create something, so that a repetition would hide what became of the first request? */
const creates = ({ method }: ControllerRequest): boolean => method === 'POST' || method === 'PUT';

/** Makes the connection to a controller. Nothing is sent before the first call. */
export const makeConnection = (
  settings: ConnectionSettings,
  { name, system, log, deadlineMs, breakerOpenMs }: ConnectionDeps,
  ping: Ping,
): Connection => {
  const trusted = makeTrustedAgent({ settings, name, connectMs: Math.min(maxConnectMs, deadlineMs) });
  const clock = makeRemoteClock(system.now);
  const send = makeSendRequest({ name, url: settings.url, agent: trusted.agent });
  const exchange: SendRequest = async (...request) => {
    const sentAt = system.now();
    const reply = await send(...request);
    clock.learn(reply.headers, sentAt);
    return reply;
  };
  const queue = makeCallQueue(settings.maxCalls);
  let isClosed = false;

  const breaker = makeCircuitBreaker({
    name,
    log,
    openMs: breakerOpenMs,
    ping: async (signal) => {
      const { status, body } = await exchange({ method: 'GET', ...ping }, signal);
      body.destroy();
      return { status };
    },
  });

  const ask = async (call: ControllerRequest, signal: AbortSignal): Promise<ControllerReply> => {
    const { status, headers, body } = await exchange(call, signal);
    return { status, headers, text: await readBody(body, () => oversized(call)) };
  };
  /** Repeats idempotent requests once: the server may just have closed a kept-alive connection. */
  const askWithRetry = async (call: ControllerRequest, signal: AbortSignal): Promise<ControllerReply> => {
    try {
      return await ask(call, signal);
    } catch (error) {
      if (creates(call) || signal.aborted || !(error instanceof OutcomeUnknown)) throw error;
      return ask(call, signal);
    }
  };
  const oversized = ({ method }: ControllerRequest): Error =>
    new (method === 'GET' ? ControllerError : OutcomeUnknown)(name, {
      kind: 'unreadable',
      reason: 'too-large',
    });

  const assertUsable = (): void => {
    if (isClosed) throw connectionClosedError(name);
    breaker.assertClosed();
  };

  const connection: Connection = {
    call: async (call) => {
      assertUsable();
      const { signal, end } = ensureDeadline(deadlineMs, call.signal);
      const sendBefore = performance.now() + deadlineMs * maxQueueShare;
      try {
        return await queue.add(
          async () => {
            await breaker.waitUntilClosed(signal);
            if (creates(call) && performance.now() > sendBefore) throw deadlineError(name);
            return breaker.execute(() => askWithRetry(call, signal));
          },
          signal,
          () => deadlineError(name),
        );
      } finally {
        end();
      }
    },
    stream: async (call) => {
      assertUsable();
      // For the answer to begin. The body may take longer, as long as it keeps coming.
      const { signal, cancel, end } = makeDeadline(deadlineMs, call.signal);
      try {
        return await queue.add(
          async (hold) => {
            await breaker.waitUntilClosed(signal);
            const reply = await breaker.execute(() => exchange(call, signal, deadlineMs));
            cancel();
            hold(
              new Promise((resolve) => {
                reply.body.once('close', () => {
                  end();
                  resolve();
                });
              }),
            );
            return reply;
          },
          signal,
          () => deadlineError(name),
        );
      } catch (error) {
        end();
        throw error;
      }
    },
    clock: {
      offset: clock.offset,
      measure: async (signal) => {
        if (clock.isStale()) await withKnownOutcome(connection.call({ method: 'GET', ...ping, signal }));
        return clock.offset();
      },
    },
    state: () => ({
      isCircuitOpen: breaker.isOpen(),
      ...queue.load(),
      certificate: trusted.certificate(),
    }),
    close: async () => {
      isClosed = true;
      await queue.onIdle();
      breaker.close();
      trusted.destroy();
    },
  };
  return connection;
};

const readBody = async (body: Readable, oversized: () => Error): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxReplyBytes) throw oversized();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/**
 * The connection to one controller: a pool of kept-alive sockets, a
 * queue with a concurrency limit, deadlines, and a circuit breaker.
 *
 * Both calls throw `ControllerError` when the controller certainly did nothing (no connection,
 * certificate not trusted, deadline passed, circuit breaker open), and `OutcomeUnknown` when the request may
 * have reached it. Every status is a reply; redirects are never followed.
 */
export interface Connection {
  call(call: ControllerRequest): Promise<ControllerReply>;
  /** For answers that may be too large for memory. */
  stream(call: ControllerRequest): Promise<StreamedReply>;
  readonly clock: ControllerClock;
  state(): ConnectionState;
  /** Waits for calls in flight, then closes every socket. */
  close(): Promise<void>;
}
