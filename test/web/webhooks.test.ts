import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  behaviours,
  respondWith,
  startWebhookTarget,
  type WebhookTarget,
} from '../../simulators/webhookTarget.js';
import { plantSecrets, randomSecret } from '../support/secretLeaks.js';
import { withServicePerTest, type Answer } from '../support/service.js';
import { until } from '../support/until.js';
import { signInFirst, signInNew, type Browser } from '../support/web.js';

const token = randomSecret();
plantSecrets([token]);
const service = withServicePerTest({ env: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } });
let target: WebhookTarget;
beforeAll(async () => {
  target = await startWebhookTarget();
});
afterAll(() => target.stop());
beforeEach(() => target.behave([]));

const addressOf = (): string => `${target.url}/services/${token}`;
const idOf = ({ body }: Answer): number => (body as { webhook: { id: number } }).webhook.id;
const pathOf = (id: number): string => `/webhooks/${String(id)}`;
const add = (admin: Browser, values: object = {}): Promise<Answer> =>
  admin.post('/webhooks', { name: 'Empfang', format: 'slack', address: addressOf(), ...values });
const entries = async () =>
  (await service.service.storage.auditLog.newest({ subjectKind: 'webhook' }, undefined, 20)).map(
    ({ action, actorName, subjectName, detail }) => [action, actorName, subjectName, detail],
  );

test('a webhook is added, and its address is shown masked', async () => {
  const admin = await signInFirst(service);
  const added = await add(admin, { language: 'en' });
  const { host } = new URL(target.url);
  const webhook = {
    name: 'Empfang',
    format: 'slack',
    language: 'en',
    address: `http://${host}/…${token.slice(-4)}`,
    isActive: true,
    reason: null,
    waiting: 0,
    failed: 0,
  };
  expect(added).toMatchObject({ status: 201, body: { secret: null, webhook } });
  expect(await admin.get('/webhooks')).toMatchObject({ status: 200, body: { webhooks: [webhook] } });
  expect(await entries()).toEqual([
    ['webhook.add', 'Anna Berger', 'Empfang', { format: 'slack', language: 'en', host }],
  ]);
});

test('the secret that signs is in one answer, and signs the messages', async () => {
  const admin = await signInFirst(service);
  const added = await add(admin, { format: 'generic' });
  const { secret } = added.body as { secret: string };
  expect(secret).toMatch(/^whsec_/);
  expect((await admin.get('/webhooks')).text).not.toContain(secret);
  const sent = await admin.post(`${pathOf(idOf(added))}/test`);
  expect(sent).toMatchObject({ status: 200, body: { isDelivered: true, status: 200, says: null } });
  const { body, headers } = target.requests.at(-1)!;
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    data: { site: 'Test', source: 'Anna Berger' },
  });
});

test.each<[string, object, number, string]>([
  ['an address that is none', { address: 'hooks.example.org' }, 400, 'url-invalid'],
  ['another protocol', { address: 'file:///etc/passwd' }, 400, 'url-invalid'],
  ['a private address', { address: 'http://10.0.0.1/hook' }, 400, 'address-private'],
  ['the address of cloud metadata', { address: 'http://169.254.169.254/latest' }, 400, 'address-private'],
  ['a password in its address', { address: 'https://u:p@example.org/' }, 400, 'url-invalid'],
  ['an unknown format', { format: 'fax' }, 400, 'format-invalid'],
  ['a control character in its name', { name: 'a\u0007b' }, 400, 'name-invalid'],
  ['64 KiB of address', { address: `https://example.org/${'x'.repeat(65_000)}` }, 413, 'too-large'],
])('a webhook with %s is refused, and nothing is stored', async (_, values, status, message) => {
  const admin = await signInFirst(service);
  expect(await add(admin, values)).toMatchObject({ status, body: { message } });
  expect(await service.service.storage.webhooks.all()).toEqual([]);
  expect(await entries()).toEqual([]);
});

test('a name is taken once', async () => {
  const admin = await signInFirst(service);
  await add(admin);
  expect(await add(admin)).toMatchObject({ status: 409, body: { message: 'name-taken' } });
});

test('a webhook is switched off, on again, and removed', async () => {
  const admin = await signInFirst(service);
  const path = pathOf(idOf(await add(admin)));
  await service.service.storage.webhooks.setActive(
    idOf(await add(admin, { name: 'Andere' })),
    false,
    'answered 410',
  );
  expect(await admin.get('/webhooks')).toMatchObject({
    body: { webhooks: [{ name: 'Andere', isActive: false, reason: 'answered 410' }, { name: 'Empfang' }] },
  });
  expect(await admin.patch(path, { active: false })).toMatchObject({
    status: 200,
    body: { isActive: false },
  });
  expect(await admin.patch(path, { active: true })).toMatchObject({ status: 200, body: { isActive: true } });
  expect((await admin.delete(path)).status).toBe(204);
  expect((await admin.delete(path)).status).toBe(404);
  expect((await entries()).map(([action, , , detail]) => [action, detail]).slice(0, 3)).toEqual([
    ['webhook.remove', {}],
    ['webhook.change', { active: true }],
    ['webhook.change', { active: false }],
  ]);
});

test('a test tells what came back, without the address that error pages repeat', async () => {
  const admin = await signInFirst(service);
  const path = pathOf(idOf(await add(admin)));
  target.behave(respondWith(404, `no route /services/${token}`));
  expect(await admin.post(`${path}/test`)).toMatchObject({
    status: 200,
    body: { isDelivered: false, status: 404, says: 'answered 404' },
  });
  await target.stop();
  try {
    expect(await admin.post(`${path}/test`)).toMatchObject({
      body: { isDelivered: false, status: null, says: 'connection refused' },
    });
  } finally {
    target = await startWebhookTarget();
  }
});

test('deliveries are listed with their answers, and sent again', async () => {
  const admin = await signInFirst(service);
  const id = idOf(await add(admin));
  const siteId = await service.addSite({ name: '=1+1' });
  const key = await service.addKey({ name: 'Buchung' });
  target.behave(respondWith(404, 'no_service'));
  await service.post('/vouchers.php', { site_id: siteId, name: 'Gast' }, { key });
  const list = async () => {
    const { body } = await admin.get(`${pathOf(id)}/deliveries`);
    return (body as { deliveries: { id: number; state: string; tries: number }[] }).deliveries;
  };
  const failed = await until('a failed delivery', async () =>
    (await list()).find(({ state }) => state === 'failed'),
  );
  expect(failed).toMatchObject({
    tries: 1,
    reason: 'answered 404 (no_service)',
    site: '=1+1',
    source: 'API: Buchung',
    count: 1,
  });
  expect(await admin.get('/webhooks')).toMatchObject({ body: { webhooks: [{ failed: 1, waiting: 0 }] } });
  target.behave(behaviours.ok);
  expect((await admin.post(`/deliveries/${String(failed.id)}/resend`)).status).toBe(204);
  await until('a delivery', async () => (await list()).some(({ state }) => state === 'delivered'));
  expect((await entries())[0]).toEqual(['webhook.resend', 'Anna Berger', 'Empfang', { delivery: failed.id }]);
});

test('what does not exist is not found, and staff may do nothing of it', async () => {
  const admin = await signInFirst(service);
  const id = idOf(await add(admin));
  const staff = await signInNew(service, admin, { name: 'Jonas', role: 'staff' });
  const requests = (browser: Browser, path: string, delivery: number): Promise<Answer>[] => [
    browser.patch(path, { active: false }),
    browser.delete(path),
    browser.post(`${path}/test`),
    browser.get(`${path}/deliveries`),
    browser.post(`/deliveries/${String(delivery)}/resend`),
  ];
  for (const answer of await Promise.all(requests(admin, pathOf(4711), 4711)))
    expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } });
  const refused = [...requests(staff, pathOf(id), 1), staff.get('/webhooks'), add(staff, { name: 'Neu' })];
  for (const answer of await Promise.all(refused))
    expect(answer).toMatchObject({ status: 403, body: { message: 'role-insufficient' } });
  expect(await service.service.storage.webhooks.all()).toMatchObject([{ active: true }]);
});
