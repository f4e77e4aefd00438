import { beforeAll, describe, expect, test } from '@jest/globals';
import { startUnifiConsole } from '../../simulators/unifi/console.js';
import { run } from '../support/cli.js';
import { withApi } from '../support/api.js';
import { forAllTests } from '../support/fixture.js';
import { addConsole, consoleKinds, makeVoucherClient } from '../vouchers/consoleFixtures.js';

const api = withApi({ env: { SYNC_INTERVAL_S: '3600' }, site: false });
let client: Awaited<ReturnType<typeof makeVoucherClient>>;
beforeAll(async () => {
  client = await makeVoucherClient(api);
});

describe.each(consoleKinds)(
  'a voucher that was removed, while a console of the kind %s still lists it',
  (kind) => {
    let siteId: number;
    const unifi = forAllTests(() => startUnifiConsole({ loginLimit: 1000 }), 'stop');
    beforeAll(async () => {
      [siteId] = (await addConsole(api, unifi, kind)) as [number];
    });

    test('is not recorded again by the sync or the reconciler, and stays on the console', async () => {
      const [old, young] = [await client.order(siteId), await client.order(siteId)];
      await api.app.sync();
      await api.database
        .write('vouchers')
        .where({ site_id: siteId, code: old })
        .update({ status: 'expired', expires_at: 1, created_at: 1 });
      const env = { DATA_DIR: api.dataDir, RETAIN_VOUCHERS_DAYS: '1' };
      const { out } = await run(['retention', 'run'], env);
      expect(out).toMatch(/^vouchers +1 day +1 /m);
      await api.app.sync();
      await api.app.reconcile();
      expect((await client.list(siteId)).map((voucher) => voucher.voucher_code)).toEqual([young]);
      expect(unifi.vouchers().map(({ code }) => code)).toContain(old);
    });
  },
);
