import type { Readable } from 'node:stream';
import { ControllerError, OutcomeUnknown } from '../controller.js';
import type { ControllerSurroundings } from '../registry.js';
import { makeRemoteClock } from './clock.js';
import type { Call, CallReply, Connection } from './connection.js';
import { makeDeadline } from './deadline.js';
import { makeExchange, type Exchange } from './exchange.js';
import { makeRest } from './rest.js';
import type { ConnectionSettings } from './settings.js';
import { closed, late } from './errors.js';
import { makeTrustedAgent } from './trustedAgent.js';
import { makeTurns } from './turns.js';
import { certainly } from './waiting.js';

export interface ConnectionSurroundings extends Pick<
  ControllerSurroundings,
  'effects' | 'log' | 'deadlineMs'
> {
  /** What the controller is called, for what is said about it. */
  readonly name: string;
  /** How long the controller is left alone at first when it fails again and again. */
  readonly restMs?: number;
}

/** What is asked for to see whether the controller is back: any answer below 500 says so. */
export type Ping = Pick<Call, 'path' | 'headers'>;

const maxConnectMs = 3000;
const pingMs = 2000;
const maxRestMs = 10_000;
/** What may make something is not begun when it can hardly end in time: nobody would hear of what it made. */
const lastMomentPart = 0.1;
const maxAnswerBytes = 16 * 1024 * 1024;

/** Opens the way to a controller. Nothing is sent before the first call. */
export const makeConnection = (
  settings: ConnectionSettings,
  { name, effects, log, deadlineMs, restMs = 1000 }: ConnectionSurroundings,
  ping: Ping,
): Connection => {
  const trusted = makeTrustedAgent({ settings, name, connectMs: Math.min(maxConnectMs, deadlineMs) });
  const clock = makeRemoteClock(effects.now);
  const send = makeExchange({ name, url: settings.url, agent: trusted.agent });
  const exchange: Exchange = async (...request) => {
    const sentAt = effects.now();
    const reply = await send(...request);
    clock.learn(reply.headers, sentAt);
    return reply;
  };
  const turns = makeTurns(settings.maxCalls);
  let isClosed = false;

  const rest = makeRest({
    name,
    log,
    restMs,
    maxRestMs,
    // A call that came too late while it waited for its turn is not asked about here.
    isFailure: (error) =>
      error instanceof OutcomeUnknown ||
      (error instanceof ControllerError && ['unreachable', 'late'].includes(error.trouble)),
    isTimeout,
    isFailedResult: (result) => (result as { status: number }).status >= 500,
    ping: async () => {
      const { signal, end } = makeDeadline(pingMs, undefined);
      try {
        const { status, body } = await exchange({ method: 'GET', ...ping }, signal);
        body.destroy();
        return { status };
      } finally {
        end();
      }
    },
  });

  const ask = async (call: Call, signal: AbortSignal): Promise<CallReply> => {
    const { status, headers, body } = await exchange(call, signal);
    return { status, headers, text: await textOf(body, () => oversized(call)) };
  };
  /** What changes nothing, or nothing more when it is asked for again, is: a kept connection may just have ended. */
  const askTwice = async (call: Call, signal: AbortSignal): Promise<CallReply> => {
    try {
      return await ask(call, signal);
    } catch (error) {
      if (call.method === 'POST' || signal.aborted || !(error instanceof OutcomeUnknown)) throw error;
      return ask(call, signal);
    }
  };
  const oversized = ({ method }: Call): Error =>
    new (method === 'GET' ? ControllerError : OutcomeUnknown)(name, {
      trouble: 'unreadable',
      reason: 'too-large',
    });

  const check = (): void => {
    if (isClosed) throw closed(name);
    rest.check();
  };

  const connection: Connection = {
    call: async (call) => {
      check();
      const { signal, end } = makeDeadline(deadlineMs, call.signal);
      const lastMoment = performance.now() + deadlineMs * (1 - lastMomentPart);
      try {
        return await turns.take(
          async () => {
            await rest.ready(signal);
            if (call.method === 'POST' && performance.now() > lastMoment) throw late(name);
            return rest.run(() => askTwice(call, signal));
          },
          signal,
          () => late(name),
        );
      } finally {
        end();
      }
    },
    stream: async (call) => {
      check();
      const { signal, lift, end } = makeDeadline(deadlineMs, call.signal);
      try {
        return await turns.take(
          async (keep) => {
            await rest.ready(signal);
            const reply = await rest.run(() => exchange(call, signal, deadlineMs));
            lift();
            keep(
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
          () => late(name),
        );
      } catch (error) {
        end();
        throw error;
      }
    },
    clock: {
      offset: clock.offset,
      measure: async (signal) => {
        if (clock.isStale()) await certainly(connection.call({ method: 'GET', ...ping, signal }));
        return clock.offset();
      },
    },
    close: async () => {
      isClosed = true;
      await turns.over();
      rest.close();
      trusted.destroy();
    },
  };
  return connection;
};

/** No connection in time, no time to use it, or no answer. */
const isTimeout = (error: unknown): boolean => {
  if (error instanceof OutcomeUnknown) return error.trouble === 'timeout';
  if (!(error instanceof ControllerError)) return false;
  const { failure } = error;
  return failure.trouble === 'late' || (failure.trouble === 'unreachable' && failure.reason === 'timeout');
};

const textOf = async (body: Readable, oversized: () => Error): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw oversized();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};
