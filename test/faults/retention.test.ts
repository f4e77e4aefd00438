import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../src/database/database.js';
import { startProgram } from '../support/cli.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { until } from '../support/until.js';
import { addEndedVouchers, countIn, expectNothingHalfRemoved } from './endedVouchers.js';
import { killProgram } from './program.js';
import { prepareTables } from './tablesFixture.js';

const kills = 2;
const orders = 200;

let folder: TestFolder;
let database: Database;
beforeAll(async () => {
  folder = await makeFolder();
  await prepareTables(folder.path, async ({ controllers, sites }, now) => {
    const controllerId = await controllers.add({ name: 'a', kind: 'simulated', settings: {} }, now);
    await sites.add({ name: 'Nord', active: true, controllerId, controllerSite: null }, now);
  });
  database = openDatabase(`sqlite:${join(folder.path, 'voucherd.sqlite')}`);
  await addEndedVouchers(database, orders);
});
afterAll(async () => {
  await database.close();
  await folder.remove();
});

const count = (query: string): Promise<number> => countIn(database, query);
const env = { RETAIN_VOUCHERS_DAYS: '1' };

/** The next run stands still in a transaction before it has removed them all, however fast it is, until it is killed. */
const standStill = async (): Promise<void> => {
  const { write } = database;
  const { next } = await write('vouchers').min({ next: 'id' }).first<{ next: number }>();
  await write.raw(
    'create view endless as with recursive n (i) as (select 1 union all select i + 1 from n) select i from n',
  );
  // In the third batch: of the first one it is seen that some are gone.
  await write.raw(
    `create trigger stands_still before delete on vouchers when old.id = ${String(next + 150)}
     begin select count(*) from endless; end`,
  );
};
const goOn = async (): Promise<void> => {
  await database.write.raw('drop trigger stands_still');
  await database.write.raw('drop view endless');
};

test(`killed ${String(kills)} times in the middle, the retention leaves nothing half removed and goes on`, async () => {
  for (let kill = 0; kill < kills; kill++) {
    const before = await count('vouchers');
    await standStill();
    const program = startProgram(['retention', 'run'], { ...env, DATA_DIR: folder.path });
    await until('some are gone', async () => (await count('vouchers')) < before);
    await killProgram(program);
    await goOn();
    await expectNothingHalfRemoved(database);
    // Its lease ends a minute later.
    await database.write('leases').update({ until: 0 });
  }
  expect(await count('vouchers')).toBeGreaterThan(0);
  const { status } = await startProgram(['retention', 'run'], { ...env, DATA_DIR: folder.path }).ended;
  expect(status).toBe(0);
  expect(await count('vouchers')).toBe(0);
  await expectNothingHalfRemoved(database);
});
