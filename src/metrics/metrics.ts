import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { readBuildInfo } from '../lib/buildInfo.js';
import { makeRetentionMetrics, type RetentionMetrics } from './retentionMetrics.js';

/**
 * Why a connection was dropped: there were too many of them, or too many requests waiting on them; its client fell
 * silent, did not complete a request whose answer had begun, or closed it before its requests could begin.
 */
export type DropReason = 'connections' | 'pipelining' | 'silent' | 'incomplete' | 'closed';

/** Why a request was refused with 503: as many as may be are in flight, or the database does not answer. */
type OverloadReason = 'in_flight' | 'database';

/** Why an order was dropped before its controller was asked: its client had left, or its deadline had passed. */
export type OrderDropReason = 'client' | 'deadline';

/** What is counted, for `/metrics`. */
export interface Metrics {
  request(operationId: string, status: number, seconds: number): void;
  limiterRefusal(): void;
  overloadRefusal(reason: OverloadReason): void;
  droppedConnection(reason: DropReason): void;
  droppedOrder(reason: OrderDropReason): void;
  controllerCall(kind: string, call: string, outcome: string, seconds: number): void;
  contractViolation(operationId: string): void;
  reconciled(outcome: 'adopted' | 'revoked' | 'removed'): void;
  synced(outcome: 'changed' | 'gone', vouchers: number): void;
  syncPass(kind: string, outcome: 'done' | 'failed' | 'stopped', seconds: number): void;
  delivery(format: string, outcome: string): void;
  readonly retention: RetentionMetrics;
  text(): Promise<string>;
  readonly contentType: string;
  stop(): void;
}

export interface MetricsOptions {
  /** How many log lines were dropped since the start. */
  readonly droppedLogLines?: () => number;
  /** How many intents are open. Asked for each time the metrics are read. */
  readonly openIntents?: () => Promise<number>;
}

/** Counts what happens, and computes the rest when the metrics are read. */
export const makeMetrics = ({ droppedLogLines = () => 0, openIntents }: MetricsOptions = {}): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'voucherd_' });
  const registers = [registry];
  const { version, commit } = readBuildInfo();
  new Gauge({
    name: 'voucherd_build_info',
    help: 'Always 1; its labels are the version, the commit that it was built from, and the version of Node',
    labelNames: ['version', 'commit', 'node'],
    registers,
  })
    .labels(version, commit ?? '', process.versions.node)
    .set(1);
  const durations = new Histogram({
    name: 'voucherd_request_duration_seconds',
    help: 'Requests by operation and status, and how long they took',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10],
    registers,
  });
  const refusals = new Counter({
    name: 'voucherd_limiter_refusals_total',
    help: 'Requests refused because a key had used up its limit',
    registers,
  });
  const overloadRefusals = new Counter({
    name: 'voucherd_overload_refusals_total',
    help: 'Requests refused with 503 because too many are in flight, or the database does not answer',
    labelNames: ['reason'],
    registers,
  });
  const dropped = new Counter({
    name: 'voucherd_dropped_connections_total',
    help: 'Connections ended before their requests were answered, by reason',
    labelNames: ['reason'],
    registers,
  });
  const droppedOrders = new Counter({
    name: 'voucherd_dropped_orders_total',
    help: 'Orders dropped before their controller was asked, because nobody waited for them any more',
    labelNames: ['reason'],
    registers,
  });
  const calls = new Histogram({
    name: 'voucherd_controller_call_duration_seconds',
    help: 'Calls of controllers by kind, call and outcome, and how long they took',
    labelNames: ['kind', 'call', 'outcome'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2, 10],
    registers,
  });
  const violations = new Counter({
    name: 'voucherd_contract_violations_total',
    help: 'Replies that the contract does not document',
    labelNames: ['operation'],
    registers,
  });
  const reconciliations = new Counter({
    name: 'voucherd_reconciled_intents_total',
    help: 'Intents settled by the reconciler',
    labelNames: ['outcome'],
    registers,
  });
  new Gauge({
    name: 'voucherd_open_intents',
    help: 'Intents in flight, or with unknown outcome',
    registers,
    async collect() {
      // The last value stays when there is no answer: a rejection would fail all metrics.
      const count = await openIntents?.().catch(() => undefined);
      if (count !== undefined) this.set(count);
    },
  });
  const synced = new Counter({
    name: 'voucherd_synced_vouchers_total',
    help: 'Recorded vouchers that the sync found changed on their controller, or gone from it',
    labelNames: ['outcome'],
    registers,
  });
  const passes = new Histogram({
    name: 'voucherd_sync_pass_duration_seconds',
    help: 'Passes of the sync over one controller, by its kind and the outcome, and how long they took',
    labelNames: ['kind', 'outcome'],
    buckets: [0.01, 0.1, 0.5, 2, 10, 60],
    registers,
  });
  const deliveries = new Counter({
    name: 'voucherd_deliveries_total',
    help: 'Delivery attempts of notifications, by format and outcome',
    labelNames: ['format', 'outcome'],
    registers,
  });
  new Counter({
    name: 'voucherd_log_lines_dropped_total',
    help: 'Log lines that were dropped because standard output was not read',
    registers,
    collect() {
      this.reset();
      this.inc(droppedLogLines());
    },
  });
  return {
    request: (operation, status, seconds) => {
      durations.labels(operation, String(status)).observe(seconds);
    },
    limiterRefusal: () => {
      refusals.inc();
    },
    overloadRefusal: (reason) => {
      overloadRefusals.labels(reason).inc();
    },
    droppedConnection: (reason) => {
      dropped.labels(reason).inc();
    },
    droppedOrder: (reason) => {
      droppedOrders.labels(reason).inc();
    },
    controllerCall: (kind, call, outcome, seconds) => {
      calls.labels(kind, call, outcome).observe(seconds);
    },
    contractViolation: (operation) => {
      violations.labels(operation).inc();
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
    delivery: (format, outcome) => {
      deliveries.labels(format, outcome).inc();
    },
    retention: makeRetentionMetrics(registers),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    stop: () => {
      registry.clear();
    },
  };
};
