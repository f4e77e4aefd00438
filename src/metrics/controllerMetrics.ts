import { passBuckets, waitBuckets, type Instruments } from './instruments.js';
import { removeSeries, type LabelSlots } from './labelSlots.js';

/**
 * Why an order was dropped before its controller was asked: its client had left, or its deadline had passed.
 */
export type OrderDropReason = 'client' | 'deadline';

/** One call of a controller, as it ended. */
export interface ControllerCall {
  readonly controllerId: number;
  readonly kind: string;
  readonly call: string;
  /** `unknown`: whether it was done is not known. `circuit_open`: the circuit breaker kept it back. */
  readonly outcome: 'answer' | 'refusal' | 'unknown' | 'circuit_open';
  /** Does the outcome speak against the controller, and not against what it was asked for? */
  readonly isFailure: boolean;
  readonly seconds: number;
}

/** What is counted of controllers, and of orders, reconciler and sync. */
export interface ControllerMetrics {
  droppedOrder(reason: OrderDropReason): void;
  controllerCall(call: ControllerCall): void;
  reconciled(outcome: 'adopted' | 'revoked' | 'removed'): void;
  synced(outcome: 'changed' | 'gone', vouchers: number): void;
  syncPass(kind: string, outcome: 'done' | 'failed' | 'stopped', seconds: number): void;
}

export const makeControllerMetrics = (
  { counter, histogram }: Instruments,
  slots: LabelSlots,
): ControllerMetrics & { keepOnly(ids: readonly number[]): Promise<void> } => {
  const droppedOrders = counter(
    'dropped_orders_total',
    'Orders dropped before their controller was asked, because nobody waited for them any more',
    ['reason'],
  );
  const callDurations = histogram(
    'controller_call_duration_seconds',
    'Calls of controllers by kind, call and outcome, and how long they took',
    waitBuckets,
    ['kind', 'call', 'outcome'],
  );
  const calls = counter(
    'controller_calls_total',
    'Calls of a controller, without those that the circuit breaker kept back',
    ['controller'],
  );
  const callFailures = counter(
    'controller_call_failures_total',
    'Calls of a controller whose failure speaks against it',
    ['controller'],
  );
  const callSeconds = counter(
    'controller_call_seconds_total',
    'How long the calls of a controller took together',
    ['controller'],
  );
  const reconciliations = counter('reconciled_intents_total', 'Intents settled by the reconciler', [
    'outcome',
  ]);
  const synced = counter(
    'synced_vouchers_total',
    'Recorded vouchers that the sync found changed on their controller, or gone from it',
    ['outcome'],
  );
  const passes = histogram(
    'sync_pass_duration_seconds',
    'Passes of the sync over one controller, by its kind and the outcome, and how long they took',
    passBuckets,
    ['kind', 'outcome'],
  );
  return {
    droppedOrder: (reason) => {
      droppedOrders.labels(reason).inc();
    },
    controllerCall: ({ controllerId, kind, call, outcome, isFailure, seconds }) => {
      callDurations.labels(kind, call, outcome).observe(seconds);
      if (outcome === 'circuit_open') return;
      const label = slots.labelOf(controllerId);
      calls.labels(label).inc();
      callFailures.labels(label).inc(isFailure ? 1 : 0);
      callSeconds.labels(label).inc(seconds);
    },
    reconciled: (outcome) => {
      reconciliations.labels(outcome).inc();
    },
    synced: (outcome, vouchers) => {
      synced.labels(outcome).inc(vouchers);
    },
    syncPass: (kind, outcome, seconds) => {
      passes.labels(kind, outcome).observe(seconds);
    },
    /** Removes the series of controllers that are gone. */
    keepOnly: async (ids) => {
      const gone = slots.keepOnly(ids);
      for (const metric of [calls, callFailures, callSeconds]) await removeSeries(metric, 'controller', gone);
    },
  };
};
