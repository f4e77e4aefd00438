import { describe, expect, test } from '@jest/globals';
import { makeSimulated } from '../../src/controllers/simulated/simulated.js';
import { openDatabase } from '../../src/database/database.js';
import { nodeSystem } from '../../src/lib/system.js';
import { withApi, type Api } from '../support/api.js';
import { makeClock } from '../support/clock.js';
import { makeFolder } from '../support/folder.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { whileInFlight } from '../support/slowOrder.js';
import { until } from '../support/until.js';

const clock = makeClock();
const api = withApi({ system: { now: clock.now } });

test('an order that could not be written down before its deadline does not ask the controller', async () => {
  const siteId = await api.addSite({ fault: 'refuse' });
  const slow = (_: unknown, { sql }: { sql: string }): void => {
    if (/^insert into .?intents/.test(sql)) clock.advance(600_001);
  };
  api.database.write.on('query-response', slow);
  const { status, body } = await api.createVoucher({ site_id: siteId, name: 'Berger' });
  api.database.write.off('query-response', slow);
  expect([status, body]).toMatchObject([503, { error: 'unavailable' }]);
  expect(await api.tables.intents.all()).toEqual([]);
});

describe('while another program locks the SQLite file', () => {
  const hasty = withApi({ env: { CONTROLLER_DEADLINE_S: '2' } });
  /** It has given up the lock, after ten seconds, long before its deadline. */
  const patient = withApi({ system: { now: clock.now }, env: { CONTROLLER_DEADLINE_S: '300' } });

  /** Locks the file while the work runs. */
  const locked = async <T>(service: Api, work: () => Promise<T>): Promise<T> => {
    const other = openDatabase(`sqlite:${service.dataDir}/voucherd.sqlite`);
    const transaction = await other.write.transaction();
    await transaction('revisions').insert({ name: 'lock', value: 1 });
    try {
      return await work();
    } finally {
      await transaction.rollback();
      await other.close();
    }
  };

  test('an order keeps its deadline: 503, and nothing is created', async () => {
    const answer = await locked(hasty, () => hasty.createVoucher({ name: 'Berger' }));
    expect(answer).toMatchObject({ status: 503, body: { error: 'unavailable' } });
    expect(answer.headers['retry-after']).toBe('1');
    await until('nothing is left of it', async () => (await hasty.tables.intents.all()).length === 0);
    // The controller has no file as long as it has not been asked.
    expect(await controllerVouchers(hasty, hasty.siteId).catch(() => [])).toEqual([]);
  });

  test('after the controller was asked it is 500, and the voucher is recorded once', () =>
    whileInFlight(async (latencyMs, followOrder) => {
      const siteId = await patient.addSite({ latencyMs });
      const isInFlight = followOrder();
      const ordering = patient.createVoucher({ site_id: siteId, name: 'Keller' });
      const isOfSite = (intent: { siteId: number }): boolean => intent.siteId === siteId;
      await until('it is begun', async () => (await patient.tables.intents.all()).some(isOfSite));
      const [wasInFlight, answer] = await locked(
        patient,
        async () => [isInFlight(), await ordering] as const,
      );
      if (!wasInFlight) return false;
      const message = 'Der Voucher konnte nicht rechtzeitig gespeichert werden';
      expect(answer).toMatchObject({ status: 500, body: { error: 'server_error', message } });
      clock.advance(3_600_000);
      await until('it is recorded', async () => {
        await patient.app.reconcile();
        return (await patient.tables.vouchers.newest(siteId, 200)).length === 1;
      });
      expect(await controllerVouchers(patient, siteId)).toHaveLength(1);
      return true;
    }));
});

test('once the deadline has passed, a controller that was asked begins nothing more', async () => {
  const folder = await makeFolder();
  const controller = makeSimulated({
    id: 1,
    dataDir: folder.path,
    settings: { latencyMs: 600_000 },
    system: nodeSystem,
  });
  const abort = new AbortController();
  const limits = { maxUses: 1, expireMinutes: 1, down: 0, up: 0, quotaMb: 0 };
  const order = { controllerSite: null, name: 'x', reference: 'x', ...limits };
  const creating = controller.create(order, 1, abort.signal);
  abort.abort();
  await expect(creating).rejects.toMatchObject({ code: 'timeout' });
  const vouchers: unknown[] = [];
  for await (const voucher of controller.list(null)) vouchers.push(voucher);
  expect(vouchers).toEqual([]);
  await controller.close();
  await folder.remove();
});

test('orders that look alike but for their limits are not taken for each other', async () => {
  const siteId = await api.addSite();
  const { tables } = api.app;
  const post = (qos: object) => api.createVoucher({ site_id: siteId, name: 'Gleich', qos });
  await post({ down: 1000 });
  const [made] = await controllerVouchers(api, siteId);
  await api.database.write('vouchers').where('site_id', siteId).delete();
  const intent = {
    id: 'another',
    siteId,
    name: String(made?.['name']),
    maxUses: 1,
    expireMinutes: 480,
    down: 5000,
    up: 0,
    quotaMb: 0,
    count: 1,
    profileId: null,
    origin: 'api' as const,
    actorName: 'Test',
    createdAt: clock.now(),
  };
  await tables.intents.begin({ intent });
  clock.advance(3_600_000);
  await api.app.reconcile();
  expect(await tables.vouchers.newest(siteId, 200)).toEqual([]);
});
