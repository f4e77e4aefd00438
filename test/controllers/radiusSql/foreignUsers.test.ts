import { beforeAll, expect, test } from '@jest/globals';
import type { Controller } from '../../../src/controllers/controller.js';
import { CodesTaken } from '../../../src/controllers/errors.js';
import { makeRadiusSql } from '../../../src/controllers/radiusSql/radiusSql.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { openSecrets } from '../../../src/secrets/secretKey.js';
import { sealCredentials } from '../../../src/secrets/encryption.js';
import { orderFor } from '../../conformance/controller.js';
import { withApi } from '../../support/api.js';
import { someControllerDeps } from '../../support/controllerDeps.js';
import { onEachDatabase } from './eachDatabase.js';
import type { RadiusDatabase } from './radiusDatabase.js';

/** What FreeRADIUS may know of a user who is none of our vouchers, and the statement that adds it. */
const traces = {
  'a password': (user: string) =>
    `insert into radcheck (username, attribute, op, value) values ('${user}', 'Cleartext-Password', ':=', 'x')`,
  'a reply': (user: string) =>
    `insert into radreply (username, attribute, op, value) values ('${user}', 'Filter-Id', ':=', 'staff')`,
  'a group': (user: string) =>
    `insert into radusergroup (username, groupname, priority) values ('${user}', 'staff', 1)`,
  sessions: (user: string) =>
    `insert into radacct (acctsessionid, acctuniqueid, username, nasipaddress, acctstarttime)
     values ('${user}', '${user}', '${user}', '127.0.0.1', now())`,
};
const kinds = Object.keys(traces) as (keyof typeof traces)[];
const tables = ['radcheck', 'radreply', 'radusergroup', 'radacct'];

onEachDatabase('users of somebody else', (make) => {
  let radius: RadiusDatabase;
  let siteId: number;
  /** Bytes to draw from next; then the real source. */
  const nextBytes: number[] = [];
  const api = withApi({
    system: {
      ...nodeSystem,
      randomBytes: (size) =>
        nextBytes.length >= size && size === 10
          ? Buffer.from(nextBytes.splice(0, size))
          : nodeSystem.randomBytes(size),
    },
    env: { CONTROLLER_DEADLINE_S: '59', SYNC_INTERVAL_S: '0', RECONCILE_GRACE_S: '3600' },
    site: false,
    afterStop: () => radius.drop(),
  });
  const rowsOf = async (user: string) => {
    const rows = [];
    for (const table of tables)
      rows.push(await radius.query(`select * from ${table} where username = '${user}'`));
    return rows;
  };
  const withController = async (work: (controller: Controller) => Promise<void>): Promise<void> => {
    const { url, credentials } = radius;
    const controller = makeRadiusSql({
      ...someControllerDeps(),
      ...{ name: 'radius', settings: { url }, credentials },
    });
    try {
      await work(controller);
    } finally {
      await controller.close();
    }
  };

  beforeAll(async () => {
    radius = await make();
    const { url, credentials } = radius;
    const stored = { kind: 'radius-sql', settings: { url } };
    const secrets = openSecrets({ secretKey: undefined, dataDir: api.dataDir });
    const sealedCredentials = sealCredentials(secrets, stored, credentials);
    const controllerId = await api.tables.controllers.add(
      { name: 'Radius', ...stored, sealedCredentials },
      Date.now(),
    );
    const site = { name: 'Hotel', active: true, controllerId, controllerSite: null };
    siteId = await api.tables.sites.add(site, Date.now());
  });

  test.each(kinds)('a code with %s of another user gives way to the next one that is drawn', async (kind) => {
    const digit = kinds.indexOf(kind);
    const [occupied, free] = [String(digit).repeat(10), String(digit + 4).repeat(10)];
    await radius.query(traces[kind](occupied));
    const before = await rowsOf(occupied);
    // The first is for the id of the order.
    nextBytes.push(...Array.from(occupied + occupied + free, Number));
    const { status, body } = await api.createVoucher({ site_id: siteId });
    expect({ status, body }).toMatchObject({ status: 201, body: { code: free } });
    expect(nextBytes).toEqual([]);
    expect(await rowsOf(occupied)).toEqual(before);
    expect(await radius.query(`select 1 from voucherd_vouchers where code = '${occupied}'`)).toEqual([]);
  });

  test.each(kinds)('an order of which one code has %s of another user makes nothing', (kind) =>
    withController(async (controller) => {
      const order = orderFor(controller, {}, 2);
      const [clear, occupied] = order.codes!;
      await radius.query(traces[kind](occupied!));
      await expect(controller.create(order, 2)).rejects.toThrow(CodesTaken);
      expect(await controller.find!(order, 2)).toEqual([]);
      expect((await rowsOf(clear!)).flat()).toEqual([]);
    }),
  );

  test('an order that is repeated while its guest is online confirms the voucher', () =>
    withController(async (controller) => {
      const order = orderFor(controller);
      const [made] = await controller.create(order, 1);
      await radius.query(traces.sessions(made!.code!));
      expect(await controller.create(order, 1)).toMatchObject([{ code: made!.code, usedCount: 0 }]);
      expect(await controller.find!(order, 1)).toHaveLength(1);
    }));
});
