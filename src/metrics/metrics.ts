import { collectDefaultMetrics, Registry } from 'prom-client';
import { readBuildInfo } from '../lib/buildInfo.js';
import { makeControllerMetrics, type ControllerMetrics } from './controllerMetrics.js';
import { makeInstruments, type Instruments } from './instruments.js';
import { makeLabelSlots } from './labelSlots.js';
import { makeReadingGauges } from './readingGauges.js';
import type { Readings } from './readings.js';
import { makeRequestMetrics, type RequestMetrics } from './requestMetrics.js';
import { makeSendingMetrics, type SendingMetrics } from './sendingMetrics.js';

/** What is counted, for `/metrics`. */
export interface Metrics extends RequestMetrics, ControllerMetrics, SendingMetrics {
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
  const { counter, gauge } = instruments;
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
  const droppedLines = counter(
    'log_lines_dropped_total',
    'Log lines that were dropped because standard output was not read',
  );
  const { keepOnly: keepControllers, ...controllerMetrics } = makeControllerMetrics(
    instruments,
    slots.controllers,
  );
  const { alignWebhooks, ...sendingMetrics } = makeSendingMetrics(instruments, slots.webhooks);
  const setReadings = makeReadingGauges(instruments, slots);
  let read: (() => Promise<Readings>) | undefined;
  return {
    ...makeRequestMetrics(instruments),
    ...controllerMetrics,
    ...sendingMetrics,
    readFrom: (given) => {
      read = given;
    },
    read: async () => read?.(),
    text: async () => {
      const readings = await read?.();
      // The series of what is gone do not stay for as long as the process runs.
      if (readings?.records) {
        await keepControllers(readings.records.controllers.map(({ id }) => id));
        await alignWebhooks(readings.records.webhooks);
      }
      if (readings) setReadings(readings);
      droppedLines.reset();
      droppedLines.inc(droppedLogLines());
      return registry.metrics();
    },
    retention: makeRetentionMetrics(instruments),
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

/** What is counted of the retention of records. */
interface RetentionMetrics {
  backlog(kind: string, rows: number): void;
  removed(kind: string, rows: number): void;
  ran(at: number): void;
}

const makeRetentionMetrics = ({ counter, gauge }: Instruments): RetentionMetrics => {
  const removed = counter(
    'retention_removed_rows_total',
    'Rows that were removed because they had been kept for long enough, by kind',
    ['kind'],
  );
  const backlog = gauge(
    'retention_backlog_rows',
    'process',
    'Rows that the last run found to remove, by kind; at most 10000 are counted',
    ['kind'],
  );
  const lastRun = gauge(
    'retention_last_run_timestamp_seconds',
    'process',
    'When the retention was last completed; 0 when it was not. Of several processes, the latest counts',
  );
  return {
    backlog: (kind, rows) => {
      backlog.labels(kind).set(rows);
    },
    removed: (kind, rows) => {
      removed.labels(kind).inc(rows);
    },
    ran: (at) => {
      lastRun.set(at / 1000);
    },
  };
};
