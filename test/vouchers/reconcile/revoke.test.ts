import { afterEach, expect, test } from '@jest/globals';
import { openSecrets } from '../../../src/secrets/secretKey.js';
import { sealCredentials } from '../../../src/secrets/encryption.js';
import { ok, startScripted, type Scripted } from '../../controllers/unifiClassic/scriptedConsole.js';
import { someIntent, someRecord, someVoucher } from '../../support/records.js';
import { plantSecrets } from '../../support/secretLeaks.js';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;
let console: Scripted;
afterEach(async () => {
  await service.stop();
  await console.stop();
});

/** Adds a site on a console. */
const addSite = async (): Promise<{ siteId: number; controllerId: number }> => {
  const { url, fingerprint, username, password } = console;
  plantSecrets([password]);
  const { tables } = service.app;
  const kind = 'unifi-classic';
  const settings = { url, fingerprint };
  const secrets = openSecrets({ secretKey: undefined, dataDir: service.dataDir });
  const sealedCredentials = sealCredentials(secrets, { kind, settings }, { username, password });
  const controllerId = await tables.controllers.add(
    { name: 'Halle 3', kind, settings, sealedCredentials },
    0,
  );
  const site = { name: 'Haus', active: true, controllerId, controllerSite: 'default' };
  return { siteId: await tables.sites.add(site, 0), controllerId };
};

test('a voucher that another process records while others are revoked is not revoked', async () => {
  const name = '2026-11-14_Familie Berger';
  const second = Math.floor(Date.now() / 1000) - 3600;
  const row = { create_time: second, note: name, duration: 480, quota: 1, used: 0 };
  const rows = [
    { ...row, _id: 'a', code: '0000000001' },
    { ...row, _id: 'b', code: '0000000002' },
  ];
  const revoked: unknown[] = [];
  let recordOther: () => Promise<unknown> = () => Promise.resolve();
  service = await startService();
  console = await startScripted({
    api: async ({ path, json }) => {
      if (path.endsWith('/stat/voucher')) return ok(json?.['create_time'] === second ? rows : []);
      if (json?.['cmd'] === 'delete-voucher') {
        revoked.push(json['_id']);
        await recordOther();
      }
      return ok();
    },
  });
  const place = await addSite();
  const { intents, vouchers } = service.tables;
  const at = second * 1000;
  for (let count = 0; count < 2; count++) {
    const intent = someIntent(place.siteId, { name, createdAt: at });
    await intents.begin({ intent });
    await intents.end(intent.id, { at: at + 1000, clock: { atLeast: 0, atMost: 0 }, isVoid: true });
  }
  recordOther = () =>
    vouchers.record(
      someRecord(place, { controllerVoucherId: 'b', voucher: someVoucher({ name, code: '0000000002' }) }),
    );
  expect(await service.app.reconcile()).toBe(1);
  expect(revoked).toEqual(['a']);
});
