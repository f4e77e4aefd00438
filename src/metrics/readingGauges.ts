import type { Instruments } from './instruments.js';
import type { LabelSlots } from './labelSlots.js';
import {
  ageSeconds,
  type JobReading,
  type QueueReading,
  type Readings,
  type RecordReadings,
} from './readings.js';
import { makeControllerGauges, makeWebhookGauges } from './targetGauges.js';

interface ReadingSlots {
  readonly controllers: LabelSlots;
  readonly webhooks: LabelSlots;
}

/** Sets the metrics that are looked up when somebody reads them. */
export const makeReadingGauges = (
  instruments: Instruments,
  slots: ReadingSlots,
): ((readings: Readings) => void) => {
  const setParts = [
    makeDatabaseGauges(instruments),
    makeMachineGauges(instruments),
    makeJobGauges(instruments),
    onRecords(makeQueueGauges(instruments)),
    onRecords(makeControllerGauges(instruments, slots.controllers)),
    onRecords(makeWebhookGauges(instruments, slots.webhooks)),
  ];
  return (readings) => {
    for (const set of setParts) set(readings);
  };
};

type SetGauges = (readings: Readings) => void;

/** Nothing is said of records before they were read once. */
const onRecords =
  (set: (records: RecordReadings, now: number) => void): SetGauges =>
  ({ records, now }) => {
    if (records) set(records, now);
  };

const makeDatabaseGauges = ({ gauge }: Instruments): SetGauges => {
  const up = gauge(
    'database_up',
    'process',
    '1 when the database answered in time when the metrics were read, otherwise 0; the metrics of the whole service are then the last known ones',
  );
  const connections = gauge(
    'database_pool_connections',
    'process',
    'Open connections to the database by pool and state: used, free',
    ['pool', 'state'],
  );
  const max = gauge('database_pool_max_connections', 'process', 'How many connections a pool opens at most', [
    'pool',
  ]);
  const waiting = gauge('database_pool_waiting', 'process', 'Who waits for a connection to the database', [
    'pool',
  ]);
  return ({ isDatabaseUp, pools }) => {
    up.set(isDatabaseUp ? 1 : 0);
    for (const reading of pools) {
      connections.labels(reading.pool, 'used').set(reading.used);
      connections.labels(reading.pool, 'free').set(reading.free);
      max.labels(reading.pool).set(reading.max);
      waiting.labels(reading.pool).set(reading.waiting);
    }
  };
};

const makeMachineGauges = ({ gauge }: Instruments): SetGauges => {
  const free = gauge(
    'disk_free_bytes',
    'process',
    'What is free on the file system of a folder: data (DATA_DIR), database (an SQLite file elsewhere); no value when it can not be read',
    ['folder'],
  );
  const size = gauge('disk_size_bytes', 'process', 'The size of the file system of a folder', ['folder']);
  const expiry = gauge(
    'tls_certificate_expiry_timestamp_seconds',
    'process',
    'When the certificate of TLS_CERT_FILE expires; no value without one',
    ['file'],
  );
  return ({ disks, tlsExpiresAt }) => {
    free.reset();
    size.reset();
    for (const { folder, space } of disks) {
      if (!space) continue;
      free.labels(folder).set(space.freeBytes);
      size.labels(folder).set(space.sizeBytes);
    }
    if (tlsExpiresAt !== undefined) expiry.labels('TLS_CERT_FILE').set(tlsExpiresAt / 1000);
  };
};

/**
 * The label is `task`, because Prometheus has a label `job` of its own. Without spaces it is easier to type.
 */
const toTaskLabel = ({ name }: JobReading): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '_');

const makeJobGauges = ({ gauge, counter }: Instruments): SetGauges => {
  const interval = gauge('job_interval_seconds', 'process', 'How often a job is done', ['task']);
  const lastSuccess = gauge(
    'job_last_success_timestamp_seconds',
    'process',
    'When a job last succeeded; no value when it never did',
    ['task'],
  );
  const lag = gauge(
    'job_lag_seconds',
    'process',
    'How long ago a job should have succeeded again; 0 when it is in time',
    ['task'],
  );
  const runs = counter('job_runs_total', 'Runs of jobs by outcome: done, failed', ['task', 'outcome']);
  const syncInterval = gauge(
    'sync_interval_seconds',
    'process',
    'How often vouchers are compared with their controllers: SYNC_INTERVAL_S; 0 is never',
  );
  return ({ jobs, syncIntervalMs }) => {
    syncInterval.set(syncIntervalMs / 1000);
    runs.reset();
    for (const job of jobs) {
      const label = toTaskLabel(job);
      interval.labels(label).set(job.intervalMs / 1000);
      if (job.lastSuccessAt !== undefined) lastSuccess.labels(label).set(job.lastSuccessAt / 1000);
      lag.labels(label).set(job.lagMs / 1000);
      runs.labels(label, 'done').inc(job.successes);
      runs.labels(label, 'failed').inc(job.failures);
    }
  };
};

const makeQueueGauges = ({ gauge }: Instruments) => {
  const queue = (count: readonly [string, string], age: readonly [string, string]) => {
    const waiting = gauge(count[0], 'service', count[1]);
    const oldest = gauge(age[0], 'service', age[1]);
    return (reading: QueueReading, now: number): void => {
      waiting.set(reading.waiting);
      oldest.set(ageSeconds(reading.oldestAt, now));
    };
  };
  const setIntents = queue(
    ['open_intents', 'Intents in flight, or with unknown outcome'],
    ['oldest_open_intent_age_seconds', 'How old the oldest open intent is; 0 without any'],
  );
  const setEmails = queue(
    ['emails_waiting', 'E-mails that wait to be sent, or for another attempt'],
    ['oldest_waiting_email_age_seconds', 'How old the oldest waiting e-mail is; 0 without any'],
  );
  const setSms = queue(
    ['sms_waiting', 'SMS that wait to be sent, or for another attempt'],
    ['oldest_waiting_sms_age_seconds', 'How old the oldest waiting SMS is; 0 without any'],
  );
  const outbox = gauge(
    'outbox_notifications',
    'service',
    'Notifications that are not yet on their way to webhooks',
  );
  return (records: RecordReadings, now: number): void => {
    setIntents(records.intents, now);
    setEmails(records.emails, now);
    setSms(records.sms, now);
    outbox.set(records.outbox);
  };
};
