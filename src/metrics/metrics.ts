import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Counter } from 'prom-client';
import { readBuildInfo } from '../lib/buildInfo.js';
import { makeInstruments, passBuckets, queryBuckets, waitBuckets } from './instruments.js';
import { makeLabelSlots } from './labelSlots.js';
import { makeReadingGauges } from './readingGauges.js';
import type { Readings } from './readings.js';
import { makeRetentionMetrics, type RetentionMetrics } from './retentionMetrics.js';

/**
 * Why a connection was dropped: there were too many of them, or too many requests waiting on them; its client fell
 * silent, did not complete a request whose answer had begun, or closed it before its requests could begin.
 */
type DropReason = 'connections' | 'pipelining' | 'silent' | 'incomplete' | 'closed';

/** Why an order was dropped before its controller was asked: its client had left, or its deadline had passed. */
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

/** What is counted, for `/metrics`. */
export interface Metrics {
  request(operationId: string, status: number, seconds: number): void;
  limiterRefusal(): void;
  /** A request was refused with 503: as many as may be are in flight, or the database does not answer. */
  overloadRefusal(reason: string): void;
  droppedConnection(reason: DropReason): void;
  droppedOrder(reason: OrderDropReason): void;
  controllerCall(call: ControllerCall): void;
  databaseQuery(pool: string, seconds: number): void;
  contractViolation(operationId: string): void;
  reconciled(outcome: 'adopted' | 'revoked' | 'removed'): void;
  synced(outcome: 'changed' | 'gone', vouchers: number): void;
  syncPass(kind: string, outcome: 'done' | 'failed' | 'stopped', seconds: number): void;
  delivery(webhookId: number, format: string, outcome: 'delivered' | 'postponed' | 'failed'): void;
  email(outcome: 'sent' | 'postponed' | 'failed'): void;
  /** An attempt to send an SMS has ended. */
  sms(outcome: 'sent' | 'postponed' | 'failed'): void;
  /** From now on, these are looked up each time the metrics are read. It must not reject, nor take long. */
  readFrom(read: () => Promise<Readings>): void;
  readonly retention: RetentionMetrics;
  /** What is looked up, for those who want more than numbers; undefined before there is anything. */
  read(): Promise<Readings | undefined>;
  text(): Promise<string>;
  readonly contentType: string;
  /** The metrics that there are, for the documents. */
  describe(): { readonly name: string; readonly help: string; readonly labels: readonly string[] }[];
  stop(): void;
}

export interface MetricsOptions {
  /** How many log lines were dropped since the start. */
  readonly droppedLogLines?: () => number;
}

/** How many controllers, and how many webhooks, have series of their own. */
const maxLabels = 100;

/** Gauges that prom-client names as if they were counters. Each is the sum of one that stays. */
const misnamedDefaults = ['handles', 'requests', 'resources'].map(
  (name) => `voucherd_nodejs_active_${name}_total`,
);

/** Counts what happens, and computes the rest when the metrics are read. */
export const makeMetrics = ({ droppedLogLines = () => 0 }: MetricsOptions = {}): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'voucherd_' });
  for (const name of misnamedDefaults) registry.removeSingleMetric(name);
  const instruments = makeInstruments(registry);
  const { counter, gauge, histogram } = instruments;
  const slots = { controllers: makeLabelSlots(maxLabels), webhooks: makeLabelSlots(maxLabels) };
  const { version, commit } = readBuildInfo();
  gauge(
    'build_info',
    'process',
    'Always 1; its labels are the version, the commit that it was built from, and the version of Node',
    ['version', 'commit', 'node'],
  )
    .labels(version, commit ?? '', process.versions.node)
    .set(1);
  const durations = histogram(
    'request_duration_seconds',
    'Requests by operation and status, and how long they took',
    waitBuckets,
    ['operation', 'status'],
  );
  const refusals = counter(
    'limiter_refusals_total',
    'process',
    'Requests refused because a key had used up its limit',
  );
  const overloadRefusals = counter(
    'overload_refusals_total',
    'process',
    'Requests refused with 503 because too many are in flight, or the database does not answer',
    ['reason'],
  );
  const dropped = counter(
    'dropped_connections_total',
    'process',
    'Connections ended before their requests were answered, by reason',
    ['reason'],
  );
  const droppedOrders = counter(
    'dropped_orders_total',
    'process',
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
    'process',
    'Calls of a controller, without those that the circuit breaker kept back',
    ['controller'],
  );
  const callFailures = counter(
    'controller_call_failures_total',
    'process',
    'Calls of a controller whose failure speaks against it',
    ['controller'],
  );
  const callSeconds = counter(
    'controller_call_seconds_total',
    'process',
    'How long the calls of a controller took together',
    ['controller'],
  );
  const queries = histogram(
    'database_query_duration_seconds',
    'Statements by pool, and how long the database took for them, without the wait for a connection',
    queryBuckets,
    ['pool'],
  );
  const violations = counter(
    'contract_violations_total',
    'process',
    'Replies that the contract does not document',
    ['operation'],
  );
  const reconciliations = counter(
    'reconciled_intents_total',
    'process',
    'Intents settled by the reconciler',
    ['outcome'],
  );
  const synced = counter(
    'synced_vouchers_total',
    'process',
    'Recorded vouchers that the sync found changed on their controller, or gone from it',
    ['outcome'],
  );
  const passes = histogram(
    'sync_pass_duration_seconds',
    'Passes of the sync over one controller, by its kind and the outcome, and how long they took',
    passBuckets,
    ['kind', 'outcome'],
  );
  const deliveries = counter(
    'deliveries_total',
    'process',
    'Delivery attempts of notifications, by webhook, format and outcome: delivered, postponed, failed',
    ['webhook', 'format', 'outcome'],
  );
  const emails = counter(
    'emails_total',
    'process',
    'Attempts to send an e-mail, by outcome: sent, postponed, failed',
    ['outcome'],
  );
  const sms = counter(
    'sms_total',
    'process',
    'Attempts to send an SMS, by outcome: sent, postponed, failed',
    ['outcome'],
  );
  const droppedLines = counter(
    'log_lines_dropped_total',
    'process',
    'Log lines that were dropped because standard output was not read',
  );
  const retention = makeRetentionMetrics(instruments);
  // A series that begins with its first event would hide that event from `increase()`.
  for (const outcome of ['sent', 'postponed', 'failed']) {
    emails.labels(outcome).inc(0);
    sms.labels(outcome).inc(0);
  }
  for (const reason of ['in_flight', 'database']) overloadRefusals.labels(reason).inc(0);
  const setReadings = makeReadingGauges(instruments, slots);
  let read: (() => Promise<Readings>) | undefined;

  /** Webhooks have their series from the start; the series of what is gone do not stay for as long as the process runs. */
  const alignSeries = async ({ controllers, webhooks }: NonNullable<Readings['records']>): Promise<void> => {
    const ids = (things: readonly { readonly id: number }[]): number[] => things.map(({ id }) => id);
    const gone = {
      controller: slots.controllers.keepOnly(ids(controllers)),
      webhook: slots.webhooks.keepOnly(ids(webhooks)),
    };
    for (const metric of [calls, callFailures, callSeconds])
      await removeSeries(metric, 'controller', gone.controller);
    await removeSeries(deliveries, 'webhook', gone.webhook);
    for (const { id, format } of webhooks)
      for (const outcome of ['delivered', 'postponed', 'failed'])
        deliveries.labels(slots.webhooks.labelOf(id), format, outcome).inc(0);
  };

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
    controllerCall: ({ controllerId, kind, call, outcome, isFailure, seconds }) => {
      callDurations.labels(kind, call, outcome).observe(seconds);
      if (outcome === 'circuit_open') return;
      const label = slots.controllers.labelOf(controllerId);
      calls.labels(label).inc();
      callFailures.labels(label).inc(isFailure ? 1 : 0);
      callSeconds.labels(label).inc(seconds);
    },
    databaseQuery: (pool, seconds) => {
      queries.labels(pool).observe(seconds);
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
    delivery: (webhookId, format, outcome) => {
      deliveries.labels(slots.webhooks.labelOf(webhookId), format, outcome).inc();
    },
    email: (outcome) => {
      emails.labels(outcome).inc();
    },
    sms: (outcome) => {
      sms.labels(outcome).inc();
    },
    readFrom: (given) => {
      read = given;
    },
    read: async () => read?.(),
    text: async () => {
      const readings = await read?.();
      if (readings?.records) await alignSeries(readings.records);
      if (readings) setReadings(readings);
      droppedLines.reset();
      droppedLines.inc(droppedLogLines());
      return registry.metrics();
    },
    retention,
    contentType: registry.contentType,
    describe: () =>
      registry.getMetricsAsArray().map((metric) => {
        const { name, help, labelNames = [] } = metric as DescribedMetric;
        return { name, help, labels: labelNames };
      }),
    stop: () => {
      registry.clear();
    },
  };
};

/** What prom-client's types omit. */
interface DescribedMetric {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

const removeSeries = async (metric: Counter, label: string, gone: readonly string[]): Promise<void> => {
  if (gone.length === 0) return;
  const { values } = await metric.get();
  for (const { labels } of values) if (gone.includes(String(labels[label]))) metric.remove(labels);
};
