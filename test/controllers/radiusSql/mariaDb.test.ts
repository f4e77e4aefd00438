import { describe, expect, test } from '@jest/globals';
import { makeRadiusSql } from '../../../src/controllers/radiusSql/radiusSql.js';
import { collectVouchers, orderFor } from '../../conformance/controller.js';
import { someControllerDeps } from '../../support/controllerDeps.js';
import { forAllTests } from '../../support/fixture.js';
import { hasMariaDb } from '../../support/mariadb.js';
import { startRadiusMariaDb, type RadiusDatabase } from './radiusDatabase.js';

const connect = ({ url, credentials }: RadiusDatabase) =>
  makeRadiusSql({ ...someControllerDeps(), ...{ name: 'radius', settings: { url }, credentials } });

describe('MariaDB', () => {
  if (!hasMariaDb) {
    test('skipped: no MariaDB server is installed', () => expect(hasMariaDb).toBe(false));
    return;
  }
  const server = forAllTests(startRadiusMariaDb, 'stop');

  test.each(['', 'NO_BACKSLASH_ESCAPES', 'ANSI_QUOTES', 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES,PIPES_AS_CONCAT'])(
    'names are values and nothing else with the sql_mode "%s"',
    async (mode) => {
      await server.execute(`set global sql_mode = '${mode}'`);
      const database = await server.make();
      const controller = connect(database);
      try {
        const [kept] = await controller.create(orderFor(controller), 1);
        for (const name of [
          `' or 1=1 -- `,
          `\\' or 1=1 -- `,
          `\\', '', '', 0, 0, 0, 0, 0, 0), ('x`,
          `"; drop table radcheck; -- `,
          `\\\\' ; delete from radcheck where '' = '`,
          '` /* */ # \\0 \\n %',
          `\u00bf\u0027 or 1=1 -- `,
        ]) {
          const order = orderFor(controller, { name });
          const [made] = await controller.create(order, 1);
          expect(made).toMatchObject({ name, code: order.codes![0] });
          expect(await controller.find!(order, 1)).toEqual([made]);
          await controller.revoke(null, made!.id!);
          await controller.revoke(name, name);
          await controller.disconnect!(null, name);
          expect(await collectVouchers(controller, name)).toEqual([]);
        }
        expect(await collectVouchers(controller)).toEqual([kept]);
        expect(await database.query('select username from radcheck')).toHaveLength(2);
      } finally {
        await controller.close();
        await database.drop();
        await server.execute(`set global sql_mode = default`);
      }
    },
  );

  test('tables without transactions are named by a probe, each with the line that changes it', async () => {
    const database = await server.make();
    const controller = connect(database);
    try {
      const ofEngines = async () =>
        (await controller.probe()).advice!.filter(({ code }) => code === 'radius-engine');
      expect(await ofEngines()).toEqual([]);
      await database.query('alter table radcheck engine=MyISAM; alter table radreply engine=Aria');
      expect(await ofEngines()).toEqual([
        {
          ...{ code: 'radius-engine', values: { table: 'radcheck', engine: 'MyISAM' } },
          lines: 'alter table radcheck engine=InnoDB;',
        },
        {
          ...{ code: 'radius-engine', values: { table: 'radreply', engine: 'Aria' } },
          lines: 'alter table radreply engine=InnoDB;',
        },
      ]);
      // Ours never is, whatever the server's default.
      await database.query('drop table voucherd_vouchers; set global default_storage_engine = MyISAM');
      expect(await ofEngines()).toHaveLength(2);
    } finally {
      await server.execute('set global default_storage_engine = InnoDB');
      await controller.close();
      await database.drop();
    }
  });
});
