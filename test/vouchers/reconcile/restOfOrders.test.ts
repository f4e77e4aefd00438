import { describe, expect, test } from '@jest/globals';
import type { WebSchema } from '../../../handlers/web/handler.js';
import { raiseRevisions } from '../../../src/database/revisions.js';
import { inTransaction } from '../../../src/database/transactions.js';
import { withApi, type Api } from '../../support/api.js';
import { makeClock } from '../../support/clock.js';
import { controllerVouchers, removeControllerVouchers, rowsOf } from '../../support/serviceInternals.js';

const clock = makeClock();
const api = withApi({
  perTest: 'service',
  admin: true,
  site: false,
  system: clock,
  env: { CONTROLLER_DEADLINE_S: '600' },
});
const ownCodes = { hasOwnCodes: true };
const made = async (siteId: number) =>
  (await controllerVouchers(api, siteId)).map(({ code }) => String(code));

describe('an order of many', () => {
  const id = '00000000-0000-4000-8000-000000000003';
  const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
  const place = (service: Api, siteId: number, count: number) =>
    service.admin.put(`/orders/${id}`, { siteId, name: 'Gruppe', count, profileId: null, limits });
  const shown = async (service: Api) => (await service.admin.get(`/orders/${id}`)).body;
  const changeSettings = (service: Api, settings: object) =>
    inTransaction(service.database.write, async (transaction) => {
      await transaction('controllers').update({ settings: JSON.stringify(settings) });
      await raiseRevisions(transaction, ['sites']);
    });
  const expectAll = async (service: Api, siteId: number, count: number) => {
    expect(await shown(service)).toMatchObject({ state: 'made', made: count, reason: null });
    const codes = (await rowsOf(service, 'vouchers')).map(({ code }) => code);
    expect(codes).toHaveLength(count);
    expect(codes.sort()).toEqual((await controllerVouchers(service, siteId)).map(({ code }) => code).sort());
    expect(await rowsOf(service, 'notifications')).toHaveLength(1);
    expect(await rowsOf(service, 'intents')).toEqual([]);
  };

  test('of which a part was lost is finished by the reconciler, with the codes that were drawn', async () => {
    const knobs = { ...ownCodes, maxPerCall: 2 };
    const siteId = await api.addSite({ fault: 'disconnect', knobs });
    expect((await place(api, siteId, 5)).body).toMatchObject({ state: 'open', made: 0 });
    const first = await made(siteId);
    expect(first).toHaveLength(2);
    clock.advance(600_001);
    // For as long as calls fail, it stays open, and the desk shows how far it is.
    expect(await api.app.reconcile()).toBe(1);
    expect(await shown(api)).toMatchObject({ state: 'open', made: 2 });
    await changeSettings(api, knobs);
    expect(await api.app.reconcile()).toBe(0);
    expect(await made(siteId)).toEqual(expect.arrayContaining(first));
    await expectAll(api, siteId, 5);
  });

  test('of an hour ago ends with what there is of it', async () => {
    const siteId = await api.addSite({ fault: 'disconnect', knobs: { ...ownCodes, maxPerCall: 2 } });
    await place(api, siteId, 5);
    clock.advance(3_600_000);
    expect(await api.app.reconcile()).toBe(1);
    clock.advance(600_001);
    expect(await api.app.reconcile()).toBe(0);
    expect(await shown(api)).toMatchObject({ state: 'made', made: 2, reason: expect.anything() });
    expect(await made(siteId)).toHaveLength(2);
  });

  test('that was refused before its controller was asked is not made', async () => {
    const siteId = await api.addSite({ fault: 'disconnect', knobs: { ...ownCodes, maxPerCall: 2 } });
    await place(api, siteId, 5);
    // As a database leaves it that was away when the order should have been removed.
    await api.database.write('intents').update({ ended_at: null });
    await removeControllerVouchers(api, siteId);
    clock.advance(600_001);
    expect(await api.app.reconcile()).toBe(1);
    clock.advance(600_001);
    expect(await api.app.reconcile()).toBe(0);
    expect(await made(siteId)).toEqual([]);
    expect(await rowsOf(api, 'vouchers')).toEqual([]);
  });

  test('is refused where it is larger than the controller takes, and the desk offers no more', async () => {
    const siteId = await api.addSite({ knobs: { maxPerOrder: 3 } });
    expect(await place(api, siteId, 4)).toMatchObject({
      status: 409,
      body: { message: 'count-limit' },
    });
    const { sites } = (await api.admin.get('/desk')).body as WebSchema<'Desk'>;
    expect(sites.find((site) => site.id === siteId)?.allowance).toMatchObject({ maxCount: 3 });
    expect((await place(api, siteId, 3)).body).toMatchObject({ state: 'made', made: 3 });
  });

  describe('that takes longer than its deadline', () => {
    const hasty = withApi({
      admin: true,
      system: { now: clock.now },
      site: false,
      env: { CONTROLLER_DEADLINE_S: '2' },
    });

    test('goes on after it', async () => {
      const knobs = { ...ownCodes, maxPerCall: 1 };
      const siteId = await hasty.addSite({ latencyMs: 500, knobs });
      const { body } = await place(hasty, siteId, 12);
      const { made: soFar } = body as { made: number };
      expect(body).toMatchObject({ state: 'open' });
      expect(soFar).toBeGreaterThan(0);
      expect(soFar).toBeLessThan(12);
      await changeSettings(hasty, knobs);
      clock.advance(3000);
      expect(await hasty.app.reconcile()).toBe(0);
      await expectAll(hasty, siteId, 12);
    });
  });
});
