import { expect, test } from '@jest/globals';
import { makeSimulated } from '../../src/controllers/simulated/simulated.js';
import { nodeSystem } from '../../src/lib/system.js';
import { withApi } from '../support/api.js';
import { makeClock } from '../support/clock.js';
import { makeFolder } from '../support/folder.js';
import { controllerVouchers } from '../support/serviceInternals.js';

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
  const message = 'Die Bestellung konnte nicht rechtzeitig gespeichert werden';
  expect([status, body]).toEqual([500, { error: 'server_error', message }]);
  expect(await api.tables.intents.all()).toEqual([]);
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
