import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { makeOwnedLeases, makeWithLease, type WithLease } from '../../../src/database/leases.js';
import { makeTables } from '../../../src/app/tables.js';
import { openPatiently } from '../../support/databases.js';
import { statementsOf } from '../../support/queryLog.js';
import { until } from '../../support/until.js';
import type { Shared } from './sharedDatabase.js';

export const leaseConformance = (shared: () => Shared): void => {
  const advance = (ms: number): Promise<void> => shared().clock.advance(ms);
  const acquire = async (name: string, owner: string, ms: number): Promise<boolean> =>
    (await shared().tables.leases.acquire([name], owner, ms)).has(name);

  test('while one process owns a lease, no other gets it', async () => {
    expect(await acquire('held', 'first', 1000)).toBe(true);
    await advance(1000);
    expect(await acquire('held', 'second', 1000)).toBe(false);
  });

  test('the owner renews its lease', async () => {
    await acquire('renewed', 'first', 1000);
    await advance(900);
    expect(await acquire('renewed', 'first', 1000)).toBe(true);
    await advance(600);
    expect(await acquire('renewed', 'second', 1000)).toBe(false);
  });

  test('a lease that is not renewed in time is free for another process, and lost for its owner', async () => {
    await acquire('expired', 'first', 1000);
    await advance(1001);
    expect(await acquire('expired', 'second', 1000)).toBe(true);
    expect(await acquire('expired', 'first', 1000)).toBe(false);
  });

  test('a lease that lies more than twice its time ahead is free: the clock was set back', async () => {
    await acquire('ahead', 'first', 1000);
    await advance(-1000);
    expect(await acquire('ahead', 'second', 1000)).toBe(false);
    await advance(-1);
    expect(await acquire('ahead', 'second', 1000)).toBe(true);
  });

  test('a released lease is free at once', async () => {
    const { leases } = shared().tables;
    await acquire('released', 'first', 1000);
    await leases.release(['released'], 'first');
    expect(await acquire('released', 'second', 1000)).toBe(true);
  });

  test('only its owner can release a lease', async () => {
    const { leases } = shared().tables;
    await acquire('kept', 'first', 1000);
    await leases.release(['kept'], 'second');
    expect(await acquire('kept', 'second', 1000)).toBe(false);
  });

  test('leases with different names are independent', async () => {
    expect(await acquire('one', 'first', 1000)).toBe(true);
    expect(await acquire('another', 'second', 1000)).toBe(true);
  });

  test('of many processes that ask for a lease at once exactly one gets it', async () => {
    const { url, clock } = shared();
    const databases = Array.from({ length: 4 }, () => openPatiently(url));
    try {
      const tables = databases.map((database) => makeTables(database, clock).leases);
      const takes = Array.from({ length: 40 }, (_, index) =>
        tables[index % 4]!.acquire(['wanted'], `process ${index}`, 1000),
      );
      expect((await Promise.all(takes)).filter(({ size }) => size > 0)).toHaveLength(1);
    } finally {
      for (const database of databases) await database.close();
    }
  });

  test('a process that asks for many leases gets those that are free', async () => {
    const { leases } = shared().tables;
    expect(await leases.acquire(['m1', 'm2'], 'first', 1000)).toEqual(new Set(['m1', 'm2']));
    expect(await leases.acquire(['m1', 'm3', 'm2', 'm4'], 'second', 1000)).toEqual(new Set(['m3', 'm4']));
    await leases.release(['m2', 'm3'], 'first');
    expect(await leases.acquire(['m1', 'm2', 'm3'], 'second', 1000)).toEqual(new Set(['m2', 'm3']));
    expect(await leases.acquire([], 'second', 1000)).toEqual(new Set());
  });

  test('a thousand leases that many processes ask for at once each go to one of them', async () => {
    const { url, clock } = shared();
    const names = Array.from({ length: 1000 }, (_, index) => `thousand ${index}`);
    const databases = Array.from({ length: 4 }, () => openPatiently(url));
    try {
      const taken = await Promise.all(
        databases.map((database, index) =>
          makeTables(database, clock).leases.acquire(
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

  test('a thousand leases are acquired with a few statements, and asking for them in vain writes nothing', async () => {
    const { database, tables } = shared();
    const names = Array.from({ length: 1000 }, (_, index) => `few ${index}`);
    const taking = await statementsOf(database, () => tables.leases.acquire(names, 'first', 60_000));
    expect(taking.length).toBeLessThanOrEqual(4);
    const asking = await statementsOf(database, () => tables.leases.acquire(names, 'second', 60_000));
    expect(asking.length).toBeLessThanOrEqual(2);
    expect(asking.every((sql) => sql.startsWith('select'))).toBe(true);
    const releasing = await statementsOf(database, () => tables.leases.release(names, 'first'));
    expect(releasing.length).toBeLessThanOrEqual(2);
  });

  describe('kept by one process', () => {
    const makeOwned = (owner: string, renewBelowMs?: number) =>
      makeOwnedLeases(shared().tables.leases, owner, shared().clock, {
        leaseMs: 1000,
        ...(renewBelowMs !== undefined && { renewBelowMs }),
      });

    test('are renewed only when they end soon', async () => {
      const owned = makeOwned('first', 600);
      await owned.renew(['soon']);
      await advance(399);
      expect(
        await statementsOf(shared().database, async () => {
          expect(await owned.renew(['soon'])).toEqual(new Set(['soon']));
        }),
      ).toEqual([]);
      await advance(1);
      await owned.renew(['soon']);
      await advance(1000);
      expect(await acquire('soon', 'second', 1000)).toBe(false);
    });

    test('are renewed when the clock was set back', async () => {
      const owned = makeOwned('first', 0);
      await owned.renew(['back']);
      await advance(-1);
      expect(await statementsOf(shared().database, () => owned.renew(['back']))).not.toEqual([]);
    });

    test('are those that no other process owns', async () => {
      const owned = makeOwned('first');
      await acquire('its own', 'second', 1000);
      expect(await owned.renew(['its own', 'ours'])).toEqual(new Set(['ours']));
      await advance(1001);
      await acquire('ours', 'second', 1000);
      expect(await owned.renew(['its own', 'ours'])).toEqual(new Set(['its own']));
    });

    test('are released together, and those it does not renew any more expire', async () => {
      const owned = makeOwned('first');
      await owned.renew(['dropped', 'released 1', 'released 2']);
      await owned.renew(['released 1', 'released 2']);
      await owned.release();
      expect(await acquire('released 1', 'second', 1000)).toBe(true);
      expect(await acquire('released 2', 'second', 1000)).toBe(true);
      expect(await acquire('dropped', 'second', 1000)).toBe(false);
      await advance(1001);
      expect(await acquire('dropped', 'second', 1000)).toBe(true);
    });
  });

  describe('for one piece of work', () => {
    const makeWith = (owner: string): WithLease =>
      makeWithLease(shared().tables.leases, owner, shared().clock);

    test('the work runs under the lease, and its result is returned', async () => {
      const result = await makeWith('first')('work', { leaseMs: 1000 }, async () => ({
        isFree: await acquire('work', 'second', 1000),
      }));
      expect(result).toEqual({ isFree: false });
      expect(await acquire('work', 'second', 1000)).toBe(true);
    });

    test('the work does not run while another process owns the lease', async () => {
      await acquire('owned', 'second', 1000);
      let runs = 0;
      const result = await makeWith('first')('owned', { leaseMs: 1000 }, async () => (runs += 1));
      expect([result, runs]).toEqual([undefined, 0]);
      expect(await acquire('owned', 'third', 1000)).toBe(false);
    });

    test('the lease is released when the work fails', async () => {
      const work = () => Promise.reject(new Error('failed'));
      await expect(makeWith('first')('failing', { leaseMs: 1000 }, work)).rejects.toThrow('failed');
      expect(await acquire('failing', 'second', 1000)).toBe(true);
    });

    test('the work can renew the lease, and learns that it is lost', async () => {
      const renewals = await makeWith('first')('renewing', { leaseMs: 1000 }, async ({ renew }) => {
        await advance(900);
        const inTime = await renew();
        await advance(900);
        const isFree = await acquire('renewing', 'second', 1000);
        await advance(101);
        await acquire('renewing', 'second', 1000);
        return { inTime, isFree, afterwards: await renew() };
      });
      expect(renewals).toEqual({ inTime: true, isFree: false, afterwards: false });
      expect(await acquire('renewing', 'third', 1000)).toBe(false);
    });

    test('the lease is renewed by the interval as long as the work runs', async () => {
      const options = { leaseMs: 1000, renewIntervalMs: 5 };
      await makeWith('first')('interval', options, async ({ signal }) => {
        for (let round = 0; round < 3; round += 1) {
          await advance(900);
          const now = shared().clock.now();
          await until('it is renewed', async () => {
            const rows = await shared().database.read<{ name: string; until: number }>('leases');
            return rows.some((row) => row.name === 'interval' && row.until >= now + 1000);
          });
        }
        expect(signal.aborted).toBe(false);
      });
      expect(await acquire('interval', 'second', 1000)).toBe(true);
    });

    test('the signal aborts when the interval finds that the lease is lost', async () => {
      const { database, clock } = shared();
      const options = { leaseMs: 1000, renewIntervalMs: 5 };
      const reason = await makeWith('first')('lost', options, async ({ signal }) => {
        await database
          .write('leases')
          .where({ name: 'lost' })
          .update({ owner: 'second', until: clock.now() + 1000 });
        if (!signal.aborted) await once(signal, 'abort');
        return signal.reason as unknown;
      });
      expect(reason).toEqual(new Error('lease lost to another process'));
      expect(await acquire('lost', 'third', 1000)).toBe(false);
    });
  });
};
