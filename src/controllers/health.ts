import { batchCalls } from '../database/batch.js';
import { ControllerError, OutcomeUnknown } from './errors.js';
import type { Failure, FailureKind } from './failure.js';
import { toControllerProblem, type ControllerProblem } from './controllerProblem.js';

/** How a controller is doing. */
export interface ControllerHealth {
  /** `open`: the circuit breaker keeps calls away from it. `unknown`: this process has not called it yet. */
  readonly state: 'ok' | 'failing' | 'open' | 'unknown';
  /** When all of its vouchers were last compared, by whichever process. */
  readonly lastSyncAt: number | null;
  /** Why the last call failed; null when it succeeded. */
  readonly lastError: ControllerProblem | null;
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

/** The calls of this process to one controller. */
export interface CallCounts {
  calls: number;
  failures: number;
  totalMs: number;
  /** Undefined after a call that succeeded. */
  lastError: unknown;
  /** What `performance.now()` said when the last call ended; undefined before the first. */
  lastAt: number | undefined;
}

/** Caused by the request or by this process: they show nothing about the controller. */
const harmless: readonly FailureKind[] = ['bounds', 'site', 'not-read', 'deadline'];

/** Does an error speak against the controller? */
export const isFailure = (error: unknown): boolean => {
  if (!(error instanceof ControllerError || error instanceof OutcomeUnknown)) return false;
  const { failure } = error;
  if (failure.kind === 'refused') return failure.reason !== 'order' && failure.reason !== 'request';
  return !harmless.includes(failure.kind);
};

/** Why a controller could not be used, if the error speaks against it. */
export const outageOf = (error: unknown): Failure | undefined =>
  isFailure(error) && (error instanceof ControllerError || error instanceof OutcomeUnknown)
    ? error.failure
    : undefined;

/** Did the circuit breaker keep the call back? */
export const isKeptBack = (error: unknown): boolean =>
  error instanceof ControllerError && error.code === 'circuit-open';

/** Counts a call that threw. A call that the circuit breaker rejected does not count. */
export const countThrown = (
  counts: CallCounts,
  elapsedMs: number,
  error: unknown,
  signal: AbortSignal | undefined,
): void => {
  if (isKeptBack(error)) return;
  const failed = isFailure(error);
  // A call that this process has aborted, as when the service stops.
  if (!failed && signal?.aborted === true) return;
  counts.calls += 1;
  counts.totalMs += elapsedMs;
  counts.lastAt = performance.now();
  if (failed) counts.failures += 1;
  counts.lastError = failed ? error : undefined;
};

/** What this process knows of a controller. */
type ObservedHealth = Omit<ControllerHealth, 'lastSyncAt'>;

/** The health that the calls to a controller show. */
export const describeCalls = (counts: CallCounts | undefined, isCircuitOpen: boolean): ObservedHealth => {
  if (!counts) return { state: 'unknown', lastError: null, calls: 0, failures: 0, latencyMs: null };
  const { calls, failures, totalMs, lastError } = counts;
  return {
    state: isCircuitOpen ? 'open' : lastError !== undefined ? 'failing' : calls === 0 ? 'unknown' : 'ok',
    lastError: lastError === undefined ? null : toControllerProblem(lastError),
    calls,
    failures,
    latencyMs: calls === 0 ? null : Math.round((totalMs / calls) * 10) / 10,
  };
};

/** Puts together what this process has seen, and what all processes have stored. */
export const makeControllerHealth = (
  controllers: { stateOf(controllerId: number): ObservedHealth },
  lastSyncs: (controllerIds: readonly number[]) => Promise<(number | null)[]>,
): ControllerHealthSource => {
  const lastSyncAt = batchCalls(lastSyncs);
  return { healthOf: async (id) => ({ ...controllers.stateOf(id), lastSyncAt: await lastSyncAt(id) }) };
};
