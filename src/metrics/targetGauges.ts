import type { Gauge } from 'prom-client';
import { toStoredLine } from '../lib/label.js';
import type { Instruments } from './instruments.js';
import { otherLabel, type LabelSlots } from './labelSlots.js';
import { ageSeconds, type ControllerReading, type RecordReadings, type WebhookReading } from './readings.js';

/** Names are shown, and as long as a line of a dashboard at most. */
const maxNameLength = 60;

/** Several things may share a label: the worst of them, or their sum, counts. */
const setCombined = <T>(
  gauge: Gauge,
  readings: readonly T[],
  labelsOf: (reading: T) => readonly string[],
  valueOf: (reading: T) => number | undefined,
  combine: (...values: [number, number]) => number,
): void => {
  const values = new Map<string, { labels: readonly string[]; value: number }>();
  for (const reading of readings) {
    const value = valueOf(reading);
    if (value === undefined) continue;
    const labels = labelsOf(reading);
    const key = labels.join('\n');
    const known = values.get(key);
    values.set(key, { labels, value: known ? combine(known.value, value) : value });
  }
  gauge.reset();
  for (const { labels, value } of values.values()) gauge.labels(...labels).set(value);
};

const sum = (a: number, b: number): number => a + b;

/** The metrics of each controller. */
export const makeControllerGauges = ({ gauge }: Instruments, slots: LabelSlots) => {
  const info = gauge(
    'controller_info',
    'service',
    'Always 1; its labels are the name and the kind of a controller',
    ['controller', 'name', 'kind'],
  );
  const up = gauge(
    'controller_up',
    'process',
    '1 when the last call of a controller succeeded, 0 when it failed or the circuit breaker is open; no value when this process has not called it lately',
    ['controller'],
  );
  const breaker = gauge(
    'controller_breaker_open',
    'process',
    '1 while the circuit breaker keeps calls away from a controller',
    ['controller'],
  );
  const waiting = gauge(
    'controller_calls_waiting',
    'process',
    'Calls that wait in the queue of a controller',
    ['controller'],
  );
  const inFlight = gauge(
    'controller_calls_in_flight',
    'process',
    'Calls of a controller that are in flight',
    ['controller'],
  );
  const sites = gauge('controller_sites', 'service', 'How many sites a controller has', ['controller']);
  const lastSync = gauge(
    'controller_last_sync_timestamp_seconds',
    'service',
    'When all vouchers of a controller were last compared; no value when they never were, or it has no sites',
    ['controller'],
  );
  const expiry = gauge(
    'controller_certificate_expiry_timestamp_seconds',
    'process',
    'When the certificate expires that a controller showed at the last connection; a pinned one is trusted beyond that time',
    ['controller', 'pinned'],
  );
  return ({ controllers }: RecordReadings): void => {
    const label = ({ id }: ControllerReading): string => slots.labelOf(id);
    const set = (
      metric: Gauge,
      valueOf: (reading: ControllerReading) => number | undefined,
      combine: typeof sum,
    ): void => setCombined(metric, controllers, (reading) => [label(reading)], valueOf, combine);
    setCombined(
      info,
      controllers,
      (reading) => infoLabels(label(reading), reading, reading.kind),
      one,
      Math.max,
    );
    set(up, ({ state }) => (state === 'unknown' ? undefined : state === 'ok' ? 1 : 0), Math.min);
    set(breaker, ({ connection }) => connection && Number(connection.isCircuitOpen), Math.max);
    set(waiting, ({ connection }) => connection?.waiting, sum);
    set(inFlight, ({ connection }) => connection?.inFlight, sum);
    set(sites, (reading) => reading.sites, sum);
    set(lastSync, ({ lastSyncAt }) => (lastSyncAt === null ? undefined : lastSyncAt / 1000), Math.min);
    setCombined(
      expiry,
      controllers,
      (reading) => [label(reading), String(reading.connection?.certificate?.isPinned ?? false)],
      ({ connection }) => connection?.certificate && connection.certificate.expiresAt / 1000,
      Math.min,
    );
  };
};

/** The metrics of each webhook. */
export const makeWebhookGauges = ({ gauge }: Instruments, slots: LabelSlots) => {
  const info = gauge(
    'webhook_info',
    'service',
    'Always 1; its labels are the name and the format of a webhook',
    ['webhook', 'name', 'format'],
  );
  const up = gauge(
    'webhook_up',
    'service',
    '0 when deliveries to a webhook fail again and again, or its target has switched it off, otherwise 1; no value when an administrator has switched it off',
    ['webhook'],
  );
  const waiting = gauge('webhook_deliveries_waiting', 'service', 'Deliveries that wait for a webhook', [
    'webhook',
  ]);
  const oldest = gauge(
    'webhook_oldest_delivery_age_seconds',
    'service',
    'How old the oldest delivery is that waits for a webhook; 0 without any',
    ['webhook'],
  );
  return ({ webhooks }: RecordReadings, now: number): void => {
    const label = ({ id }: WebhookReading): string => slots.labelOf(id);
    const set = (
      metric: Gauge,
      valueOf: (reading: WebhookReading) => number | undefined,
      combine: typeof sum,
    ): void => setCombined(metric, webhooks, (reading) => [label(reading)], valueOf, combine);
    setCombined(
      info,
      webhooks,
      (reading) => infoLabels(label(reading), reading, reading.format),
      one,
      Math.max,
    );
    set(up, ({ state }) => (state === 'off' ? undefined : state === 'ok' ? 1 : 0), Math.min);
    set(waiting, (reading) => reading.waiting, sum);
    set(oldest, ({ oldestAt }) => ageSeconds(oldestAt, now), Math.max);
  };
};

const one = (): number => 1;

/** A label has one name, so that it can be joined with: those that share `other` are not named. */
const infoLabels = (
  label: string,
  { name }: { readonly name: string },
  kind: string,
): readonly [string, string, string] =>
  label === otherLabel ? [label, otherLabel, otherLabel] : [label, toStoredLine(name, maxNameLength), kind];
