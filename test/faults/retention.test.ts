import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../src/database/database.js';
import { startProgram } from '../support/cli.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { until } from '../support/until.js';
import { killProgram } from './program.js';
import { prepareTables } from './tablesFixture.js';

const kills = 3;
const vouchersPerOrder = 7;
const orders = 500;
const total = vouchersPerOrder * orders;

let folder: TestFolder;
let database: Database;
beforeAll(async () => {
  folder = await makeFolder();
  await prepareTables(folder.path, async ({ controllers, sites }, now) => {
    const controllerId = await controllers.add({ name: 'a', kind: 'simulated', settings: {} }, now);
    await sites.add({ name: 'Nord', active: true, controllerId, controllerSite: null }, now);
  });
  database = openDatabase(`sqlite:${join(folder.path, 'voucherd.sqlite')}`);
  const numbers =
    'with recursive numbers (i) as (select 0 union all select i + 1 from numbers where i < ? - 1)';
  await database.write.raw(
    `insert into vouchers (site_id, code, name, max_uses, expire_minutes, controller_id, controller_voucher_id,
       intent_id, position, status, used_count, created_at, expires_at, words)
     ${numbers} select 1, cast(1000000000 + i as text), 'Gast', 1, 480, 1, 'v' || i,
       'o' || (i / ${String(vouchersPerOrder)}), i % ${String(vouchersPerOrder)}, 'expired', 1, i, i,
       '["gast","w' || i || '"]' from numbers`,
    [total],
  );
  await database.write.raw(
    `insert into orders (id, site_id, fingerprint, name, count, made, state, created_at)
     ${numbers} select 'o' || i, 1, 'a', 'Gast', 1, 1, 'made', 9000000000000 from numbers`,
    [orders],
  );
  await database.write.raw(
    `insert into emails (id, voucher_id, user_id, "to", language, state, tries, at, created_at)
     select 'e' || id, id, 1, 'a@example.org', 'de', 'sent', 1, 9000000000000, 1 from vouchers where id % 2 = 0`,
  );
});
afterAll(async () => {
  await database.close();
  await folder.remove();
});

const count = async (query: string): Promise<number> => {
  const [row] = (await database.read.raw(`select count(*) as count from ${query}`)) as [{ count: number }];
  return row.count;
};

/** Everything that belongs to a voucher is there, or nothing of it is. */
const expectNothingHalfRemoved = async (): Promise<void> => {
  const left = await count('vouchers');
  expect(await count('voucher_words')).toBe(2 * left);
  expect(await count('voucher_words where not exists (select 1 from vouchers where id = voucher_id)')).toBe(
    0,
  );
  expect(await count('emails')).toBe(await count('vouchers where id % 2 = 0'));
  expect(await count('orders')).toBe(
    await count('(select distinct intent_id from vouchers where intent_id is not null) as needed'),
  );
};

const env = { RETAIN_VOUCHERS_DAYS: '1' };

test(`killed ${String(kills)} times in the middle, the retention leaves nothing half removed and goes on`, async () => {
  for (let kill = 0; kill < kills; kill++) {
    const before = await count('vouchers');
    const program = startProgram(['retention', 'run'], { ...env, DATA_DIR: folder.path });
    await until('some are gone', async () => (await count('vouchers')) < before);
    await killProgram(program);
    await expectNothingHalfRemoved();
    // Its lease ends a minute later.
    await database.write('leases').update({ until: 0 });
  }
  expect(await count('vouchers')).toBeGreaterThan(0);
  const { status } = await startProgram(['retention', 'run'], { ...env, DATA_DIR: folder.path }).ended;
  expect(status).toBe(0);
  expect(await count('vouchers')).toBe(0);
  await expectNothingHalfRemoved();
});
