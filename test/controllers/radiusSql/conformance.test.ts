import type { Controller } from '../../../src/controllers/controller.js';
import { makeRadiusSql } from '../../../src/controllers/radiusSql/radiusSql.js';
import {
  controllerConformance,
  orderFor,
  type TestController,
  type Traits,
} from '../../conformance/controller.js';
import { someControllerDeps } from '../../support/controllerDeps.js';
import { onEachDatabase } from './eachDatabase.js';
import type { RadiusDatabase } from './radiusDatabase.js';

const toTestController = (database: RadiusDatabase): TestController => {
  let ahead = 0;
  let devices = 0;
  const { url, credentials } = database;
  const connect = (): Controller =>
    makeRadiusSql({
      ...someControllerDeps(),
      ...{ name: 'radius', settings: { url }, credentials },
    });
  return {
    connect,
    use: async (code) => {
      devices += 1;
      const session = `s${String(devices)}`;
      await database.query(
        `insert into radacct (acctsessionid, acctuniqueid, username, nasipaddress, acctstarttime, acctinputoctets,
           acctoutputoctets, callingstationid)
         values ('${session}', '${session}', '${code}', '127.0.0.1', now(), 1, 2, 'device ${session}')`,
      );
    },
    later: (ms) => {
      ahead += ms;
      return database.setAhead(ahead);
    },
    fill: async () => {
      const other = connect();
      for (let part = 0; part < 2; part += 1) await other.create(orderFor(other, {}, 600), 600);
      await other.close();
      return 1200;
    },
    remove: () => database.drop(),
  };
};

const traits = {
  paging: true,
  bounds: [
    [{ expireMinutes: 35_000_001 }, ['expire_minutes', '35000001', '35000000']],
    [{ maxUses: 2_147_483_648 }, ['max_uses', '2147483648', '2147483647']],
    [{ down: 2_147_484 }, ['qos.down', '2147484', '2147483']],
    [{ up: 2_147_484 }, ['qos.up', '2147484', '2147483']],
    [{ quotaMb: 2_147_483_648 }, ['qos.quota_mb', '2147483648', '2147483647']],
  ],
  sites: 'not for radius-sql, a site is only a mark of its vouchers',
  incremental: 'not for radius-sql, a use is found by reading all accounting',
  repeatable: true,
} as const satisfies Traits;

onEachDatabase('radius-sql', (make) =>
  controllerConformance(async () => toTestController(await make()), traits),
);
