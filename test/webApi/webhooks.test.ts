import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  behaviours,
  respondWith,
  startWebhookTarget,
  type WebhookTarget,
} from '../../simulators/webhookTarget.js';
import { withAdmin } from '../support/api.js';
import { plantSecrets, randomSecret } from '../support/secretLeaks.js';
import type { Answer } from '../support/service.js';
import { until } from '../support/until.js';
import { type Browser } from '../support/web.js';
import { answered } from '../support/deliveryReasons.js';

const token = randomSecret();
plantSecrets([token]);
const api = withAdmin({ env: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' }, perTest: 'service' });
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
  (await api.tables.auditLog.newest({ subjectKind: 'webhook' }, undefined, 20)).map(
    ({ action, actorName, subjectName, detail }) => [action, actorName, subjectName, detail],
  );

test('a webhook is added, and its address is shown masked', async () => {
  const added = await add(api.admin, { language: 'en' });
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
  expect(await api.admin.get('/webhooks')).toMatchObject({ status: 200, body: { webhooks: [webhook] } });
  expect(await entries()).toEqual([
    ['webhook.add', 'Anna Berger', 'Empfang', { format: 'slack', language: 'en', host }],
  ]);
});

test('the secret that signs is in one answer, and signs the messages', async () => {
  const added = await add(api.admin, { format: 'generic' });
  const { secret } = added.body as { secret: string };
  expect(secret).toMatch(/^whsec_/);
  expect((await api.admin.get('/webhooks')).text).not.toContain(secret);
  const sent = await api.admin.post(`${pathOf(idOf(added))}/test`);
  expect(sent).toMatchObject({ status: 200, body: { isDelivered: true, status: 200, reason: null } });
  const { body, headers } = target.requests.at(-1)!;
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    data: { site: 'Test', source: 'Anna Berger' },
  });
});

test('a webhook that is not valid is refused, and nothing is stored', async () => {
  const cases: [string, object, number, string][] = [
    ['an address that is none', { address: 'hooks.example.org' }, 400, 'url-invalid'],
    ['another protocol', { address: 'file:///etc/passwd' }, 400, 'url-invalid'],
    ['a private address', { address: 'http://10.0.0.1/hook' }, 400, 'address-private'],
    ['the address of cloud metadata', { address: 'http://169.254.169.254/latest' }, 400, 'address-private'],
    ['a password in its address', { address: 'https://u:p@example.org/' }, 400, 'url-invalid'],
    ['an unknown format', { format: 'fax' }, 400, 'format-invalid'],
    ['a control character in its name', { name: 'a\u0007b' }, 400, 'name-invalid'],
    ['64 KiB of address', { address: `https://example.org/${'x'.repeat(65_000)}` }, 413, 'too-large'],
  ];
  for (const [name, values, status, message] of cases) {
    const answer = await add(api.admin, values);
    expect({ name, ...answer }).toMatchObject({ name, status, body: { message } });
    expect(await api.tables.webhooks.all()).toEqual([]);
    expect(await entries()).toEqual([]);
  }
});

test('a name is taken once', async () => {
  await add(api.admin);
  expect(await add(api.admin)).toMatchObject({ status: 409, body: { message: 'name-taken' } });
});

test('a webhook is switched off, on again, and removed', async () => {
  const path = pathOf(idOf(await add(api.admin)));
  await api.tables.webhooks.change(idOf(await add(api.admin, { name: 'Andere' })), {
    active: false,
    reason: answered(410),
  });
  expect(await api.admin.get('/webhooks')).toMatchObject({
    body: {
      webhooks: [
        { name: 'Andere', isActive: false, reason: { de: 'hat mit 410 geantwortet', en: 'answered 410' } },
        { name: 'Empfang' },
      ],
    },
  });
  expect(await api.admin.patch(path, { active: false })).toMatchObject({
    status: 200,
    body: { isActive: false },
  });
  expect(await api.admin.patch(path, { active: true })).toMatchObject({
    status: 200,
    body: { isActive: true },
  });
  expect((await api.admin.delete(path)).status).toBe(204);
  expect((await api.admin.delete(path)).status).toBe(404);
  expect((await entries()).map(([action, , , detail]) => [action, detail]).slice(0, 3)).toEqual([
    ['webhook.remove', {}],
    ['webhook.change', { active: true }],
    ['webhook.change', { active: false }],
  ]);
});

test('a webhook is renamed, to a name that is free', async () => {
  const path = pathOf(idOf(await add(api.admin)));
  await add(api.admin, { name: 'Andere' });
  expect(await api.admin.patch(path, { name: ' Rezeption ' })).toMatchObject({
    status: 200,
    body: { name: 'Rezeption', isActive: true },
  });
  expect((await entries())[0]).toEqual([
    'webhook.change',
    'Anna Berger',
    'Empfang',
    { from: 'Empfang', to: 'Rezeption' },
  ]);
  const count = (await entries()).length;
  // Nothing of it is done when its name is taken.
  expect(await api.admin.patch(path, { name: 'Andere', active: false })).toMatchObject({
    status: 409,
    body: { message: 'name-taken' },
  });
  expect(await api.admin.patch(path, { name: 'a\u0007b' })).toMatchObject({ status: 400 });
  expect(await api.admin.patch(path, { name: 'Rezeption' })).toMatchObject({ status: 200 });
  expect(await api.admin.get('/webhooks')).toMatchObject({
    body: { webhooks: [{ name: 'Andere' }, { name: 'Rezeption', isActive: true }] },
  });
  expect(await entries()).toHaveLength(count);
});

test('its secret is replaced; for the chosen time the old one signs, too', async () => {
  const added = await add(api.admin, { format: 'generic' });
  const path = pathOf(idOf(added));
  const verify = async (secret: string) => {
    await api.admin.post(`${path}/test`);
    const { body, headers } = target.requests.at(-1)!;
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  };
  const rotate = async (overlapHours: number) => {
    const answer = await api.admin.post(`${path}/secret`, { overlapHours });
    expect(answer.status).toBe(200);
    return answer.body as { secret: string; oldUntil: string };
  };
  const { secret: first } = added.body as { secret: string };
  const { secret: second, oldUntil } = await rotate(24);
  expect(Date.parse(oldUntil)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  for (const secret of [first, second])
    expect(await verify(secret)).toMatchObject({ data: { site: 'Test' } });
  const { secret: third } = await rotate(0);
  expect(await verify(third)).toMatchObject({ data: { site: 'Test' } });
  await expect(verify(second)).rejects.toThrow('No matching signature');
  expect((await entries())[0]).toEqual(['webhook.change', 'Anna Berger', 'Empfang', { secret: true }]);

  const chat = pathOf(idOf(await add(api.admin, { name: 'Chat' })));
  expect(await api.admin.post(`${chat}/secret`, {})).toMatchObject({
    status: 409,
    body: { message: 'secret-not-needed' },
  });
  expect(await api.admin.post(`${path}/secret`, { overlapHours: -1 })).toMatchObject({
    status: 400,
    body: { message: 'overlap-invalid' },
  });
});

test('of secrets that are replaced at the same moment each one signs', async () => {
  const path = pathOf(idOf(await add(api.admin, { format: 'generic' })));
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => api.admin.post(`${path}/secret`, { overlapHours: 24 })),
  );
  await api.admin.post(`${path}/test`);
  const { body, headers } = target.requests.at(-1)!;
  for (const answer of answers) {
    const { secret } = answer.body as { secret: string };
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toBeDefined();
  }
});

test('a test tells what came back, without the address that error pages repeat', async () => {
  const path = pathOf(idOf(await add(api.admin)));
  target.behave(respondWith(404, `no route /services/${token}`));
  expect(await api.admin.post(`${path}/test`)).toMatchObject({
    status: 200,
    body: { isDelivered: false, status: 404, reason: { de: 'hat mit 404 geantwortet', en: 'answered 404' } },
  });
  await target.stop();
  try {
    expect(await api.admin.post(`${path}/test`)).toMatchObject({
      body: {
        isDelivered: false,
        status: null,
        reason: { de: 'Verbindung abgelehnt', en: 'connection refused' },
      },
    });
  } finally {
    target = await startWebhookTarget();
  }
});

test('deliveries are listed with their answers, and sent again', async () => {
  const id = idOf(await add(api.admin));
  const siteId = await api.addSite({ name: '=1+1' });
  const key = await api.addKey({ name: 'Buchung' });
  target.behave(respondWith(404, 'no_service'));
  await api.post('/vouchers.php', { site_id: siteId, name: 'Gast' }, { key });
  const list = async () => {
    const { body } = await api.admin.get(`${pathOf(id)}/deliveries`);
    return (body as { deliveries: { id: number; state: string; tries: number }[] }).deliveries;
  };
  const failed = await until('a failed delivery', async () =>
    (await list()).find(({ state }) => state === 'failed'),
  );
  expect(failed).toMatchObject({
    tries: 1,
    reason: { de: 'hat mit 404 geantwortet (no_service)', en: 'answered 404 (no_service)' },
    site: '=1+1',
    source: 'API: Buchung',
    count: 1,
  });
  expect(await api.admin.get('/webhooks')).toMatchObject({ body: { webhooks: [{ failed: 1, waiting: 0 }] } });
  target.behave(behaviours.ok);
  expect((await api.admin.post(`/deliveries/${String(failed.id)}/resend`)).status).toBe(204);
  await until('a delivery', async () => (await list()).some(({ state }) => state === 'delivered'));
  expect((await entries())[0]).toEqual(['webhook.resend', 'Anna Berger', 'Empfang', { delivery: failed.id }]);
});

test('a webhook whose deliveries failed twice says so, with the reason and the next attempt', async () => {
  const id = idOf(await add(api.admin));
  const { tables, database, now } = api.app;
  const at = now();
  await database
    .write('notifications')
    .insert({ id: 'n1', count: 1, site: 'Nord', source: 'API: x', created_at: at, dispatched_at: at });
  const [row] = await database
    .write('outbox')
    .insert({
      kind: 'webhook',
      ...{ webhook_id: id, notification_id: 'n1', state: 'waiting', tries: 0 },
      ...{ at: at + 3_600_000, holds: true, created_at: at },
    })
    .returning<{ id: number }[]>('id');
  const next = at + 7_200_000;
  const fail = () => tables.outbox.postpone(row?.id ?? 0, { reason: answered(503), at: next, holds: true });
  const failing = async () =>
    ((await api.admin.get('/webhooks')).body as { webhooks: { failing: unknown }[] }).webhooks[0]?.failing;
  await fail();
  expect(await failing()).toBeNull();
  await fail();
  expect(await failing()).toEqual({
    reason: expect.objectContaining({ en: 'answered 503' }),
    tries: 2,
    since: new Date(at).toISOString(),
    nextAt: new Date(next).toISOString(),
    isHolding: true,
  });
  expect((await api.admin.get('/overview')).body).toMatchObject({
    attention: expect.arrayContaining([
      expect.objectContaining({
        ...{ kind: 'webhook-failing', subject: 'Empfang', at: new Date(at).toISOString() },
        reason: expect.objectContaining({ en: 'answered 503' }),
      }),
    ]),
  });
});
