import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { drawCodes } from '../../../src/controllers/codes.js';
import type { Controller } from '../../../src/controllers/controller.js';
import { signInSql } from '../../../src/controllers/radiusSql/policy.js';
import { makeRadiusSql } from '../../../src/controllers/radiusSql/radiusSql.js';
import { openSessionsSql } from '../../../src/controllers/radiusSql/sessions.js';
import { usageSql } from '../../../src/controllers/radiusSql/vouchers.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { orderFor } from '../../conformance/controller.js';
import { someControllerDeps } from '../../support/controllerDeps.js';
import { hasFreeRadius, shippedSchema } from './freeRadius.js';
import { onEachDatabase } from './eachDatabase.js';
import type { RadiusDatabase } from './radiusDatabase.js';

const sessions = 100_000;
const pageSize = 500;

onEachDatabase('accounting of 100,000 sessions', (make, dialect) => {
  let database: RadiusDatabase;
  let controller: Controller;

  const start = async (schema?: string): Promise<void> => {
    database = await make(schema);
    const { url, credentials } = database;
    controller = makeRadiusSql({
      ...someControllerDeps(),
      ...{ name: 'radius', settings: { url }, credentials },
    });
  };
  const fill = async (): Promise<void> => {
    const [numbers, user, session] =
      dialect === 'postgresql'
        ? [`generate_series(1, ${String(sessions)}) as s(seq)`, `(seq / 2)::text`, 'seq::text']
        : [`seq_1_to_${String(sessions)}`, 'cast(floor(seq / 2) as char)', 'seq'];
    await database.query(
      `insert into radacct (acctsessionid, acctuniqueid, username, nasipaddress, acctstarttime, acctinputoctets,
         acctoutputoctets, callingstationid)
       select ${session}, ${session}, ${user}, '127.0.0.1', now(), 1, 2, 'device' from ${numbers}`,
    );
    await database.query(dialect === 'postgresql' ? 'analyze' : 'analyze table radacct');
  };
  /** How a table is read, as the database plans it; undefined when it is not. */
  const planOf = async (sql: string, values: readonly string[], table = 'radacct'): Promise<string> => {
    const left = [...values];
    const filled = sql.replaceAll('?', () => `'${left.shift() ?? ''}'`);
    const rows = await database.query(`explain ${filled}`);
    if (dialect === 'postgresql')
      return rows
        .map((row) => String(row['QUERY PLAN']))
        .filter((line) => line.includes(` on ${table} `) || line.includes(` on ${table}_`))
        .map(
          (line) =>
            /(Seq Scan|Index Scan|Index Only Scan|Bitmap Index Scan|Bitmap Heap Scan)/.exec(line)?.[0],
        )
        .join(', ');
    // The alias of each table is its first letter.
    return rows
      .filter((row) => [table, 'a'].includes(String(row['table'])))
      .map((row) => String(row['type']))
      .join(', ');
  };
  const advice = async (): Promise<string | undefined> =>
    (await controller.probe()).advice?.find(({ code }) => code === 'radius-index')?.lines;

  afterEach(async () => {
    await controller.close();
    await database.drop();
  });

  const expectIndexIsUsed = async (): Promise<void> => {
    const order = orderFor(controller);
    await controller.create(order, 1);
    const isByIndex =
      dialect === 'postgresql' ? /^(?!.*Seq Scan).*Index/ : /^(ref|eq_ref|range|const)(, (ref|range))*$/;
    const codes = drawCodes(controller.ownCodes!, pageSize, nodeSystem);
    for (const [sql, values] of [
      [usageSql(dialect, pageSize), codes],
      [usageSql(dialect, 1), ['17']],
      [openSessionsSql(dialect), ['17']],
      [
        signInSql(dialect)
          .replaceAll('%{User-Name}', order.codes![0]!)
          .replaceAll('%{Calling-Station-Id}', 'AA-00'),
        [],
      ],
    ] as const)
      expect(await planOf(sql, values)).toMatch(isByIndex);
  };

  describe('with the schema that FreeRADIUS ships', () => {
    if (!hasFreeRadius) {
      beforeEach(() => start());
      test('skipped: FreeRADIUS is not installed', () => expect(hasFreeRadius).toBe(false));
      return;
    }
    beforeEach(async () => start(await shippedSchema(dialect)));
    test('the index that a probe advises is the one that is used', async () => {
      await fill();
      const line = await advice();
      expect(line !== undefined).toBe(dialect === 'postgresql');
      if (line !== undefined) await database.query(line);
      expect(await advice()).toBeUndefined();
      await expectIndexIsUsed();
    });
  });

  test('without any index a probe advises one, for each database', async () => {
    await start();
    await fill();
    const line = await advice();
    expect(line).toMatch(/^create index .*on radacct \(username\);$/);
    expect(await planOf(usageSql(dialect, 1), ['17'])).toMatch(/^(.*Seq Scan|ALL)/);
    await database.query(line!);
    expect(await advice()).toBeUndefined();
    await expectIndexIsUsed();
  });
});

test('accounting is read once for a sign-in', () => {
  for (const dialect of ['postgresql', 'mysql'] as const)
    expect(signInSql(dialect).match(/\bradacct\b/g)).toHaveLength(1);
});
