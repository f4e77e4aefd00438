import type { Metric, Registry } from 'prom-client';

interface HistogramOptions {
  readonly name: string;
  readonly help: string;
  /** Upper bounds, rising. */
  readonly buckets: readonly number[];
  readonly registry: Registry;
}

/** Observations with the same labels. */
export interface Series {
  observe(value: number): void;
}

/**
 * A histogram for what is observed with every request. That of prom-client checks and hashes its labels at each
 * observation, which costs more than all the rest of it; here numbers are added, and written out when metrics are read.
 */
export const makeHistogram = ({ name, help, buckets, registry }: HistogramOptions) => {
  const all: { readonly labels: object; readonly counts: number[]; sum: number }[] = [];

  const values = () =>
    all.flatMap(({ labels, counts, sum }) => {
      let below = 0;
      const cumulative = counts.map((count, index) => ({
        metricName: `${name}_bucket`,
        labels: { le: buckets[index] ?? '+Inf', ...labels },
        value: (below += count),
      }));
      return [
        ...cumulative,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: below },
      ];
    });
  const metric = {
    name,
    get: () => Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values: values() }),
  };
  // The registry needs no more of a metric than that; its type names prom-client's classes.
  registry.registerMetric(metric as unknown as Metric);

  return {
    /** To be called once for the same labels. */
    add: (labels: Readonly<Record<string, string>>): Series => {
      const series = { labels, counts: Array.from({ length: buckets.length + 1 }, () => 0), sum: 0 };
      all.push(series);
      const { counts } = series;
      return {
        observe: (value) => {
          let index = 0;
          while (index < buckets.length && value > (buckets[index] as number)) index += 1;
          counts[index] = (counts[index] as number) + 1;
          series.sum += value;
        },
      };
    },
  };
};
