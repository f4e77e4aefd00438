import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen } from 'cockatiel';
import type { Log } from '../../lib/log.js';

import { waitOrAbort } from '../deadline.js';
import { circuitOpenError } from '../errors.js';

interface CircuitBreakerOptions {
  readonly name: string;
  readonly log: Log;
  /** The length of the first rest; each further one is twice as long. */
  readonly openMs: number;
  readonly maxOpenMs: number;
  /** Is the controller as a whole to blame? */
  isFailure(error: Error): boolean;
  isFailedResult(result: unknown): boolean;
  /** Did it not answer while there was time? */
  isTimeout(error: unknown): boolean;
  /** Asks for something cheap, to see whether the controller is back. */
  ping(): Promise<unknown>;
}

/**
 * Leaves a controller alone that has failed several times in a row, until it answers a ping.
 *
 * One that hangs costs a whole deadline each time, so for timeouts it does not take several: after the first call that
 * timed out while no other was answered, a ping decides, and nothing is begun before it has.
 */
interface CircuitBreaker {
  /** Throws while the controller rests. */
  assertClosed(): void;
  /** Waits for a ping that decides. Throws while the controller rests. */
  waitUntilClosed(signal: AbortSignal): Promise<void>;
  /** Runs a call, and counts whether it failed. */
  execute<T>(call: () => Promise<T>): Promise<T>;
  close(): void;
}

const failureThreshold = 5;

export const makeCircuitBreaker = (options: CircuitBreakerOptions): CircuitBreaker => {
  const { name, log, ping } = options;
  const counter = new ConsecutiveBreaker(failureThreshold);
  const breaker = circuitBreaker(handleWhen(options.isFailure).orWhenResult(options.isFailedResult), {
    breaker: counter,
    // When to look again is the timer's business: the clock that the breaker would ask can be set back.
    halfOpenAfter: -Infinity,
  });
  let timer: NodeJS.Timeout | undefined;
  let rests = 0;
  let lookAt = 0;
  let closed = false;
  /** How many calls were answered, well or not. */
  let answered = 0;
  let deciding: Promise<void> | undefined;

  breaker.onBreak((reason) => {
    if (closed) return;
    const waitMs = Math.min(options.openMs * 2 ** rests, options.maxOpenMs);
    rests += 1;
    lookAt = performance.now() + waitMs;
    clearTimeout(timer);
    // A ping that fails opens the breaker again, and so sets the next timer.
    timer = setTimeout(() => void breaker.execute(ping).catch(() => undefined), waitMs).unref();
    if (rests > 1) return;
    const why = 'error' in reason ? reason.error.message : 'answers of status 5xx';
    log.warn({ controller: name, why }, 'circuit breaker opened: controller keeps failing');
  });
  breaker.onReset(() => {
    rests = 0;
    log.info({ controller: name }, 'circuit breaker closed: controller answers again');
  });

  const check = (): void => {
    if (breaker.state !== CircuitState.Closed) throw circuitOpenError(name, lookAt - performance.now());
  };

  const decide = async (): Promise<void> => {
    const before = answered;
    const decidingPing = async (): Promise<unknown> => {
      try {
        return await ping();
      } catch (error) {
        // The failure that this is counted as opens the breaker.
        if (answered === before) counter.state = failureThreshold - 1;
        throw error;
      }
    };
    await breaker.execute(decidingPing).catch(() => undefined);
    deciding = undefined;
  };

  return {
    assertClosed: check,
    waitUntilClosed: async (signal) => {
      if (deciding) await waitOrAbort(deciding, name, signal);
      check();
    },
    execute: async (call) => {
      check();
      const before = answered;
      try {
        const result = await breaker.execute(call);
        answered += 1;
        return result;
      } catch (error) {
        const mayHang = options.isTimeout(error) && answered === before;
        if (mayHang && !closed && breaker.state === CircuitState.Closed) deciding ??= decide();
        throw error;
      }
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
};
