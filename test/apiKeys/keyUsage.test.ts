import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeKeyUsageRecords, type KeyUsageCounter } from '../../src/apiKeys/keyUsage.js';
import { makeHourlyCounter } from '../../src/apiKeys/hourlyCounter.js';
import { openDatabase } from '../../src/database/database.js';
import { makeKeyUsageTable } from '../../src/apiKeys/keyUsageTable.js';
import { makeClock } from '../support/clock.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { startService } from '../support/service.js';

const hourMs = 3_600_000;
const start = 1000 * hourMs;

let folder: TestFolder;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

/** The table of a service that has stopped. */
const withTable = async <T>(
  use: (table: ReturnType<typeof makeKeyUsageTable>, break_: () => Promise<void>) => Promise<T>,
): Promise<T> => {
  const database = openDatabase(`sqlite:${folder.path}/voucherd.sqlite`);
  try {
    return await use(makeKeyUsageTable(database), async () => {
      await database.write.schema.renameTable('key_usage', 'key_usage_away');
    });
  } finally {
    await database.close();
  }
};

test('what was counted is in the database once the service has stopped', async () => {
  // All within one hour of a clock that stands still.
  const service = await startService({ dataDir: folder.path, system: makeClock(start) });
  const key = await service.addKey();
  const siteId = await service.addSite({ fault: 'refuse' });
  for (let request = 0; request < 2; request += 1) await service.get('/sites.php', { key });
  const order = await service.post('/vouchers.php', { site_id: siteId, name: 'Anna' }, { key });
  expect(order.status).toBe(500);
  await service.stop();
  await withTable(async (table) => {
    expect(await table.since(0)).toMatchObject([{ requests: 3, refusals: 0, failures: 1 }]);
  });
});

test('counting writes nothing, a flush writes all keys and hours, and the next one only what is new', async () => {
  await (await startService({ dataDir: folder.path })).stop();
  await withTable(async (table) => {
    const clock = makeClock(start);
    const counter: KeyUsageCounter = makeHourlyCounter(clock);
    const records = makeKeyUsageRecords(table, counter, clock);
    for (let key = 1; key <= 1200; key += 1) counter.count(key, 'requests');
    expect(await table.since(0)).toEqual([]);
    clock.advance(hourMs);
    counter.count(1, 'requests');
    counter.count(1, 'refusals');
    await records.flush();
    await records.flush();
    const written = await table.since(0);
    expect(written).toHaveLength(1201);
    expect(written.filter(({ keyId }) => keyId === 1)).toEqual([
      { keyId: 1, hour: start, requests: 1, refusals: 0, failures: 0 },
      { keyId: 1, hour: start + hourMs, requests: 1, refusals: 1, failures: 0 },
    ]);
  });
});

test('what could not be written is written by the next flush', async () => {
  await (await startService({ dataDir: folder.path })).stop();
  await withTable(async (table, breakTable) => {
    const clock = makeClock(start);
    const counter: KeyUsageCounter = makeHourlyCounter(clock);
    const records = makeKeyUsageRecords(table, counter, clock);
    counter.count(1, 'requests');
    await breakTable();
    await expect(records.flush()).rejects.toThrow('key_usage');
    counter.count(1, 'requests');
    await expect(records.flush()).rejects.toThrow('key_usage');
    const database = openDatabase(`sqlite:${folder.path}/voucherd.sqlite`);
    await database.write.schema.renameTable('key_usage_away', 'key_usage');
    await database.close();
    await records.flush();
    expect(await table.since(0)).toEqual([{ keyId: 1, hour: start, requests: 2, refusals: 0, failures: 0 }]);
  });
});
