import { Counter, Gauge, type Registry } from 'prom-client';

/** What is counted of the retention of records. */
export interface RetentionMetrics {
  backlog(kind: string, rows: number): void;
  removed(kind: string, rows: number): void;
  ran(at: number): void;
}

export const makeRetentionMetrics = (registers: Registry[]): RetentionMetrics => {
  const removed = new Counter({
    name: 'voucherd_retention_removed_rows_total',
    help: 'Rows that were removed because they had been kept for long enough, by kind',
    labelNames: ['kind'],
    registers,
  });
  const backlog = new Gauge({
    name: 'voucherd_retention_backlog_rows',
    help: 'Rows that wait to be removed by the retention, by kind; at most 100000 are counted',
    labelNames: ['kind'],
    registers,
  });
  const lastRun = new Gauge({
    name: 'voucherd_retention_last_run_timestamp_seconds',
    help: 'When this process last completed a run of the retention; 0 when it has not',
    registers,
  });
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
