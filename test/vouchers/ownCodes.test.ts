import { expect, test } from '@jest/globals';
import type { WebSchema } from '../../handlers/web/handler.js';
import { nodeSystem } from '../../src/lib/system.js';
import { withApi } from '../support/api.js';
import { makeClock } from '../support/clock.js';
import { run } from '../support/cli.js';
import { controllerVouchers, rowsOf } from '../support/serviceInternals.js';
import { atController } from './consoleFixtures.js';

const clock = makeClock();
/** Bytes to draw from next; then the real source. */
const nextBytes: number[] = [];
const api = withApi({
  perTest: 'service',
  admin: true,
  system: {
    ...clock,
    randomBytes: (size) =>
      nextBytes.length >= size && size === 10
        ? Buffer.from(nextBytes.splice(0, size))
        : nodeSystem.randomBytes(size),
  },
  env: { CONTROLLER_DEADLINE_S: '600' },
});
const ownCodes = { hasOwnCodes: true };
const made = async (siteId: number) =>
  (await controllerVouchers(api, siteId)).map(({ code }) => String(code));
const codeOf = ({ body }: { body: unknown }) => (body as { code: string }).code;

test('a lost answer is settled to one voucher, with the code that was drawn before', async () => {
  const siteId = await api.addSite({ fault: 'disconnect', knobs: ownCodes });
  const headers = { 'Idempotency-Key': 'bestellung-1' };
  const order = () => api.createVoucher({ site_id: siteId }, { headers });
  expect((await order()).status).toBe(500);
  const [code] = await made(siteId);
  // Sealed: who reads the database does not get it.
  const [intent] = await rowsOf(api, 'intents');
  expect(intent?.['sealed_codes']).toMatch(/^v2:/);
  expect(JSON.stringify(intent)).not.toContain(code);
  clock.advance(600_001);
  expect(await api.app.reconcile()).toBe(0);
  const answer = await order();
  expect([answer.status, codeOf(answer)]).toEqual([201, code]);
  expect(await made(siteId)).toEqual([code]);
  expect(await rowsOf(api, 'notifications')).toHaveLength(1);
});

test('orders with the same name and limits get their own vouchers', async () => {
  const siteId = await api.addSite({ fault: 'disconnect', knobs: ownCodes });
  const keys = ['a', 'b', 'c'].map((key) => ({ headers: { 'Idempotency-Key': key } }));
  for (const key of keys) expect((await api.createVoucher({ site_id: siteId }, key)).status).toBe(500);
  await atController(api, siteId, async (vouchers) => {
    const [lost] = (await vouchers().select('id').limit(1)) as { id: string }[];
    await vouchers().where('id', lost!.id).delete();
  });
  clock.advance(600_001);
  expect(await api.app.reconcile()).toBe(1);
  clock.advance(600_001);
  expect(await api.app.reconcile()).toBe(0);
  expect(await rowsOf(api, 'vouchers')).toHaveLength(2);
  const statuses: number[] = [];
  for (const key of keys) statuses.push((await api.createVoucher({ site_id: siteId }, key)).status);
  expect(statuses.sort()).toEqual([201, 201, 500]);
});

test('the codes of an open order survive a rotation of the secret key', async () => {
  const siteId = await api.addSite({ fault: 'disconnect', knobs: ownCodes });
  expect((await api.createVoucher({ site_id: siteId })).status).toBe(500);
  expect((await run(['secret', 'rotate'], { DATA_DIR: api.dataDir })).status).toBe(0);
  clock.advance(600_001);
  expect(await api.app.reconcile()).toBe(0);
  expect((await rowsOf(api, 'vouchers')).map(({ code }) => code)).toEqual(await made(siteId));
});

test('an order whose codes can not be opened stays open until they can be again', async () => {
  const siteId = await api.addSite({ fault: 'disconnect', knobs: ownCodes });
  expect((await api.createVoucher({ site_id: siteId })).status).toBe(500);
  const [intent] = await rowsOf(api, 'intents');
  const seal = (sealed: unknown) => api.database.write('intents').update({ sealed_codes: sealed });
  const sealed = String(intent?.['sealed_codes']);
  await seal(sealed.slice(0, -4) + (sealed.endsWith('AAAA') ? 'BBBB' : 'AAAA'));
  for (let times = 0; times < 3; times += 1) {
    clock.advance(600_001);
    expect(await api.app.reconcile()).toBe(1);
  }
  const secretsFinding = async () => {
    const { findings } = (await api.admin.get('/system')).body as WebSchema<'System'>;
    const finding = findings.find(({ check }) => check === 'secrets');
    return { ...finding, message: finding?.message.en.map(({ text }) => text).join('') };
  };
  expect(await secretsFinding()).toMatchObject({
    isOk: false,
    message: expect.stringContaining(`codes of the open order "${String(intent?.['name'])}"`),
    remedy: { en: expect.stringMatching(/start the service with the secret key/i) },
  });
  await seal(sealed);
  expect(await secretsFinding()).toMatchObject({ isOk: true });
  clock.advance(600_001);
  expect(await api.app.reconcile()).toBe(0);
  expect((await rowsOf(api, 'vouchers')).map(({ code }) => code)).toEqual(await made(siteId));
});

test('a code that is recorded already is not drawn again', async () => {
  const siteId = await api.addSite({ knobs: ownCodes });
  const first = codeOf(await api.createVoucher({ site_id: siteId }));
  // The first is for the id of the order.
  nextBytes.push(...Array.from(first + first, Number), ...Array<number>(10).fill(7));
  expect(codeOf(await api.createVoucher({ site_id: siteId }))).toBe('7777777777');
});

test('a code that somebody else has on the controller gives way to another', async () => {
  const siteId = await api.addSite({ knobs: ownCodes });
  await api.createVoucher({ site_id: siteId });
  await atController(api, siteId, (vouchers) => vouchers().update({ code: '3333333333', name: 'fremd' }));
  // The first is for the id of the order.
  nextBytes.push(...Array<number>(20).fill(3), ...Array<number>(10).fill(4));
  expect(codeOf(await api.createVoucher({ site_id: siteId }))).toBe('4444444444');
  expect(await made(siteId)).toEqual(expect.arrayContaining(['3333333333', '4444444444']));
});

test.each([
  ['uses', { max_uses: 2 }, 'max_uses'],
  ['rates', { max_uses: 0, qos: { down: 5000 } }, 'qos.down'],
  ['volume', { qos: { quota_mb: 100 } }, 'qos.quota_mb'],
])(
  'an order with a limit that the controller can not keep (%s) makes nothing, and the answer names it',
  async (lacks, fields, named) => {
    const siteId = await api.addSite({ knobs: { lacks: [lacks] } });
    const { status, body } = await api.createVoucher({ site_id: siteId, ...fields });
    expect(status).toBe(500);
    expect(body).toMatchObject({ error: 'server_error', message: expect.stringContaining(named) });
    expect(await rowsOf(api, 'intents')).toEqual([]);
    // It was never asked for anything.
    await expect(made(siteId)).rejects.toThrow('no such table');
  },
);

test('the desk refuses it before anything is stored', async () => {
  const siteId = await api.addSite({ knobs: { lacks: ['volume'] } });
  const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 100 };
  const order = { siteId, name: 'Zimmer 12', count: 1, profileId: null, limits };
  expect(await api.admin.put('/orders/00000000-0000-4000-8000-000000000001', order)).toMatchObject({
    status: 409,
    body: { message: 'volume-not-kept' },
  });
  expect(await rowsOf(api, 'orders')).toEqual([]);
});

test.each([
  ['of which the controller has all', undefined, 5, null],
  ['of which the controller refuses the last', 4, 4, 'only-some'],
])('an order that takes several calls, %s', async (_, capacity, count, reason) => {
  const siteId = await api.addSite({ knobs: { ...ownCodes, maxPerCall: 2, ...(capacity && { capacity }) } });
  const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
  const order = { siteId, name: 'Gruppe', count: 5, profileId: null, limits };
  const { body } = await api.admin.put('/orders/00000000-0000-4000-8000-000000000002', order);
  expect(body).toMatchObject({ state: 'made', made: count, reason: reason && expect.anything() });
  expect((await rowsOf(api, 'vouchers')).map(({ code }) => code).sort()).toEqual((await made(siteId)).sort());
  expect(await rowsOf(api, 'intents')).toEqual([]);
});

test('an order for which the rest of the codes can not be stored records what exists', async () => {
  const siteId = await api.addSite({ knobs: { ...ownCodes, maxPerCall: 2 } });
  await api.createVoucher({ site_id: siteId });
  await atController(api, siteId, (vouchers) => vouchers().update({ code: '3333333333', name: 'fremd' }));
  for (const digit of [1, 2, 3, 4, 5]) nextBytes.push(...Array<number>(10).fill(digit));
  await api.database.write.raw(
    `create trigger no_other_codes before update of sealed_codes on intents
      begin select raise(abort, 'no'); end`,
  );
  const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
  const order = { siteId, name: 'Gruppe', count: 5, profileId: null, limits };
  const { body } = await api.admin.put('/orders/00000000-0000-4000-8000-000000000003', order);
  expect(body).toMatchObject({ state: 'made', made: 2 });
  const recorded = (await rowsOf(api, 'vouchers')).map(({ code }) => code);
  expect(recorded).toEqual(expect.arrayContaining(['1111111111', '2222222222']));
  expect(await made(siteId)).toEqual(expect.arrayContaining(['1111111111', '2222222222']));
  expect(await rowsOf(api, 'intents')).toEqual([]);
});
