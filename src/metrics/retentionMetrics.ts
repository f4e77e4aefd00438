import type { Instruments } from './instruments.js';

/** What is counted of the retention of records. */
export interface RetentionMetrics {
  backlog(kind: string, rows: number): void;
  removed(kind: string, rows: number): void;
  ran(at: number): void;
}

export const makeRetentionMetrics = ({ counter, gauge }: Instruments): RetentionMetrics => {
  const removed = counter(
    'retention_removed_rows_total',
    'process',
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
