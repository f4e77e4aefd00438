import { expect, test } from '@jest/globals';
import { makeStorage } from '../../../src/storage/storage.js';
import { openPatiently } from '../../support/databases.js';
import { statementsOf } from '../../support/queryLog.js';
import type { Shared } from './sharedDatabase.js';

export const leaseConformance = (shared: () => Shared): void => {
  const advance = (ms: number): Promise<void> => shared().clock.advance(ms);

  test('while somebody holds a lease, nobody else gets it', async () => {
    const { leases } = shared().storage;
    expect(await leases.acquire('held', 'first', 1000)).toBe(true);
    await advance(1000);
    expect(await leases.acquire('held', 'second', 1000)).toBe(false);
  });

  test('the holder renews its lease', async () => {
    const { leases } = shared().storage;
    await leases.acquire('renewed', 'first', 1000);
    await advance(900);
    expect(await leases.acquire('renewed', 'first', 1000)).toBe(true);
    await advance(600);
    expect(await leases.acquire('renewed', 'second', 1000)).toBe(false);
  });

  test('a lease that is not renewed in time is free for another, and lost for its holder', async () => {
    const { leases } = shared().storage;
    await leases.acquire('expired', 'first', 1000);
    await advance(1001);
    expect(await leases.acquire('expired', 'second', 1000)).toBe(true);
    expect(await leases.acquire('expired', 'first', 1000)).toBe(false);
  });

  test('a lease that lies more than twice its time ahead is free: the clock was set back', async () => {
    const { leases } = shared().storage;
    await leases.acquire('ahead', 'first', 1000);
    await advance(-1000);
    expect(await leases.acquire('ahead', 'second', 1000)).toBe(false);
    await advance(-1);
    expect(await leases.acquire('ahead', 'second', 1000)).toBe(true);
  });

  test('a released lease is free at once', async () => {
    const { leases } = shared().storage;
    await leases.acquire('released', 'first', 1000);
    await leases.release(['released'], 'first');
    expect(await leases.acquire('released', 'second', 1000)).toBe(true);
  });

  test('only its holder releases a lease', async () => {
    const { leases } = shared().storage;
    await leases.acquire('kept', 'first', 1000);
    await leases.release(['kept'], 'second');
    expect(await leases.acquire('kept', 'second', 1000)).toBe(false);
  });

  test('two leases do not stand in each other’s way', async () => {
    const { leases } = shared().storage;
    expect(await leases.acquire('one', 'first', 1000)).toBe(true);
    expect(await leases.acquire('another', 'second', 1000)).toBe(true);
  });

  test('of many processes that want a lease at once exactly one gets it', async () => {
    const { url, clock } = shared();
    const databases = Array.from({ length: 4 }, () => openPatiently(url));
    try {
      const tables = databases.map((database) => makeStorage(database, clock).leases);
      const takes = Array.from({ length: 40 }, (_, index) =>
        tables[index % 4]!.acquire('wanted', `process ${index}`, 1000),
      );
      expect((await Promise.all(takes)).filter(Boolean)).toHaveLength(1);
    } finally {
      for (const database of databases) await database.close();
    }
  });

  test('of many leases each process gets those that are free', async () => {
    const { leases } = shared().storage;
    expect(await leases.acquireAll(['m1', 'm2'], 'first', 1000)).toEqual(new Set(['m1', 'm2']));
    expect(await leases.acquireAll(['m1', 'm3', 'm2', 'm4'], 'second', 1000)).toEqual(new Set(['m3', 'm4']));
    await leases.release(['m2', 'm3'], 'first');
    expect(await leases.acquireAll(['m1', 'm2', 'm3'], 'second', 1000)).toEqual(new Set(['m2', 'm3']));
    expect(await leases.acquireAll([], 'second', 1000)).toEqual(new Set());
  });

  test('of a thousand leases that many processes want at once each goes to one', async () => {
    const { url, clock } = shared();
    const names = Array.from({ length: 1000 }, (_, index) => `thousand ${index}`);
    const databases = Array.from({ length: 4 }, () => openPatiently(url));
    try {
      const taken = await Promise.all(
        databases.map((database, index) =>
          makeStorage(database, clock).leases.acquireAll(
            index % 2 ? names : [...names].reverse(),
            `process ${index}`,
            60_000,
          ),
        ),
      );
      expect(taken.flatMap((set) => [...set]).sort()).toEqual(names.sort());
    } finally {
      for (const database of databases) await database.close();
    }
  });

  test('a thousand leases are taken by a few statements, and asked for by others without any that writes', async () => {
    const { database, storage } = shared();
    const names = Array.from({ length: 1000 }, (_, index) => `few ${index}`);
    const taking = await statementsOf(database, () => storage.leases.acquireAll(names, 'first', 60_000));
    expect(taking.length).toBeLessThanOrEqual(4);
    const asking = await statementsOf(database, () => storage.leases.acquireAll(names, 'second', 60_000));
    expect(asking.length).toBeLessThanOrEqual(2);
    expect(asking.every((sql) => sql.startsWith('select'))).toBe(true);
    const releasing = await statementsOf(database, () => storage.leases.release(names, 'first'));
    expect(releasing.length).toBeLessThanOrEqual(2);
  });
};
