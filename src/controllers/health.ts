import { batchCalls } from '../lib/batch.js';
import type { Controller } from './controller.js';
import { ControllerError, OutcomeUnknown } from './errors.js';
import type { Trouble } from './failure.js';
import { describeForPeople, type Texts } from './texts.js';

/** How a controller is doing. */
export interface ControllerHealth {
  /** `open`: the circuit breaker keeps calls away from it. `unknown`: this process has not called it yet. */
  readonly state: 'ok' | 'failing' | 'open' | 'unknown';
  /** When all of its vouchers were last compared, by whichever process. */
  readonly lastSyncAt: number | null;
  /** Why the last call failed; null when it succeeded. */
  readonly lastError: Texts | null;
  /** The calls of this process since its start, and how many of them failed. */
  readonly calls: number;
  readonly failures: number;
  /** Of a call, on average; null without any. */
  readonly latencyMs: number | null;
}

/** Tells how controllers are doing. */
export interface ControllerHealthSource {
  healthOf(controllerId: number): Promise<ControllerHealth>;
}

/** Watches the calls of controllers. */
export interface ControllerMonitor {
  /** The controller, with its calls counted. */
  watch(controllerId: number, controller: Controller): Controller;
  /** The controller could not even be made, as when its credentials can't be opened. */
  fail(controllerId: number, error: unknown): void;
  /** Forgets all others. */
  keepOnly(controllerIds: readonly number[]): void;
  stateOf(controllerId: number): Omit<ControllerHealth, 'lastSyncAt'>;
}

interface CallCounts {
  calls: number;
  failures: number;
  totalMs: number;
  lastError: unknown;
  isCircuitOpen: () => boolean;
}

/** These are the fault of the request, or of us, and say nothing about the controller. */
const harmless: readonly Trouble[] = ['bounds', 'site', 'not-read', 'deadline'];

const isFailure = (error: unknown): boolean => {
  if (!(error instanceof ControllerError || error instanceof OutcomeUnknown)) return false;
  const { failure } = error;
  if (failure.trouble === 'refused') return failure.reason !== 'order' && failure.reason !== 'request';
  return !harmless.includes(failure.trouble);
};

export const makeControllerMonitor = (): ControllerMonitor => {
  const all = new Map<number, CallCounts>();
  const countsOf = (id: number): CallCounts => {
    const counts = all.get(id) ?? {
      calls: 0,
      failures: 0,
      totalMs: 0,
      lastError: undefined,
      isCircuitOpen: () => false,
    };
    all.set(id, counts);
    return counts;
  };

  /** Notes how a call went. One that the circuit breaker kept back is none. */
  const note = (counts: CallCounts, startedAt: number, error: unknown, signal?: AbortSignal): void => {
    if (error instanceof ControllerError && error.trouble === 'circuit-open') return;
    // A call that we have given up ourselves, as when the service stops.
    if (error !== undefined && signal?.aborted === true && !isFailure(error)) return;
    counts.calls += 1;
    counts.totalMs += performance.now() - startedAt;
    const failed = isFailure(error);
    if (failed) counts.failures += 1;
    counts.lastError = failed ? error : undefined;
  };

  return {
    watch: (id, controller) => {
      const counts = countsOf(id);
      counts.isCircuitOpen = controller.isCircuitOpen ?? (() => false);
      const call = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
        const startedAt = performance.now();
        try {
          const result = await work();
          note(counts, startedAt, undefined);
          return result;
        } catch (error) {
          note(counts, startedAt, error, signal);
          throw error;
        }
      };
      const read = async function* <T>(
        begin: () => AsyncIterable<T>,
        signal?: AbortSignal,
      ): AsyncGenerator<T> {
        const startedAt = performance.now();
        try {
          yield* begin();
          note(counts, startedAt, undefined);
        } catch (error) {
          note(counts, startedAt, error, signal);
          throw error;
        }
      };
      const { incremental } = controller;
      return {
        ...controller,
        create: (order, count, signal) => call(() => controller.create(order, count, signal), signal),
        list: (site, signal) => read(() => controller.list(site, signal), signal),
        createdIn: (site, ranges, signal) => read(() => controller.createdIn(site, ranges, signal), signal),
        revoke: (site, voucherId, signal) => call(() => controller.revoke(site, voucherId, signal), signal),
        probe: (onStep) => call(() => controller.probe(onStep)),
        ...(incremental && {
          incremental: {
            count: (site, signal) => call(() => incremental.count(site, signal), signal),
            changed: (site, since, signal) => read(() => incremental.changed(site, since, signal), signal),
          },
        }),
      };
    },
    fail: (id, error) => {
      countsOf(id).lastError = error;
    },
    keepOnly: (ids) => {
      for (const id of all.keys()) if (!ids.includes(id)) all.delete(id);
    },
    stateOf: (id) => {
      const counts = all.get(id);
      if (!counts) return { state: 'unknown', lastError: null, calls: 0, failures: 0, latencyMs: null };
      const { calls, failures, totalMs, lastError, isCircuitOpen } = counts;
      return {
        state: isCircuitOpen()
          ? 'open'
          : lastError !== undefined
            ? 'failing'
            : calls === 0
              ? 'unknown'
              : 'ok',
        lastError: lastError === undefined ? null : describeForPeople(lastError),
        calls,
        failures,
        latencyMs: calls === 0 ? null : Math.round((totalMs / calls) * 10) / 10,
      };
    },
  };
};

/** Puts together what this process has seen, and what all processes have stored. */
export const makeControllerHealth = (
  monitor: Pick<ControllerMonitor, 'stateOf'>,
  lastSyncs: (controllerIds: readonly number[]) => Promise<(number | null)[]>,
): ControllerHealthSource => {
  const lastSyncAt = batchCalls(lastSyncs);
  return { healthOf: async (id) => ({ ...monitor.stateOf(id), lastSyncAt: await lastSyncAt(id) }) };
};
