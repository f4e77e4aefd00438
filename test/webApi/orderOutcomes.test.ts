import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { WebSchema } from '../../handlers/web/handler.js';
import { controllerOf, failInserts, rowsOf } from '../support/serviceInternals.js';
import { signInNew } from '../support/web.js';
import { atController } from '../vouchers/consoleFixtures.js';
import { codesOf, look, place, placed, withOrders } from './ordersFixture.js';

const orders = withOrders({ perTest: 'service' });
const { api, codesThere, settle, settleForGood } = orders;

test.each(['Kiosk: Foyer', 'API: Buchungssystem'])(
  'a user called %s is logged as a user of that name, by the reconciler too',
  async (name) => {
    const user = await signInNew(api, api.admin, { name, role: 'admin' });
    const siteId = await api.addSite();
    await placed(user, { siteId });
    const failing = await api.addSite({ name: 'Turm', fault: 'disconnect' });
    const order = await placed(user, { siteId: failing });
    expect(order.state).toBe('open');
    await settle();
    expect(await look(user, order.id)).toMatchObject({ state: 'made' });
    const { entries } = (await api.admin.get('/audit?area=voucher')).body as WebSchema<'AuditPage'>;
    expect(entries).toMatchObject([
      { actorKind: 'user', actorName: name },
      { actorKind: 'user', actorName: name },
    ]);
  },
);

describe('an order whose controller', () => {
  test('refuses has failed and says why, in both languages; repeating it asks nobody', async () => {
    const siteId = await api.addSite({ fault: 'refuse' });
    const order = await placed(api.admin, { siteId, count: 5 });
    expect(order).toMatchObject({
      ...{ state: 'failed', made: 0, vouchers: [] },
      reason: {
        de: 'Der Controller hat die Bestellung abgelehnt.',
        en: 'The controller has refused the order.',
      },
    });
    expect(await placed(api.admin, { siteId, count: 5 }, order.id)).toEqual(order);
    expect(await rowsOf(api, 'intents')).toEqual([]);
    expect(await rowsOf(api, 'notifications')).toEqual([]);
  });

  test('does not answer is open; all of its vouchers are recorded once they are found', async () => {
    const siteId = await api.addSite({ fault: 'disconnect' });
    const order = await placed(api.admin, { siteId, count: 30 });
    expect(order).toMatchObject({
      state: 'open',
      made: 0,
      reason: { de: expect.stringMatching(/brach ab/) },
    });
    expect(await settle()).toBe(0);
    const found = await look(api.admin, order.id);
    expect(found).toMatchObject({ state: 'made', made: 30, reason: null });
    expect(codesOf(found)).toEqual(await codesThere(siteId));
    expect(await rowsOf(api, 'notifications')).toMatchObject([{ count: 30, source: 'Anna Berger' }]);
  });

  test('does not answer and made nothing has failed after the grace period', async () => {
    const siteId = await api.addSite({ fault: 'no-voucher' });
    const order = await placed(api.admin, { siteId, count: 30 });
    expect(order).toMatchObject({ state: 'open', reason: { en: expect.stringContaining('0 of 30') } });
    await settle();
    expect(await look(api.admin, order.id)).toMatchObject({ state: 'open' });
    expect(await settleForGood()).toBe(0);
    expect(await look(api.admin, order.id)).toMatchObject({
      ...{ state: 'failed', made: 0, vouchers: [] },
      reason: {
        de: 'Der Controller hat nicht rechtzeitig geantwortet und nichts erstellt.',
        en: 'The controller did not answer in time and has created nothing.',
      },
    });
    expect(await rowsOf(api, 'notifications')).toEqual([]);
  });

  test('shows no codes: what it made is recorded, not revoked', async () => {
    const siteId = await api.addSite({ fault: 'no-code' });
    const order = await placed(api.admin, { siteId, count: 3 });
    expect(order.state).toBe('open');
    expect(await settle()).toBe(0);
    expect(codesOf(await look(api.admin, order.id))).toEqual(await codesThere(siteId));
  });

  test.each([
    ['as many as ordered', 0, 'made', 5],
    ['fewer', 2, 'made', 3],
    ['more, so that some are not of this order', -1, 'failed', 0],
  ])('altered their names and shows %s', async (_, missing, state, count) => {
    const siteId = await api.addSite({ fault: 'disconnect' });
    const order = await placed(api.admin, { siteId, count: 5, name: 'Zimmer  12' });
    await atController(api, siteId, async (vouchers) => {
      await vouchers().update({ name: '2026-11-14_Zimmer 12' });
      const rows = await vouchers().select<{ id: string }[]>();
      if (missing > 0)
        await vouchers()
          .whereIn(
            'id',
            rows.slice(0, missing).map(({ id }) => id),
          )
          .delete();
      if (missing < 0) await vouchers().insert({ ...rows[0], id: 'other', code: '0123456789' });
    });
    expect(await settleForGood()).toBe(0);
    const settled = await look(api.admin, order.id);
    expect(settled).toMatchObject({ state, made: count });
    expect(codesOf(settled)).toEqual(count > 0 ? await codesThere(siteId) : []);
  });

  test('is removed although it is not known what it made: the order has failed', async () => {
    const siteId = await api.addSite({ fault: 'disconnect' });
    const order = await placed(api.admin, { siteId, count: 5 });
    const { controllers, sites } = api.tables;
    await sites.change(siteId, { active: false });
    const controllerId = await controllerOf(api, siteId);
    const removal = await controllers.remove(controllerId, orders.clock.now(), { giveUp: true });
    expect(removal).toMatchObject({ givenUp: 1 });
    expect(await look(api.admin, order.id)).toMatchObject({
      state: 'failed',
      made: 0,
      reason: { en: 'The controller was removed before it could be checked what it has created.' },
    });
  });

  test('made vouchers that can not be recorded just now: they are recorded later', async () => {
    const siteId = await api.addSite();
    const mend = await failInserts(api, 'vouchers', 'disk full');
    const id = randomUUID();
    expect((await place(api.admin, id, { siteId, count: 4 })).status).toBe(500);
    expect(await look(api.admin, id)).toMatchObject({ state: 'open', made: 0 });
    await mend();
    expect(await settle()).toBe(0);
    expect(codesOf(await look(api.admin, id))).toEqual(await codesThere(siteId));
    expect(await codesThere(siteId)).toHaveLength(4);
  });
});
