import { expect, test } from '@jest/globals';
import { makeMetrics } from '../../src/metrics/metrics.js';
import { describeReadings } from '../../src/metrics/checks.js';
import type { ControllerReading, DiskReading, Readings, WebhookReading } from '../../src/metrics/readings.js';
import { findValue, hasPromtool, parseMetrics, promtool } from '../support/prometheus.js';

const controller = (id: number, values: Partial<ControllerReading> = {}): ControllerReading => ({
  ...{ id, name: `Zentrale ${String(id)}`, kind: 'unifi', sites: 1, lastSyncAt: null, state: 'ok' },
  connection: { isCircuitOpen: false, waiting: 2, inFlight: 1, certificate: undefined },
  ...values,
});

const webhook = (id: number, values: Partial<WebhookReading> = {}): WebhookReading => ({
  ...{ id, name: `Buchung ${String(id)}`, format: 'generic', state: 'ok', waiting: 3, oldestAt: 1000 },
  ...values,
});

const readings = (
  controllers: readonly ControllerReading[],
  webhooks: readonly WebhookReading[] = [],
): Readings => ({
  ...{ now: 61_000, isDatabaseUp: true, jobs: [], pools: [], disks: [], tlsExpiresAt: undefined },
  syncIntervalMs: 0,
  records: {
    ...{ intents: { waiting: 0, oldestAt: null }, emails: { waiting: 0, oldestAt: null }, outbox: 0 },
    sms: { waiting: 0, oldestAt: null },
    ...{ controllers, webhooks },
  },
});

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

const call = (controllerId: number) => ({
  ...({
    controllerId,
    kind: 'unifi',
    call: 'create',
    outcome: 'answer',
    isFailure: false,
    seconds: 0.5,
  } as const),
});

test('a hundred controllers have series of their own; of the others the worst, or the sum, is shown', async () => {
  const metrics = makeMetrics();
  for (const id of range(1, 150)) metrics.controllerCall(call(id));
  const all = range(1, 150).map((id) => controller(id, id === 140 ? { state: 'failing' } : {}));
  metrics.readFrom(() => Promise.resolve(readings(all)));
  const text = await metrics.text();
  metrics.stop();
  const up = parseMetrics(text).filter(({ name }) => name === 'voucherd_controller_up');
  expect(up).toHaveLength(101);
  expect(up.filter(({ value }) => value === 0)).toEqual([
    { name: 'voucherd_controller_up', labels: { controller: 'other' }, value: 0 },
  ]);
  const other = { controller: 'other' };
  expect(findValue(text, 'voucherd_controller_calls_waiting', other)).toBe(100);
  expect(findValue(text, 'voucherd_controller_calls_total', other)).toBe(50);
  expect(findValue(text, 'voucherd_controller_info', { ...other, name: 'other', kind: 'other' })).toBe(1);
  if (hasPromtool) expect(promtool(['check', 'metrics'], text)).toEqual({ status: 0, output: '' });
});

test('the same goes for webhooks', async () => {
  const metrics = makeMetrics();
  const all = range(1, 102).map((id) => webhook(id, id === 102 ? { state: 'failing', oldestAt: 0 } : {}));
  metrics.readFrom(() => Promise.resolve(readings([], all)));
  const text = await metrics.text();
  metrics.stop();
  const other = { webhook: 'other' };
  expect(findValue(text, 'voucherd_webhook_up', other)).toBe(0);
  expect(findValue(text, 'voucherd_webhook_deliveries_waiting', other)).toBe(6);
  expect(findValue(text, 'voucherd_webhook_oldest_delivery_age_seconds', other)).toBe(61);
  expect(findValue(text, 'voucherd_webhook_up', { webhook: '101' })).toBeUndefined();
});

test('the series of a controller that was removed are gone, and its label is free', async () => {
  const metrics = makeMetrics();
  let known = range(1, 101);
  metrics.readFrom(() => Promise.resolve(readings(known.map((id) => controller(id)))));
  for (const id of known) metrics.controllerCall(call(id));
  await metrics.text();
  known = range(2, 101);
  await metrics.text();
  metrics.controllerCall(call(101));
  const text = await metrics.text();
  metrics.stop();
  expect(findValue(text, 'voucherd_controller_calls_total', { controller: '1' })).toBeUndefined();
  expect(findValue(text, 'voucherd_controller_up', { controller: '1' })).toBeUndefined();
  expect(findValue(text, 'voucherd_controller_calls_total', { controller: '101' })).toBe(1);
  expect(findValue(text, 'voucherd_controller_calls_total', { controller: 'other' })).toBe(1);
});

test('controllers that came and went between two scrapes, or were called after they had gone, use up no labels', async () => {
  const metrics = makeMetrics();
  let known = [1];
  metrics.readFrom(() => Promise.resolve(readings(known.map((id) => controller(id)))));
  await metrics.text();
  known = [];
  await metrics.text();
  for (const id of range(1, 100)) metrics.controllerCall(call(id));
  // They may be newer than the list.
  expect(findValue(await metrics.text(), 'voucherd_controller_calls_total', { controller: '100' })).toBe(1);
  await metrics.text();
  metrics.controllerCall(call(101));
  const text = await metrics.text();
  metrics.stop();
  expect(parseMetrics(text).filter(({ name }) => name === 'voucherd_controller_calls_total')).toEqual([
    { name: 'voucherd_controller_calls_total', labels: { controller: '101' }, value: 1 },
  ]);
});

test('a disk that can not be read any more has no value, and its state is unknown', async () => {
  const metrics = makeMetrics();
  let space: DiskReading['space'] = { freeBytes: 1e9, sizeBytes: 2e9 };
  const read = (): Readings => ({ ...readings([]), disks: [{ folder: 'data', space }] });
  metrics.readFrom(() => Promise.resolve(read()));
  expect(findValue(await metrics.text(), 'voucherd_disk_free_bytes', { folder: 'data' })).toBe(1e9);
  expect(describeReadings(read(), undefined)).toContainEqual({
    ...{ check: 'disk', subject: 'data', status: 'ok', free_bytes: 1e9, size_bytes: 2e9 },
  });
  space = undefined;
  const text = await metrics.text();
  metrics.stop();
  expect(text).not.toMatch(/^voucherd_disk_\w+\{/m);
  expect(describeReadings(read(), undefined)).toContainEqual({
    ...{ check: 'disk', subject: 'data', status: 'unknown' },
  });
});

test('a hostile name is one line of a label, and no series of its own', async () => {
  const metrics = makeMetrics();
  const name = `"} 1\nvoucherd_database_up 0\n# ${'x'.repeat(65_536)}\\`;
  metrics.readFrom(() => Promise.resolve(readings([controller(1, { name })], [webhook(1, { name })])));
  const text = await metrics.text();
  metrics.stop();
  expect(text.match(/^voucherd_database_up.*$/gm)).toEqual(['voucherd_database_up 1']);
  expect(text).toContain('name="\\"} 1 voucherd_database_up 0 # x');
  expect(text.length).toBeLessThan(30_000);
  if (hasPromtool) expect(promtool(['check', 'metrics'], text)).toEqual({ status: 0, output: '' });
});
