import { expect, test } from '@jest/globals';
import { openDatabase } from '../../../src/storage/database.js';
import { makeStorage } from '../../../src/storage/storage.js';
import { someTime as now } from '../../support/records.js';
import type { Shared } from '../storage.js';

export const leaseConformance = (shared: () => Shared): void => {
  test('while somebody holds a lease, nobody else gets it', async () => {
    const { leases } = shared().storage;
    expect(await leases.take('held', 'first', now, 1000)).toBe(true);
    expect(await leases.take('held', 'second', now + 999, 1000)).toBe(false);
  });

  test('the holder renews its lease', async () => {
    const { leases } = shared().storage;
    await leases.take('renewed', 'first', now, 1000);
    expect(await leases.take('renewed', 'first', now + 900, 1000)).toBe(true);
    expect(await leases.take('renewed', 'second', now + 1500, 1000)).toBe(false);
  });

  test('a lease that is not renewed in time is free for another, and lost for its holder', async () => {
    const { leases } = shared().storage;
    await leases.take('expired', 'first', now, 1000);
    expect(await leases.take('expired', 'second', now + 1001, 1000)).toBe(true);
    expect(await leases.take('expired', 'first', now + 1002, 1000)).toBe(false);
  });

  test('a released lease is free at once', async () => {
    const { leases } = shared().storage;
    await leases.take('released', 'first', now, 1000);
    await leases.release('released', 'first');
    expect(await leases.take('released', 'second', now, 1000)).toBe(true);
  });

  test('only its holder releases a lease', async () => {
    const { leases } = shared().storage;
    await leases.take('kept', 'first', now, 1000);
    await leases.release('kept', 'second');
    expect(await leases.take('kept', 'second', now, 1000)).toBe(false);
  });

  test('two leases do not stand in each other’s way', async () => {
    const { leases } = shared().storage;
    expect(await leases.take('one', 'first', now, 1000)).toBe(true);
    expect(await leases.take('another', 'second', now, 1000)).toBe(true);
  });

  test('of many processes that want a lease at once exactly one gets it', async () => {
    const { url } = shared();
    const databases = Array.from({ length: 4 }, () => openDatabase(url));
    try {
      const tables = databases.map((database) => makeStorage(database).leases);
      const takes = Array.from({ length: 40 }, (_, index) =>
        tables[index % 4]!.take('wanted', `process ${index}`, now, 1000),
      );
      expect((await Promise.all(takes)).filter(Boolean)).toHaveLength(1);
    } finally {
      for (const database of databases) await database.close();
    }
  });
};
