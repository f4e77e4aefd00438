import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { behaviours, startWebhookTarget, type WebhookTarget } from '../../simulators/webhookTarget.js';
import { withApi } from '../support/api.js';
import { run } from '../support/cli.js';
import { until } from '../support/until.js';

const allowed = { WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' };
const api = withApi({
  env: allowed,
  key: { name: 'Buchungssystem' },
  site: { name: 'Gästehaus' },
  // What still hangs ends with its target.
  beforeStop: () => target.stop(),
});
let target: WebhookTarget;
let secret: string;

beforeAll(async () => {
  target = await startWebhookTarget();
  const added = await run(
    ['webhook', 'add', '--name', 'Büro', '--format', 'generic', '--url-env', 'TARGET'],
    {
      DATA_DIR: api.dataDir,
      TARGET: `${target.url}/hook`,
      ...allowed,
    },
  );
  expect(added).toMatchObject({ status: 0, err: '' });
  secret = added.out.trim();
});
afterEach(() => {
  target.requests.length = 0;
});

const dispatched = () =>
  until('the outbox is empty', async () => {
    const waiting = await api.database.read('notifications').whereNull('dispatched_at');
    const sending = await api.tables.deliveries.newest({ state: 'waiting' }, 1);
    return waiting.length === 0 && sending.length === 0;
  });

test('a POST is answered with 201, and the target gets count, site and source, signed, and no code [notification-generic notification-of-api-order notification-without-code]', async () => {
  const { status, body } = await api.createVoucher();
  expect(status).toBe(201);
  const request = await until('the notification arrives', () => target.requests[0]);
  const headers = request.headers as Record<string, string>;
  expect(new Webhook(secret).verify(request.body, headers)).toEqual({
    type: 'voucher.created',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: { count: 1, site: 'Gästehaus', source: 'API: Buchungssystem' },
  });
  const { code, formatted_code } = body as { code: string; formatted_code: string };
  const told = JSON.stringify(request);
  for (const hidden of [code, formatted_code, 'Berger', api.key, secret]) expect(told).not.toContain(hidden);
});

test('each voucher is announced once', async () => {
  const answers = await Promise.all(Array.from({ length: 25 }, () => api.createVoucher()));
  expect(answers.every(({ status }) => status === 201)).toBe(true);
  await until('all arrive', () => target.requests.length === 25);
  await dispatched();
  expect(new Set(target.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(25);
  expect(target.requests).toHaveLength(25);
});

test('an order without a new voucher is not announced: 404, 500, 502 and a replay', async () => {
  const headers = { 'Idempotency-Key': 'einmal' };
  const [refusing, empty] = [
    await api.addSite({ fault: 'refuse' }),
    await api.addSite({ fault: 'no-voucher' }),
  ];
  const answers = [
    await api.createVoucher({}, { headers }),
    await api.createVoucher({ site_id: 999 }),
    await api.createVoucher({ site_id: refusing }),
    await api.createVoucher({ site_id: empty }),
    await api.createVoucher({}, { headers }),
    await api.get('/sites.php', { key: api.key }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 404, 500, 502, 201, 200]);
  expect(answers[4]?.headers['idempotency-replayed']).toBe('true');
  // What would be sent for one of these would be sent before this.
  expect((await api.createVoucher({ site_id: await api.addSite({ name: 'Zuletzt' }) })).status).toBe(201);
  await until('the last arrives', () => target.requests.some(({ body }) => body.includes('Zuletzt')));
  expect(target.requests).toHaveLength(2);
});

test('a 201 does not wait for the target [notification-never-delays]', async () => {
  target.behave(behaviours.hang);
  expect((await api.createVoucher()).status).toBe(201);
  await until('the target has it and says nothing', () => target.requests.length === 1);
  for (let count = 0; count < 5; count++) expect((await api.createVoucher()).status).toBe(201);
  expect(target.requests).toHaveLength(1);
  expect(await api.tables.deliveries.newest({ state: 'waiting' }, 10)).not.toEqual([]);
});
