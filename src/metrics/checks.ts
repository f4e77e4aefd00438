import { minFreeBytes } from '../lib/folders.js';
import { toStoredLine } from '../lib/label.js';
import type { ControllerReading, DiskReading, JobReading, Readings, WebhookReading } from './readings.js';
import { ageSeconds } from './readings.js';

/** The code of the error that migrations are missing. */
export const migrationsPending = 'migrations-pending';

/** What one part of the service is like. */
export interface Check {
  readonly check:
    | 'database'
    | 'migrations'
    | 'disk'
    | 'job'
    | 'controller'
    | 'webhook'
    | 'emails'
    | 'sms'
    | 'orders';
  /** `unknown`: this process has not seen it lately, or can not read it. */
  readonly status: 'ok' | 'failing' | 'unknown' | 'off';
  /** Which, where there are several. */
  readonly subject?: string;
  readonly [detail: string]: string | number | boolean | null | undefined;
}

/** Why the service is not ready. */
export interface NotReady {
  readonly code: string;
  /** What those may read who may not know where the database is. */
  readonly reason: string;
}

/** A job may be late for a while: it is tried again. */
const lateMs = 300_000;
const oldSeconds = 900;
const maxNameLength = 255;

/** The state of every part, by what is known already: nothing is asked for it but the database. */
export const describeReadings = (readings: Readings | undefined, notReady: NotReady | undefined): Check[] => {
  const isMigrating = notReady?.code === migrationsPending;
  const checks: Check[] = [
    { check: 'database', ...(notReady && !isMigrating ? failing(notReady) : ok) },
    { check: 'migrations', ...(isMigrating ? failing(notReady) : notReady ? { status: 'unknown' } : ok) },
  ];
  if (!readings) return checks;
  const { records, now } = readings;
  return [
    ...checks,
    ...readings.disks.map(toDiskCheck),
    ...readings.jobs.map(toJobCheck),
    ...(records
      ? [
          toQueueCheck('orders', records.intents, now),
          toQueueCheck('emails', records.emails, now),
          toQueueCheck('sms', records.sms, now),
          ...records.controllers.map(toControllerCheck),
          ...records.webhooks.map((webhook) => toWebhookCheck(webhook, now)),
        ]
      : []),
  ];
};

const ok = { status: 'ok' } as const;
const failing = ({ reason }: NotReady) => ({ status: 'failing', reason }) as const;

const toDiskCheck = ({ folder, space }: DiskReading): Check => ({
  check: 'disk',
  subject: folder,
  status: !space ? 'unknown' : space.freeBytes < minFreeBytes ? 'failing' : 'ok',
  free_bytes: space?.freeBytes,
  size_bytes: space?.sizeBytes,
});

const toJobCheck = ({ name, intervalMs, lagMs, failures }: JobReading): Check => ({
  check: 'job',
  subject: name,
  status: lagMs > lateMs + 2 * intervalMs ? 'failing' : 'ok',
  interval_seconds: intervalMs / 1000,
  lag_seconds: Math.round(lagMs / 1000),
  failures,
});

const toQueueCheck = (
  check: 'orders' | 'emails' | 'sms',
  { waiting, oldestAt }: { readonly waiting: number; readonly oldestAt: number | null },
  now: number,
): Check => {
  const age = ageSeconds(oldestAt, now);
  return { check, status: age > oldSeconds ? 'failing' : 'ok', waiting, oldest_age_seconds: Math.round(age) };
};

const toControllerCheck = ({ id, name, kind, state, connection, lastSyncAt }: ControllerReading): Check => ({
  check: 'controller',
  subject: toStoredLine(name, maxNameLength),
  status: state === 'open' ? 'failing' : state,
  id,
  kind,
  breaker_open: connection?.isCircuitOpen ?? false,
  calls_waiting: connection?.waiting ?? 0,
  last_sync_at: toTime(lastSyncAt),
  certificate_expires_at: toTime(connection?.certificate?.expiresAt ?? null),
});

const toWebhookCheck = (
  { id, name, format, state, waiting, oldestAt }: WebhookReading,
  now: number,
): Check => ({
  check: 'webhook',
  subject: toStoredLine(name, maxNameLength),
  status: state,
  id,
  format,
  waiting,
  oldest_age_seconds: Math.round(ageSeconds(oldestAt, now)),
});

const toTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
