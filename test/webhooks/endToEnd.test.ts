import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { behaviours, startWebhookTarget, type WebhookTarget } from '../../simulators/webhookTarget.js';
import { run } from '../support/cli.js';
import { startService, type Answer, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const allowed = { WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' };
let service: TestService;
let target: WebhookTarget;
let key: string;
let siteId: number;
let secret: string;

beforeAll(async () => {
  [service, target] = [await startService({ env: allowed }), await startWebhookTarget()];
  key = await service.addKey({ name: 'Buchungssystem' });
  siteId = await service.addSite({ name: 'Gästehaus' });
  const added = await run(
    ['webhook', 'add', '--name', 'Büro', '--format', 'generic', '--url-env', 'TARGET'],
    {
      DATA_DIR: service.dataDir,
      TARGET: `${target.url}/hook`,
      ...allowed,
    },
  );
  expect(added).toMatchObject({ status: 0, err: '' });
  secret = added.out.trim();
});
afterAll(async () => {
  await target.stop();
  await service.stop();
});
afterEach(() => {
  target.requests.length = 0;
});

const create = (options: { site?: number; headers?: Record<string, string> } = {}): Promise<Answer> => {
  const { site = siteId, headers = {} } = options;
  return service.post('/vouchers.php', { site_id: site, name: 'Familie Berger' }, { key, headers });
};
const dispatched = () =>
  until('the outbox is empty', async () => {
    const waiting = await service.service.database.read('notifications').whereNull('dispatched_at');
    const sending = await service.service.tables.deliveries.newest({ state: 'waiting' }, 1);
    return waiting.length === 0 && sending.length === 0;
  });

test('a POST is answered with 201, and the target gets count, site and source, signed, and no code', async () => {
  const { status, body } = await create();
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
  for (const hidden of [code, formatted_code, 'Berger', key, secret]) expect(told).not.toContain(hidden);
});

test('each voucher is announced once', async () => {
  const answers = await Promise.all(Array.from({ length: 25 }, () => create()));
  expect(answers.every(({ status }) => status === 201)).toBe(true);
  await until('all arrive', () => target.requests.length === 25);
  await dispatched();
  expect(new Set(target.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(25);
  expect(target.requests).toHaveLength(25);
});

test('an order without a new voucher is not announced: 404, 500, 502 and a replay', async () => {
  const headers = { 'Idempotency-Key': 'einmal' };
  const [refusing, empty] = [
    await service.addSite({ fault: 'refuse' }),
    await service.addSite({ fault: 'no-voucher' }),
  ];
  const answers = [
    await create({ headers }),
    await create({ site: 999 }),
    await create({ site: refusing }),
    await create({ site: empty }),
    await create({ headers }),
    await service.get('/sites.php', { key }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 404, 500, 502, 201, 200]);
  expect(answers[4]?.headers['idempotency-replayed']).toBe('true');
  // What would be sent for one of these would be sent before this.
  expect((await create({ site: await service.addSite({ name: 'Zuletzt' }) })).status).toBe(201);
  await until('the last arrives', () => target.requests.some(({ body }) => body.includes('Zuletzt')));
  expect(target.requests).toHaveLength(2);
});

test('a 201 does not wait for the target', async () => {
  target.behave(behaviours.hang);
  expect((await create()).status).toBe(201);
  await until('the target has it and says nothing', () => target.requests.length === 1);
  for (let count = 0; count < 5; count++) expect((await create()).status).toBe(201);
  expect(target.requests).toHaveLength(1);
  expect(await service.service.tables.deliveries.newest({ state: 'waiting' }, 10)).not.toEqual([]);
});
