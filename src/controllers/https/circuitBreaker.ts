import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen } from 'cockatiel';
import type { Log } from '../../log/log.js';
import { makeDeadline, waitOrAbort } from '../deadline.js';
import { circuitOpenError, ControllerError, OutcomeUnknown } from '../errors.js';

interface CircuitBreakerOptions {
  readonly name: string;
  readonly log: Log;
  /** How long it stays open at first; the time doubles after each failed ping. */
  readonly openMs?: number | undefined;
  /** A cheap request that shows whether the controller is back. */
  ping(signal: AbortSignal): Promise<CallResult>;
}

interface CallResult {
  readonly status: number;
}

/**
 * Gives up a controller as a whole. It opens after five failures in a row, and closes when the controller
 * answers a ping: after a second at first, then after twice as long each time, up to ten seconds.
 *
 * A controller that hangs costs a whole deadline each time (`CONTROLLER_DEADLINE_S`, see `deadline.ts`),
 * so it does not get several: after the first call that timed out while no other was answered,
 * a ping of two seconds decides, and no call starts before it has ended.
 */
interface CircuitBreaker {
  isOpen(): boolean;
  /** Throws while the breaker is open. */
  assertClosed(): void;
  /** Waits for a ping in flight. Throws while the breaker is open. */
  waitUntilClosed(signal: AbortSignal): Promise<void>;
  /** Runs a call, and counts whether it failed. */
  execute<T extends CallResult>(call: () => Promise<T>): Promise<T>;
  close(): void;
}

const failureThreshold = 5;
const firstOpenMs = 1000;
const maxOpenMs = 10_000;
const pingMs = 2000;

export const makeCircuitBreaker = (options: CircuitBreakerOptions): CircuitBreaker => {
  const { name, log, openMs = firstOpenMs } = options;
  const ping = async (): Promise<CallResult> => {
    const { signal, end } = makeDeadline(pingMs);
    try {
      return await options.ping(signal);
    } finally {
      end();
    }
  };
  const counter = new ConsecutiveBreaker(failureThreshold);
  const breaker = circuitBreaker(handleWhen(isFailure).orWhenResult(isFailedResult), {
    breaker: counter,
    // Our timer decides when to ping: the breaker would use the wall clock, which can be set back.
    halfOpenAfter: -Infinity,
  });
  let timer: NodeJS.Timeout | undefined;
  let openings = 0;
  let pingAt = 0;
  let closed = false;
  /** How many calls got a reply, of any status. */
  let answered = 0;
  let probing: Promise<void> | undefined;

  breaker.onBreak((reason) => {
    if (closed) return;
    const waitMs = Math.min(openMs * 2 ** openings, maxOpenMs);
    openings += 1;
    pingAt = performance.now() + waitMs;
    clearTimeout(timer);
    // A failed ping opens the breaker again, which sets the next timer.
    timer = setTimeout(() => void breaker.execute(ping).catch(() => undefined), waitMs).unref();
    if (openings > 1) return;
    const why = 'error' in reason ? reason.error.message : 'answers of status 5xx';
    log.warn({ controller: name, why }, 'circuit breaker opened: controller keeps failing');
  });
  breaker.onReset(() => {
    openings = 0;
    log.info({ controller: name }, 'circuit breaker closed: controller answers again');
  });

  const isOpen = (): boolean => breaker.state !== CircuitState.Closed;
  const assertClosed = (): void => {
    if (isOpen()) throw circuitOpenError(name, pingAt - performance.now());
  };

  const probe = async (): Promise<void> => {
    const before = answered;
    const pingOrOpen = async (): Promise<unknown> => {
      try {
        return await ping();
      } catch (error) {
        // With this count, the failure that is thrown here opens the breaker.
        if (answered === before) counter.state = failureThreshold - 1;
        throw error;
      }
    };
    await breaker.execute(pingOrOpen).catch(() => undefined);
    probing = undefined;
  };

  return {
    isOpen,
    assertClosed,
    waitUntilClosed: async (signal) => {
      if (probing) await waitOrAbort(probing, name, signal);
      assertClosed();
    },
    execute: async (call) => {
      assertClosed();
      const before = answered;
      try {
        const result = await breaker.execute(call);
        answered += 1;
        return result;
      } catch (error) {
        const mayHang = isTimeout(error) && answered === before;
        if (mayHang && !closed && breaker.state === CircuitState.Closed) probing ??= probe();
        throw error;
      }
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
};

/**
 * Does the error count against the controller as a whole? A
 * call whose deadline passed in the queue never gets here.
 */
const isFailure = (error: Error): boolean =>
  error instanceof OutcomeUnknown ||
  (error instanceof ControllerError && ['unreachable', 'deadline', 'timeout'].includes(error.code));

const isFailedResult = (result: unknown): boolean => (result as CallResult).status >= 500;

/** No connection or no answer in time. */
const isTimeout = (error: unknown): boolean => {
  if (!(error instanceof OutcomeUnknown || error instanceof ControllerError)) return false;
  if (error.code === 'timeout') return true;
  const { failure } = error;
  return failure.kind === 'deadline' || (failure.kind === 'unreachable' && failure.reason === 'timeout');
};
