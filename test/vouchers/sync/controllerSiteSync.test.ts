import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Controller, ControllerVoucher } from '../../../src/controllers/controller.js';
import { makeSimulated } from '../../../src/controllers/simulated/simulated.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { openDatabase, type Database } from '../../../src/database/database.js';
import type { StoredSite } from '../../../src/sites/siteTable.js';
import { makeTables, type Tables } from '../../../src/app/tables.js';
import {
  makeSyncControllerSite,
  type SyncControllerSite,
} from '../../../src/vouchers/sync/controllerSiteSync.js';
import { someOrder } from '../../conformance/controller.js';
import { makeSqliteDatabase, type TestDatabase } from '../../support/databases.js';
import { makeFolder, type TestFolder } from '../../support/folder.js';
import { addSite, someRecord } from '../../support/records.js';

let own: TestDatabase;
let folder: TestFolder;
let database: Database;
let tables: Tables;
let place: { siteId: number; controllerId: number };
let controller: Controller;
let syncControllerSite: SyncControllerSite;
let sites: StoredSite[];
let corrected: Record<'changed' | 'gone', number>;
beforeEach(async () => {
  [own, folder] = [await makeSqliteDatabase(), await makeFolder()];
  database = openDatabase(own.url);
  tables = makeTables(database);
  place = await addSite(tables);
  sites = await tables.sites.all();
  controller = makeSimulated({ id: 1, dataDir: folder.path, settings: {}, system: nodeSystem });
  syncControllerSite = makeSyncControllerSite({ tables, system: nodeSystem });
  corrected = { changed: 0, gone: 0 };
});
afterEach(async () => {
  await controller.close();
  await database.close();
  await own.drop();
  await folder.remove();
});

const sync = async (
  list: Controller['list'] = controller.list,
  signal = new AbortController().signal,
): Promise<void> => {
  await syncControllerSite({
    controllerId: place.controllerId,
    controller: { ...controller, list },
    controllerSite: { id: null, sites },
    signal,
    onCorrected: (how, vouchers) => {
      corrected[how] += vouchers;
    },
  });
};
/** A voucher on the controller, and what an order then records. */
const make = async (count: number): Promise<readonly ControllerVoucher[]> =>
  controller.create(someOrder(), count);
const record = ({ id }: ControllerVoucher): Promise<boolean> =>
  tables.vouchers.record(someRecord(place, { controllerVoucherId: id }));
const statuses = async () => (await tables.vouchers.newest(place.siteId, 200)).map(({ status }) => status);

test('a voucher that is recorded while its controller’s list is read is never taken for gone', async () => {
  const [early, gone] = await make(2);
  for (const voucher of [early!, gone!]) await record(voucher);
  await controller.revoke(null, gone!.id!);
  await sync(async function* (site, signal) {
    yield* controller.list(site, signal);
    // The list was read before this one was made.
    const [late] = await make(1);
    await record(late!);
  });
  expect(corrected).toEqual({ changed: 0, gone: 1 });
  expect((await statuses()).sort()).toEqual(['expired', 'valid', 'valid']);
});

test('a list that breaks off corrects the vouchers it contained, and none is gone', async () => {
  await Promise.all((await make(600)).map(record));
  const cut: Controller['list'] = async function* (site, signal) {
    let told = 0;
    for await (const voucher of controller.list(site, signal)) {
      if (told++ === 550) throw new Error('abgebrochen');
      yield { ...voucher, usedCount: 1 };
    }
  };
  await expect(sync(cut)).rejects.toThrow('abgebrochen');
  expect(corrected).toEqual({ changed: 500, gone: 0 });
  await sync();
  expect(corrected).toEqual({ changed: 1000, gone: 0 });
});

test('a pass that is stopped at the end of the list takes nothing for gone', async () => {
  const [voucher] = await make(1);
  await record(voucher!);
  const abort = new AbortController();
  await controller.revoke(null, voucher!.id!);
  const stopping: Controller['list'] = async function* (site) {
    yield* controller.list(site);
    abort.abort(new Error('angehalten'));
  };
  await expect(sync(stopping, abort.signal)).rejects.toThrow('angehalten');
  expect(await statuses()).toEqual(['valid']);
});

test('a voucher that is on a list twice counts once, with its last values', async () => {
  const [voucher] = await make(1);
  await record(voucher!);
  await sync(async function* () {
    yield voucher!;
    yield { ...voucher!, usedCount: 1 };
  });
  expect(corrected).toEqual({ changed: 1, gone: 0 });
  expect(await statuses()).toEqual(['used']);
});

describe('thousands of vouchers', () => {
  const many = 1500;
  let queries: string[];
  beforeEach(async () => {
    await Promise.all((await make(many)).map(record));
    queries = [];
    for (const db of [database.read, database.write])
      db.on('query', ({ sql }: { sql: string }) => queries.push(sql));
  });
  const begunWith = (word: RegExp) => queries.filter((sql) => word.test(sql)).length;

  test('that have not changed cost two reads for 500 of them, and no write', async () => {
    await sync();
    expect(begunWith(/^select/i)).toBe((2 * many) / 500 + 1);
    expect(queries).toHaveLength((2 * many) / 500 + 1);
  });

  test('of which some have changed cost one transaction for each 500 of the list with changes', async () => {
    let index = 0;
    const some: Controller['list'] = async function* (site, signal) {
      for await (const voucher of controller.list(site, signal)) {
        // One of every 100 in the first half has changed.
        const usedCount = index < many / 2 && index % 100 === 0 ? 1 : 0;
        index++;
        yield { ...voucher, usedCount };
      }
    };
    await sync(some);
    expect(corrected).toEqual({ changed: 8, gone: 0 });
    expect(begunWith(/^begin/i)).toBe(2);
    expect(begunWith(/update vouchers/i)).toBe(2);
  });

  test('that are all gone cost one transaction for each 500', async () => {
    await sync(async function* () {
      // Somebody has deleted everything.
    });
    expect(corrected).toEqual({ changed: 0, gone: many });
    expect(begunWith(/^begin/i)).toBe(many / 500);
  });
});
