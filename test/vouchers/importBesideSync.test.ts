import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeTables } from '../../src/app/tables.js';
import type { Database } from '../../src/database/database.js';
import { importVouchers, type ImportedVoucher } from '../../src/vouchers/voucherImportTable.js';
import { makePostgresDatabase, openPatiently, type TestDatabase } from '../support/databases.js';
import { until } from '../support/until.js';

let own: TestDatabase;
let [importing, syncing]: Database[] = [];
beforeAll(async () => {
  own = await makePostgresDatabase();
  [importing, syncing] = [openPatiently(own.url), openPatiently(own.url)];
});
afterAll(async () => {
  await importing?.close();
  await syncing?.close();
  await own.drop();
});

const makeVoucher = (controllerId: number, number: number): ImportedVoucher => ({
  siteId: controllerId,
  controllerId,
  controllerVoucherId: `v${String(number)}`,
  code: String(1_000_000_000 + number),
  name: 'Gast',
  maxUses: 1,
  expireMinutes: 60,
  status: 'valid',
  usedCount: 0,
  createdAt: 0,
  expiresAt: null,
  source: null,
  actorKind: null,
  actorName: null,
});

test('vouchers that a sync records during an import are recorded once, and counted as there', async () => {
  const { controllers, sites } = makeTables(importing!);
  for (const name of ['A', 'B']) {
    const controllerId = await controllers.add({ name, kind: 'simulated', settings: {} }, 0);
    await sites.add({ name, active: true, controllerId, controllerSite: 'default' }, 0);
  }
  // The import looks for them before the sync commits, and inserts them afterwards.
  const sync = await syncing!.write.transaction();
  await sync('vouchers').insert({
    ...{ site_id: 1, controller_id: 1, controller_voucher_id: 'v1', code: '1000000001', name: 'Gast' },
    ...{ max_uses: 1, expire_minutes: 60, status: 'valid', used_count: 0, created_at: 0, words: '[]' },
  });
  // The last one is the same voucher by another account of the console.
  const added = importVouchers(importing!, [makeVoucher(1, 1), makeVoucher(1, 2), makeVoucher(2, 1)]);
  await until('the import waits for the sync', async () => {
    const { rows } = await syncing!.read.raw<{ rows: unknown[] }>(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  });
  await sync.commit();
  expect(await added).toBe(2);
  const recorded = await syncing!
    .read('vouchers')
    .orderBy(['controller_id', 'code'])
    .select<Record<string, unknown>[]>('controller_id', 'code', 'is_duplicate');
  expect(recorded.map((row) => Object.values(row))).toEqual([
    [1, '1000000001', false],
    [1, '1000000002', false],
    [2, '1000000001', true],
  ]);
});
