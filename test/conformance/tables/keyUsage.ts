import { expect, test } from '@jest/globals';
import type { Shared } from './sharedDatabase.js';

const hourMs = 3_600_000;

export const keyUsageConformance = (shared: () => Shared): void => {
  test('what is added counts on top of what is there, also from several processes at a time', async () => {
    const { keyUsage } = shared().tables;
    const usage = (keyId: number, requests: number, refusals: number) => ({
      ...{ keyId, hour: hourMs, requests, refusals, failures: 2 * refusals },
    });
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        keyUsage.add(index % 2 === 0 ? [usage(1, 2, 1), usage(2, 5, 0)] : [usage(2, 5, 0), usage(1, 2, 1)]),
      ),
    );
    expect(await keyUsage.since(0)).toEqual([usage(1, 20, 10), usage(2, 50, 0)]);
  });

  test('hours are read from one on, and removed before one', async () => {
    const { keyUsage } = shared().tables;
    await keyUsage.removeBefore(Number.MAX_SAFE_INTEGER);
    const hours = [3, 1, 2].map((hour) => ({
      keyId: 1,
      hour: hour * hourMs,
      requests: 1,
      refusals: 0,
      failures: 0,
    }));
    await keyUsage.add(hours);
    expect((await keyUsage.since(2 * hourMs)).map(({ hour }) => hour / hourMs)).toEqual([2, 3]);
    expect(await keyUsage.removeBefore(3 * hourMs)).toBe(2);
    expect((await keyUsage.since(0)).map(({ hour }) => hour / hourMs)).toEqual([3]);
  });

  test('nothing is written for nothing', async () => {
    await expect(shared().tables.keyUsage.add([])).resolves.toBeUndefined();
  });
};
