import type { ConnectionState, ControllerDeps, ControllerSpec } from '../controller.js';
import { ensureDeadline, remainingMs, waitOrAbort } from '../deadline.js';
import {
  ControllerError,
  deadlineError,
  disconnectedError,
  OutcomeUnknown,
  timeoutError,
} from '../errors.js';
import { makeCircuitBreaker } from '../https/circuitBreaker.js';
import { makeCallQueue } from '../https/queue.js';
import { connectToRadius, type RadiusConnection } from './database.js';
import type { RadiusSettings } from './settings.js';
import { isRolledBack, toRefusal } from './sqlFailure.js';

export type RadiusOptions = Pick<ControllerSpec, 'name' | 'settings' | 'credentials'> &
  Pick<ControllerDeps, 'system' | 'log' | 'deadlineMs'> & {
    /** How long the circuit breaker stays open at first. */
    readonly breakerOpenMs?: number | undefined;
  };

export interface RadiusCalls {
  /** Works on a connection of its own. A database that is silent ends with the deadline. */
  run<T>(
    work: (connection: RadiusConnection, signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  /** The same in a transaction. Throws `OutcomeUnknown` only when the answer to its commit was lost. */
  transact<T>(work: (connection: RadiusConnection) => Promise<T>, signal?: AbortSignal): Promise<T>;
  state(): ConnectionState;
  /** Waits for calls in flight. */
  close(): Promise<void>;
}

/** At most so many connections at a time: FreeRADIUS needs its own. */
const maxConnections = 4;

export const makeRadiusCalls = (
  { name, credentials, deadlineMs, log, breakerOpenMs }: RadiusOptions,
  settings: RadiusSettings,
): RadiusCalls => {
  const queue = makeCallQueue(maxConnections);
  const { username = '', password = '' } = credentials;

  const connect = async (signal: AbortSignal): Promise<RadiusConnection> => {
    const timeoutMs = Math.ceil(Math.max(1, Math.min(remainingMs(signal), deadlineMs)));
    try {
      return await connectToRadius({ settings, username, password, timeoutMs });
    } catch (error) {
      throw signal.aborted || remainingMs(signal) <= 0
        ? new ControllerError(name, { kind: 'unreachable', reason: 'timeout' })
        : toRefusal(name, error);
    }
  };

  const inConnection = async <T>(
    work: (connection: RadiusConnection, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> => {
    const connection = await connect(signal);
    try {
      const result = await waitOrAbort(work(connection, signal), name, signal);
      await waitOrAbort(connection.end(), name, signal).catch(() => undefined);
      return result;
    } catch (error) {
      if (error instanceof ControllerError || error instanceof OutcomeUnknown) throw error;
      throw toRefusal(name, error);
    } finally {
      connection.destroy();
    }
  };

  /** The circuit breaker knows answers of HTTP. */
  const answer = { status: 200 };
  const breaker = makeCircuitBreaker({
    name,
    log,
    openMs: breakerOpenMs,
    ping: async (signal) => {
      await inConnection((connection) => connection.query('select 1'), signal);
      return answer;
    },
  });

  const run: RadiusCalls['run'] = async (work, outer) => {
    breaker.assertClosed();
    const { signal, end } = ensureDeadline(deadlineMs, outer);
    const call = async () => {
      await breaker.waitUntilClosed(signal);
      const { result } = await breaker.execute(async () => ({
        ...answer,
        result: await inConnection(work, signal),
      }));
      return result;
    };
    return queue.add(call, signal, () => deadlineError(name)).finally(end);
  };

  return {
    run,
    transact: async (work, outer) => {
      const state = { isCommitting: false };
      try {
        return await run(async (connection) => {
          await connection.query('begin');
          const result = await work(connection);
          state.isCommitting = true;
          await connection.query('commit').catch((error: unknown) => {
            if (isRolledBack(error)) state.isCommitting = false;
            throw error;
          });
          state.isCommitting = false;
          return result;
        }, outer);
      } catch (error) {
        // Until then a connection that ends takes everything back.
        if (!state.isCommitting) throw error;
        const hasTimedOut = error instanceof ControllerError && error.code === 'timeout';
        throw hasTimedOut ? timeoutError(name) : disconnectedError(name);
      }
    },
    state: () => ({ isCircuitOpen: breaker.isOpen(), ...queue.load(), certificate: undefined }),
    close: async () => {
      await queue.onIdle();
      breaker.close();
    },
  };
};
