import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeCertificate } from '../../simulators/certificate.js';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { respondWith, startWebhookTarget, type WebhookTarget } from '../../simulators/webhookTarget.js';
import { makeSecrets, sealCredentials } from '../../src/secrets/encryption.js';
import { nodeSystem } from '../../src/lib/system.js';
import { sealWebhook } from '../../src/webhooks/webhooks.js';
import { withApi } from '../support/api.js';
import { root } from '../support/built.js';
import { expectAlert, findValue, hasPromtool, promtool, withoutPromtool } from '../support/prometheus.js';
import { until } from '../support/until.js';

// Breaks one thing after the other for real, and reads the metric of its alert. Where promtool is installed, our rules
// are run on what was read, so that rule and metric belong together.

if (!hasPromtool) console.warn(`${withoutPromtool}: the alerts are not run on the metrics`);

const dayMs = 86_400_000;
let ahead = 0;
const now = (): number => Date.now() + ahead;

const secretKey = randomBytes(32);
const secrets = makeSecrets(secretKey, nodeSystem);

let unifi: UnifiConsole;
let target: WebhookTarget;
const api = withApi({
  system: { now },
  env: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.1', SECRET_KEY: secretKey.toString('hex') },
});
beforeAll(async () => {
  const notAfterDate = new Date(Date.now() + 90 * dayMs);
  const certificate = await makeCertificate('unifi.local', { notAfterDate });
  [unifi, target] = await Promise.all([startUnifiConsole({ certificate }), startWebhookTarget()]);
});
afterAll(async () => {
  await unifi.stop();
  await target.stop();
});

const scrape = async (): Promise<string> => (await api.get('/metrics')).text;

/** Scrapes until a series has this value. */
const scrapeUntil = (
  name: string,
  labels: Record<string, string>,
  value: number | undefined,
): Promise<string> =>
  until(`${name} is ${String(value)}`, async () => {
    const text = await scrape();
    return findValue(text, name, labels) === value ? text : undefined;
  });

/** A site on the console, whose certificate is trusted because its issuer is. */
const addConsoleSite = async (name: string): Promise<{ siteId: number; controller: string }> => {
  const spec = { name, kind: 'unifi', settings: { url: unifi.url, ca: unifi.certificate } };
  const { controllers, sites } = api.tables;
  const credentials = { apiKey: unifi.apiKey };
  const id = await controllers.add(
    { ...spec, sealedCredentials: sealCredentials(secrets, spec, credentials) },
    now(),
  );
  const siteId = await sites.add({ name, active: true, controllerId: id, controllerSite: null }, now());
  return { siteId, controller: String(id) };
};

test('a console that is stopped: its controller is no longer up', async () => {
  const { siteId, controller } = await addConsoleSite('Zentrale "\\Nord"\n');
  expect((await api.createVoucher({ site_id: siteId })).status).toBe(201);
  const well = await scrapeUntil('voucherd_controller_up', { controller }, 1);
  expect(findValue(well, 'voucherd_controller_breaker_open', { controller })).toBe(0);
  expect(findValue(well, 'voucherd_controller_calls_total', { controller })).toBeGreaterThan(0);
  expect(well).toMatch(
    /^voucherd_controller_info\{controller="\d+",name="Zentrale \\"\\\\Nord\\"",kind="unifi"\} 1$/m,
  );
  await unifi.stop();
  for (let order = 0; order < 6; order += 1) await api.createVoucher({ site_id: siteId });
  const broken = await scrapeUntil('voucherd_controller_up', { controller }, 0);
  expect(findValue(broken, 'voucherd_controller_breaker_open', { controller })).toBe(1);
  expect(findValue(broken, 'voucherd_controller_call_failures_total', { controller })).toBeGreaterThan(0);
  await expectAlert('VoucherdControllerDown', well, broken, now());
});

test('a console whose certificate is about to expire', async () => {
  const notAfterDate = new Date(Date.now() + 5 * dayMs);
  const expiring = await makeCertificate('unifi.local', { notAfterDate });
  const name = 'voucherd_controller_certificate_expiry_timestamp_seconds';
  const seen = async (certificate: typeof expiring) => {
    unifi = await startUnifiConsole({ certificate });
    const { siteId, controller } = await addConsoleSite(`Zentrale ${unifi.url}`);
    expect((await api.createVoucher({ site_id: siteId })).status).toBe(201);
    const text = await scrapeUntil('voucherd_controller_up', { controller }, 1);
    return { text, value: findValue(text, name, { controller, pinned: 'false' }) };
  };
  const lasting = await makeCertificate('unifi.local', { notAfterDate: new Date(Date.now() + 90 * dayMs) });
  const well = await seen(lasting);
  await unifi.stop();
  const broken = await seen(expiring);
  expect(broken.value).toBe(Math.floor(notAfterDate.getTime() / 1000));
  await expectAlert('VoucherdControllerCertificateExpires', well.text, broken.text, now());
});

test('a webhook whose target answers 500', async () => {
  const { webhooks } = api.tables;
  const id = await webhooks.add(
    sealWebhook(
      {
        name: 'Buchung',
        format: 'mattermost',
        language: 'de',
        address: `${target.url}/hook`,
        secret: undefined,
      },
      secrets,
      now(),
    ),
  );
  const labels = { webhook: String(id) };
  await api.createVoucher();
  const delivered = { ...labels, outcome: 'delivered' };
  await scrapeUntil('voucherd_deliveries_total', delivered, 1);
  const well = await scrapeUntil('voucherd_webhook_deliveries_waiting', labels, 0);
  expect(findValue(well, 'voucherd_webhook_up', labels)).toBe(1);
  target.behave(Array.from({ length: 100 }, () => respondWith(500, 'broken')));
  await api.createVoucher();
  await scrapeUntil('voucherd_deliveries_total', { ...labels, outcome: 'postponed' }, 1);
  // The second attempt is due after five seconds, give or take a fifth.
  ahead += 10_000;
  const broken = await scrapeUntil('voucherd_webhook_up', labels, 0);
  expect(findValue(broken, 'voucherd_webhook_deliveries_waiting', labels)).toBe(1);
  expect(findValue(broken, 'voucherd_webhook_oldest_delivery_age_seconds', labels)).toBeGreaterThanOrEqual(
    10,
  );
  await expectAlert('VoucherdWebhookFailing', well, broken, now());
  await webhooks.remove(id);
  const without = await scrapeUntil('voucherd_webhook_up', labels, undefined);
  expect(findValue(without, 'voucherd_deliveries_total', labels)).toBeUndefined();
});

test('a table that can not be written: jobs that need it do not succeed', async () => {
  const failed = { task: 'delivery', outcome: 'failed' };
  const well = await scrape();
  await api.database.write.raw('alter table notifications rename to hidden');
  try {
    await until('the job fails', async () => {
      const count = findValue(await scrape(), 'voucherd_job_runs_total', failed) ?? 0;
      return count > (findValue(well, 'voucherd_job_runs_total', failed) ?? 0);
    });
    const broken = await scrapeUntil('voucherd_database_up', {}, 0);
    expect(findValue(broken, 'voucherd_job_interval_seconds', { task: 'delivery' })).toBe(1);
    await expectAlert('VoucherdDatabaseDown', well, broken, now());
  } finally {
    await api.database.write.raw('alter table hidden rename to notifications');
  }
  await scrapeUntil('voucherd_database_up', {}, 1);
});

(hasPromtool ? test : test.skip)('promtool finds no fault in the metrics after all that', async () => {
  expect(promtool(['check', 'metrics'], await scrape())).toEqual({ status: 0, output: '' });
});

test('every metric that the rules and the dashboard use is in these metrics', async () => {
  const text = await scrape();
  const files = ['deploy/prometheus/alerts.yaml', 'deploy/grafana/voucherd.json'];
  const used = files.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/\bvoucherd_\w+/g) ?? []);
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  expect(used.filter((name) => !known.has(name.replace(/_(bucket|count|sum)$/, '')))).toEqual([]);
});
