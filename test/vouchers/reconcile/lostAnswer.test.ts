import { expect, test } from '@jest/globals';
import { withApi } from '../../support/api.js';
import { makeClock } from '../../support/clock.js';
import type { Answer } from '../../support/service.js';
import { controllerVouchers, failInserts, rowsOf } from '../../support/serviceInternals.js';
import { until } from '../../support/until.js';
import { atController } from '../consoleFixtures.js';

const clock = makeClock();
const api = withApi({
  perTest: 'service',
  system: clock,
  env: { CONTROLLER_DEADLINE_S: '600' },
  key: { name: 'Buchungssystem' },
});

const order = (siteId: number, headers = {}): Promise<Answer> =>
  api.createVoucher({ site_id: siteId }, { headers });
const listed = async (siteId: number) => {
  const { body } = await api.listVouchers(siteId);
  return (body as { vouchers: { voucher_code: string }[] }).vouchers.map(({ voucher_code }) => voucher_code);
};
const made = async (siteId: number) => (await controllerVouchers(api, siteId)).map(({ code }) => code);

test('a voucher whose answer was lost is in the list after it was reconciled, and announced once', async () => {
  const siteId = await api.addSite({ fault: 'disconnect' });
  expect((await order(siteId)).status).toBe(500);
  expect(await listed(siteId)).toEqual([]);
  clock.advance(600_001);
  expect(await api.app.reconcile()).toBe(0);
  expect(await listed(siteId)).toEqual(await made(siteId));
  expect(await api.app.reconcile()).toBe(0);
  expect(await rowsOf(api, 'notifications')).toMatchObject([
    { count: 1, site: 'Hauptgebäude', source: 'API: Buchungssystem' },
  ]);
});

test('a later request with the same Idempotency-Key gets the recorded voucher', async () => {
  const siteId = await api.addSite({ fault: 'disconnect' });
  const headers = { 'Idempotency-Key': 'bestellung-4711' };
  expect((await order(siteId, headers)).status).toBe(500);
  expect((await order(siteId, headers)).status).toBe(409);
  clock.advance(600_001);
  await api.app.reconcile();
  const answer = await order(siteId, headers);
  const [code] = await made(siteId);
  expect(answer.status).toBe(201);
  expect(answer.headers['idempotency-replayed']).toBe('true');
  expect(answer.body).toEqual({
    success: true,
    code,
    formatted_code: `${String(code).slice(0, 5)}-${String(code).slice(5)}`,
    site: 'Hauptgebäude',
    max_uses: 1,
    expire_minutes: 480,
  });
  expect(await made(siteId)).toHaveLength(1);
});

test('when no voucher is found after the grace period, the idempotency key is free again', async () => {
  const siteId = await api.addSite({ fault: 'disconnect' });
  const headers = { 'Idempotency-Key': 'bestellung-4712' };
  expect((await order(siteId, headers)).status).toBe(500);
  await atController(api, siteId, (vouchers) => vouchers().delete());
  clock.advance(600_001);
  expect(await api.app.reconcile()).toBe(1);
  clock.advance(60_000);
  expect(await api.app.reconcile()).toBe(0);
  const other = await api.addSite({ name: 'Nebengebäude' });
  expect((await order(other, headers)).status).toBe(201);
});

test('a voucher that could not be recorded is recorded by the reconciler', async () => {
  const siteId = await api.addSite();
  const repair = await failInserts(api, 'notifications', 'Platte voll');
  expect((await order(siteId)).status).toBe(500);
  await repair();
  clock.advance(600_001);
  expect(await api.app.reconcile()).toBe(0);
  expect(await listed(siteId)).toEqual(await made(siteId));
  expect(await rowsOf(api, 'notifications')).toHaveLength(1);
});

test('what a stopped process left open is settled at the next start', async () => {
  const siteId = await api.addSite({ fault: 'disconnect' });
  expect((await order(siteId)).status).toBe(500);
  clock.advance(600_001);
  await api.restart();
  await until('no intent is left', async () => (await api.tables.intents.all()).length === 0);
  expect(await listed(siteId)).toEqual(await made(siteId));
  expect(await rowsOf(api, 'notifications')).toHaveLength(1);
});
