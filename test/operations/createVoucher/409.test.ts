import { expect, test } from '@jest/globals';
import { withApi } from '../../support/api.js';
import { refusal } from '../../support/refusal.js';
import type { Answer } from '../../support/service.js';
import { controllerVouchers, rowsOf } from '../../support/serviceInternals.js';
import { until } from '../../support/until.js';

const inProgress = refusal(
  409,
  'idempotency_in_progress',
  'Eine Anfrage mit diesem Idempotency-Key ist noch nicht abgeschlossen',
);
const api = withApi({ env: { CONTROLLER_DEADLINE_S: '5' } });

const create = (siteId: number, idempotencyKey: string): Promise<Answer> =>
  api.createVoucher({ site_id: siteId, name: 'x' }, { headers: { 'Idempotency-Key': idempotencyKey } });

test('while a request with the same Idempotency-Key is in progress, the answer is 409 with Retry-After [idempotency-in-progress]', async () => {
  const siteId = await api.addSite({ fault: 'lost-answer' });
  const first = create(siteId, 'at-once');
  await until('it is in progress', async () => (await rowsOf(api, 'intents')).length === 1);
  const second = await create(siteId, 'at-once');
  expect(second).toMatchObject(inProgress);
  expect((await first).status).toBe(500);
  expect(second.headers['retry-after']).toMatch(/^[1-9]\d*$/);
});

test('while the outcome of the first request is unknown, the answer is 409 and no second voucher is made [idempotency-unknown-outcome]', async () => {
  const siteId = await api.addSite({ fault: 'disconnect' });
  expect((await create(siteId, 'unknown')).status).toBe(500);
  const made = await controllerVouchers(api, siteId);
  expect(await create(siteId, 'unknown')).toMatchObject(inProgress);
  expect(await controllerVouchers(api, siteId)).toHaveLength(made.length);
});
