import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import type { Answer } from '../support/service.js';
import { controllerVouchers, failInserts } from '../support/serviceInternals.js';
import { until } from '../support/until.js';

/** With a deadline that no machine is too slow for. */
const api = withApi({ env: { CONTROLLER_DEADLINE_S: '600' }, key: { name: 'Buchungssystem' } });

const order = (siteId: number): Promise<Answer> => api.createVoucher({ site_id: siteId });
const intents = async (siteId: number) =>
  (await api.tables.intents.all()).filter((intent) => intent.siteId === siteId);
const recorded = (siteId: number) => api.tables.vouchers.newest(siteId, 200);

describe.each([
  ['refuse', 500, 'Der Controller hat die Bestellung abgelehnt', []],
  ['no-voucher', 502, 'Der Controller hat keinen gültigen Voucher zurückgegeben', [true]],
  ['no-code', 502, 'Der Controller hat keinen gültigen Voucher zurückgegeben', [true]],
])('when the controller answers without a usable voucher (%s)', (fault, status, message, isVoid) => {
  let siteId: number;
  let answer: Answer;
  beforeAll(async () => {
    siteId = await api.addSite({ fault });
    answer = await order(siteId);
  });
  test(`the answer is ${status}`, () => {
    expect(answer).toMatchObject({ status, body: { message } });
  });
  test('the intent is removed, or stays so that what was made all the same is revoked', async () => {
    expect((await intents(siteId)).map(({ ended }) => ended?.isVoid)).toEqual(isVoid);
  });
  test('nothing is recorded', async () => {
    expect(await recorded(siteId)).toEqual([]);
  });
});

test('no connection to the controller: the intent is removed, 500', async () => {
  // Tied to a kind that this program does not have.
  const { controllers, sites } = api.tables;
  const controllerId = await controllers.add({ name: 'Toaster', kind: 'toaster', settings: {} }, 0);
  const siteId = await sites.add({ name: 'Küche', active: true, controllerId, controllerSite: null }, 0);
  expect(await order(siteId)).toMatchObject({ status: 500, body: { error: 'server_error' } });
  expect(await intents(siteId)).toEqual([]);
});

describe('when the controller does not answer within the deadline', () => {
  let siteId: number;
  let answer: Answer;
  beforeAll(async () => {
    // Long enough to write the order down on a busy machine.
    await api.restart({ env: { CONTROLLER_DEADLINE_S: '3' } });
    siteId = await api.addSite({ fault: 'lost-answer' });
    answer = await order(siteId);
  });
  afterAll(() => api.restart());
  test('the answer is 500 and says so', () => {
    expect(answer).toMatchObject({
      status: 500,
      body: { error: 'server_error', message: 'Der Controller hat nicht innerhalb von 3 s geantwortet' },
    });
  });
  test('the intent stays, for the reconciler to decide', async () => {
    expect(await intents(siteId)).toMatchObject([{ maxUses: 1, origin: 'api', actorName: 'Buchungssystem' }]);
    expect(await recorded(siteId)).toEqual([]);
  });

  test('the intent is written and committed before the controller is asked', async () => {
    siteId = await api.addSite({ latencyMs: 60_000 });
    const late = order(siteId);
    await until('the intent is written', async () => (await intents(siteId)).length === 1);
    expect((await late).status).toBe(500);
  });
});

describe('when the voucher can not be recorded', () => {
  let siteId: number;
  beforeEach(async () => {
    siteId = await api.addSite();
  });

  test.each(['vouchers', 'notifications', 'revisions'])(
    'an exception while writing the %s gives 500 with its text, nothing half-written, and the intent stays [notification-with-record service-creates-then-records createVoucher-500-record createVoucher-500-notification]',
    async (table) => {
      const before = await api.database.read('notifications').count();
      const repair = await failInserts(api, table, 'Platte voll');
      const answer = await order(siteId);
      await repair();
      expect(answer).toMatchObject({ status: 500, body: { error: 'server_error' } });
      expect((answer.body as { message: string }).message).toContain('Platte voll');
      expect(await recorded(siteId)).toEqual([]);
      expect(await api.database.read('notifications').count()).toEqual(before);
      expect(await intents(siteId)).toHaveLength(1);
      expect(await controllerVouchers(api, siteId)).toHaveLength(1);
    },
  );

  test('an intent that can not be written asks no controller', async () => {
    const repair = await failInserts(api, 'intents', 'Platte voll');
    const answer = await order(siteId);
    await repair();
    expect(answer).toMatchObject({ status: 500, body: { error: 'server_error' } });
    expect((await order(siteId)).status).toBe(201);
    expect(await controllerVouchers(api, siteId)).toHaveLength(1);
  });
});

test('a client that goes away does not lose the voucher that was made for it', async () => {
  const siteId = await api.addSite({ latencyMs: 200 });
  const req = request(`${api.url}/vouchers.php`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${api.key}` },
  });
  req.on('error', () => undefined);
  req.end(JSON.stringify({ site_id: siteId, name: 'Berger' }));
  await until(
    'the order is under way, or done already',
    async () => (await intents(siteId)).length + (await recorded(siteId)).length > 0,
  );
  req.destroy();
  await until('the voucher is recorded', async () => (await recorded(siteId)).length === 1);
  expect(await intents(siteId)).toEqual([]);
});

test('many orders at once are each made and recorded once', async () => {
  const siteId = await api.addSite();
  const answers = await Promise.all(Array.from({ length: 100 }, () => order(siteId)));
  const codes = answers.map(({ status, body }) => [status, (body as { code: string }).code]);
  expect(new Set(codes.map(([status]) => status))).toEqual(new Set([201]));
  const made = await controllerVouchers(api, siteId);
  expect(new Set(made.map(({ code }) => code))).toEqual(new Set(codes.map(([, code]) => code)));
  expect((await recorded(siteId)).map(({ code }) => code).sort()).toEqual(
    made.map(({ code }) => code).sort(),
  );
  expect(await intents(siteId)).toEqual([]);
});
