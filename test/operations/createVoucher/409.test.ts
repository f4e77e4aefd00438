import { beforeAll, expect, test } from '@jest/globals';
import { refusal } from '../../support/refusal.js';
import { withService, type Answer } from '../../support/service.js';
import { controllerVouchers } from '../../support/serviceInternals.js';

const inProgress = refusal(
  409,
  'idempotency_in_progress',
  'Eine Anfrage mit diesem Idempotency-Key ist noch nicht abgeschlossen',
);
const service = withService({ env: { CONTROLLER_DEADLINE_S: '1' } });
let key: string;
let siteId: number;

beforeAll(async () => {
  key = await service.addKey();
  siteId = await service.addSite({ fault: 'lost-answer' });
});

const create = (idempotencyKey: string): Promise<Answer> =>
  service.post(
    '/vouchers.php',
    { site_id: siteId, name: 'x' },
    { key, headers: { 'Idempotency-Key': idempotencyKey } },
  );

test('while a request with the same Idempotency-Key is in progress, the answer is 409 with Retry-After', async () => {
  const answers = await Promise.all([create('at-once'), create('at-once')]);
  const [first, second] = answers.sort((a, b) => b.status - a.status);
  expect(first.status).toBe(500);
  expect(second).toMatchObject(inProgress);
  expect(second.headers['retry-after']).toMatch(/^[1-9]\d*$/);
});

test('while the outcome of the first request is unknown, the answer is 409 and no second voucher is made', async () => {
  expect((await create('unknown')).status).toBe(500);
  const made = await controllerVouchers(service, siteId);
  expect(await create('unknown')).toMatchObject(inProgress);
  expect(await controllerVouchers(service, siteId)).toHaveLength(made.length);
});
