import { afterEach, expect, jest, test } from '@jest/globals';
import { makeLimiter } from '../../../src/access/limiter.js';
import { someTime } from '../../support/records.js';
import type { Shared } from '../storage.js';

export const limiterConformance = (shared: () => Shared): void => {
  afterEach(() => {
    jest.restoreAllMocks();
  });
  const setClock = (now: number): void => {
    jest.spyOn(Date, 'now').mockReturnValue(now);
  };

  test('with limit N exactly N of any number of concurrent requests in one window are accepted', async () => {
    setClock(someTime);
    const limiter = makeLimiter(shared().database);
    const counts = await Promise.all(
      Array.from({ length: 200 }, async () => limiter.count({ id: 1, rateLimit: 50 })),
    );
    expect(counts.filter((count) => count?.accepted)).toHaveLength(50);
  });

  test('remaining falls to 0 and stays there; reset is the seconds until the window ends', async () => {
    setClock(someTime);
    const limiter = makeLimiter(shared().database);
    const key = { id: 2, rateLimit: 2 };
    const count = async (ms: number) => {
      setClock(someTime + ms);
      return limiter.count(key);
    };
    expect(await count(0)).toEqual({ accepted: true, limit: 2, remaining: 1, resetSeconds: 60 });
    expect(await count(500)).toEqual({ accepted: true, limit: 2, remaining: 0, resetSeconds: 60 });
    expect(await count(20_000)).toEqual({ accepted: false, limit: 2, remaining: 0, resetSeconds: 40 });
    expect(await count(59_999)).toEqual({ accepted: false, limit: 2, remaining: 0, resetSeconds: 1 });
  });

  test('the window is fixed and lasts one minute', async () => {
    setClock(someTime);
    const limiter = makeLimiter(shared().database);
    const key = { id: 3, rateLimit: 1 };
    expect((await limiter.count(key))?.accepted).toBe(true);
    setClock(someTime + 59_999);
    expect((await limiter.count(key))?.accepted).toBe(false);
    setClock(someTime + 60_000);
    expect(await limiter.count(key)).toEqual({ accepted: true, limit: 1, remaining: 0, resetSeconds: 60 });
  });

  test('each key is counted on its own', async () => {
    const limiter = makeLimiter(shared().database);
    expect((await limiter.count({ id: 4, rateLimit: 1 }))?.accepted).toBe(true);
    expect((await limiter.count({ id: 5, rateLimit: 1 }))?.accepted).toBe(true);
    expect((await limiter.count({ id: 4, rateLimit: 1 }))?.accepted).toBe(false);
  });

  test('0 means unlimited: such a key is not counted', async () => {
    const limiter = makeLimiter(shared().database);
    expect(limiter.count({ id: 6, rateLimit: 0 })).toBeUndefined();
  });

  test('a limit that is changed holds for the requests counted already', async () => {
    setClock(someTime);
    const limiter = makeLimiter(shared().database);
    for (const _ of [1, 2, 3]) await limiter.count({ id: 7, rateLimit: 10 });
    expect((await limiter.count({ id: 7, rateLimit: 3 }))?.accepted).toBe(false);
    expect((await limiter.count({ id: 7, rateLimit: 5 }))?.accepted).toBe(true);
  });
};
