import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Controller } from '../../../src/controllers/controller.js';
import { makeRadiusSql } from '../../../src/controllers/radiusSql/radiusSql.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { controllerConformance, orderFor, type TestController } from '../../conformance/controller.js';
import { someControllerDeps } from '../../support/controllerDeps.js';
import { hasMariaDb } from '../../support/mariadb.js';
import { makeRadiusPostgres, startRadiusMariaDb, type RadiusDatabase } from './radiusDatabase.js';

const toTestController = (database: RadiusDatabase): TestController => {
  let ahead = 0;
  let devices = 0;
  const { url, credentials } = database;
  const connect = (): Controller =>
    makeRadiusSql({
      ...someControllerDeps({ system: { ...nodeSystem, now: () => Date.now() + ahead } }),
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
  bounds: 'not for radius-sql, orders with limits that it can not keep do not get that far',
  sites: 'not for radius-sql, a site is only a mark of its vouchers',
  incremental: 'not for radius-sql, a use is found by reading all accounting',
  repeatable: true,
} as const;

describe('radius-sql on PostgreSQL', () =>
  controllerConformance(async () => toTestController(await makeRadiusPostgres()), traits));

describe('radius-sql on MariaDB', () => {
  if (!hasMariaDb) {
    test('skipped: no MariaDB server is installed', () => expect(hasMariaDb).toBe(false));
    return;
  }
  let server: Awaited<ReturnType<typeof startRadiusMariaDb>>;
  beforeAll(async () => {
    server = await startRadiusMariaDb();
  });
  afterAll(() => server.stop());
  controllerConformance(async () => toTestController(await server.make()), traits);
});
