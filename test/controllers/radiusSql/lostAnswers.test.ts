import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { beforeAll, expect, test } from '@jest/globals';
import { sealCredentials } from '../../../src/secrets/encryption.js';
import { openSecrets } from '../../../src/secrets/secretKey.js';
import { withApi } from '../../support/api.js';
import { plantSecrets } from '../../support/secretLeaks.js';
import { until } from '../../support/until.js';
import { onEachDatabase } from './eachDatabase.js';
import type { RadiusDatabase } from './radiusDatabase.js';

/** Where a connection breaks off: before the database has heard of the commit, or before its answer is back. */
type Cut = 'before the commit' | 'after the commit';

onEachDatabase('lost answers', (make) => {
  let radius: RadiusDatabase;
  let proxy: Server;
  let siteId: number;
  /** The cuts that are still to come. */
  let cuts: Cut[] = [];

  /** A proxy in front of the database that breaks connections off at their commit. */
  const startCuttingProxy = async ({ host, port }: RadiusDatabase): Promise<Server> => {
    const server = createServer((client) => {
      const database = connect(port, host);
      let isCut = false;
      for (const socket of [client, database]) {
        socket.on('error', () => undefined);
        socket.on('close', () => {
          client.destroy();
          database.destroy();
        });
      }
      client.on('data', (bytes) => {
        const cut = bytes.includes('commit') ? cuts.shift() : undefined;
        if (cut === 'before the commit') {
          client.destroy();
          return;
        }
        isCut ||= cut === 'after the commit';
        database.write(bytes);
      });
      database.on('data', (bytes) => {
        if (isCut) client.destroy();
        else client.write(bytes);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };

  // Stopping looks for what was planted in every log line and every answer.
  const api = withApi({
    env: {
      CONTROLLER_DEADLINE_S: '59',
      SYNC_INTERVAL_S: '0',
      RECONCILE_INTERVAL_S: '1',
      RECONCILE_GRACE_S: '3600',
    },
    site: false,
    afterStop: async () => {
      proxy.close();
      await radius.drop();
    },
  });

  beforeAll(async () => {
    radius = await make();
    proxy = await startCuttingProxy(radius);
    plantSecrets([radius.credentials.password]);
    const url = new URL(radius.url);
    url.port = String((proxy.address() as AddressInfo).port);
    const secrets = openSecrets({ secretKey: undefined, dataDir: api.dataDir });
    const controller = { kind: 'radius-sql', settings: { url: url.href } };
    const sealedCredentials = sealCredentials(secrets, controller, radius.credentials);
    const controllerId = await api.tables.controllers.add(
      { name: 'Radius', ...controller, sealedCredentials },
      Date.now(),
    );
    siteId = await api.tables.sites.add(
      { name: 'Hotel', active: true, controllerId, controllerSite: null },
      Date.now(),
    );
  });

  const madeCodes = async (name: string): Promise<string[]> => {
    const rows = await radius.query(
      `select c.username from radcheck c join voucherd_vouchers v on v.code = c.username
       where c.attribute = 'Cleartext-Password' and v.name like '%${name}'`,
    );
    return rows.map(({ username }) => String(username));
  };

  const listedCodes = async (name: string): Promise<string[]> => {
    const { body } = await api.get(`/vouchers.php?site_id=${String(siteId)}`, { key: api.key });
    const { vouchers } = body as { vouchers: { voucher_code: string; voucher_name: string }[] };
    return vouchers
      .filter(({ voucher_name: voucherName }) => voucherName.endsWith(`_${name}`))
      .map(({ voucher_code: code }) => code);
  };

  const cutOnce: [Cut, string][] = [
    ['before the commit', 'Anna'],
    ['after the commit', 'Ben'],
  ];
  test.each(cutOnce)(
    'a connection that ends %s leaves exactly one voucher, with its code',
    async (cut, name) => {
      cuts = [cut];
      const { status, body } = await api.createVoucher({ site_id: siteId, name });
      expect(cuts).toEqual([]);
      expect({ status, body }).toMatchObject({ status: 201 });
      expect(await madeCodes(name)).toEqual([(body as { code: string }).code]);
      expect(await listedCodes(name)).toEqual([(body as { code: string }).code]);
    },
  );

  test('an order whose answers are lost every time is settled afterwards, to exactly one voucher', async () => {
    cuts = Array.from({ length: 20 }, (): Cut => 'after the commit');
    const { status } = await api.createVoucher({ site_id: siteId, name: 'Cleo' });
    cuts = [];
    const made = await madeCodes('Cleo');
    expect(made).toHaveLength(1);
    expect([201, 500]).toContain(status);
    expect(await until('the voucher is recorded', async () => (await listedCodes('Cleo'))[0])).toBe(made[0]);
    expect(await listedCodes('Cleo')).toEqual(made);
  });
});
