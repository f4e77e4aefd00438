import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/**
 * Does a metric count what one process does, or does every process of a database tell the same of the whole?
 */
export type MetricScope = 'process' | 'service';

/**
 * The end of each help text, so that whoever writes a query knows whether to add up or to take the maximum.
 */
export const scopeTexts: Readonly<Record<MetricScope, string>> = {
  process: 'of this process',
  service: 'of the whole service, the same in every process',
};

/** Makes the metrics of a registry. Each says in its help text what it is of; counters count one process. */
export interface Instruments {
  counter(name: string, help: string, labels?: readonly string[]): Counter;
  gauge(name: string, scope: MetricScope, help: string, labels?: readonly string[]): Gauge;
  histogram(name: string, help: string, buckets: readonly number[], labels?: readonly string[]): Histogram;
}

export const makeInstruments = (registry: Registry): Instruments => {
  const describe = (name: string, scope: MetricScope, help: string, labels: readonly string[]) => ({
    name: `voucherd_${name}`,
    help: `${help} (${scopeTexts[scope]})`,
    labelNames: [...labels],
    registers: [registry],
  });
  return {
    counter: (name, help, labels = []) => new Counter(describe(name, 'process', help, labels)),
    gauge: (name, scope, help, labels = []) => new Gauge(describe(name, scope, help, labels)),
    histogram: (name, help, buckets, labels = []) =>
      new Histogram({ ...describe(name, 'process', help, labels), buckets: [...buckets] }),
  };
};

/** What people wait for: fine between 0.1 and 2 seconds, where "quick" becomes "slow". */
export const waitBuckets: readonly number[] = [0.005, 0.025, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2, 5, 10];
/** Statements of a database: usually far below a millisecond with SQLite. */
export const queryBuckets: readonly number[] = [
  0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5,
];
/** Work that nobody waits for. */
export const passBuckets: readonly number[] = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300];
