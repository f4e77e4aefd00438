import { beforeEach, expect, test } from '@jest/globals';
import { makeRateLimiter, type RateLimiter } from '../../../src/apiKeys/rateLimiter.js';
import { someTime } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

export const rateLimiterConformance = (shared: () => Shared): void => {
  beforeEach(() => shared().clock.set(someTime));
  const makeOne = (): RateLimiter => makeRateLimiter(shared().database, shared().clock);

  test('with limit N exactly N of any number of concurrent requests in one window are accepted', async () => {
    const limiter = makeOne();
    const counts = await Promise.all(
      Array.from({ length: 200 }, async () => limiter.count({ id: 1, rateLimit: 50 })),
    );
    expect(counts.filter((count) => count?.accepted)).toHaveLength(50);
  });

  test('remaining falls to 0 and stays there; reset is the seconds until the window ends', async () => {
    const limiter = makeOne();
    const key = { id: 2, rateLimit: 2 };
    const count = async (ms: number) => {
      await shared().clock.set(someTime + ms);
      return limiter.count(key);
    };
    expect(await count(0)).toEqual({ accepted: true, limit: 2, remaining: 1, resetSeconds: 60 });
    expect(await count(500)).toEqual({ accepted: true, limit: 2, remaining: 0, resetSeconds: 60 });
    expect(await count(20_000)).toEqual({ accepted: false, limit: 2, remaining: 0, resetSeconds: 40 });
    expect(await count(59_999)).toEqual({ accepted: false, limit: 2, remaining: 0, resetSeconds: 1 });
  });

  test('the window is fixed and lasts one minute', async () => {
    const limiter = makeOne();
    const key = { id: 3, rateLimit: 1 };
    expect((await limiter.count(key))?.accepted).toBe(true);
    await shared().clock.set(someTime + 59_999);
    expect((await limiter.count(key))?.accepted).toBe(false);
    await shared().clock.set(someTime + 60_000);
    expect(await limiter.count(key)).toEqual({ accepted: true, limit: 1, remaining: 0, resetSeconds: 60 });
  });

  test('each key is counted on its own', async () => {
    const limiter = makeOne();
    expect((await limiter.count({ id: 4, rateLimit: 1 }))?.accepted).toBe(true);
    expect((await limiter.count({ id: 5, rateLimit: 1 }))?.accepted).toBe(true);
    expect((await limiter.count({ id: 4, rateLimit: 1 }))?.accepted).toBe(false);
  });

  test('0 means unlimited: such a key is not counted', async () => {
    const limiter = makeOne();
    expect(limiter.count({ id: 6, rateLimit: 0 })).toBeUndefined();
  });

  test('a limit that is changed holds for the requests counted already', async () => {
    const limiter = makeOne();
    for (const _ of [1, 2, 3]) await limiter.count({ id: 7, rateLimit: 10 });
    expect((await limiter.count({ id: 7, rateLimit: 3 }))?.accepted).toBe(false);
    expect((await limiter.count({ id: 7, rateLimit: 5 }))?.accepted).toBe(true);
  });

  test.each([1, 59_000, 65 * 60_000])(
    'a clock that is set back by %i ms lengthens no window beyond a minute',
    async (ms) => {
      const limiter = makeOne();
      const key = { id: 100 + ms, rateLimit: 1 };
      await limiter.count(key);
      await shared().clock.advance(-ms);
      for (const _ of [1, 2]) {
        const count = await limiter.count(key);
        expect(count?.resetSeconds).toBeLessThanOrEqual(60);
      }
      await shared().clock.advance(60_000);
      expect((await limiter.count(key))?.accepted).toBe(true);
    },
  );

  test('a window that lies more than a minute ahead is over: it locks nobody out', async () => {
    const limiter = makeOne();
    const key = { id: 8, rateLimit: 1 };
    for (const _ of [1, 2, 3]) await limiter.count(key);
    await shared().clock.advance(-65 * 60_000);
    expect(await limiter.count(key)).toEqual({ accepted: true, limit: 1, remaining: 0, resetSeconds: 60 });
    expect((await limiter.count(key))?.accepted).toBe(false);
  });
};
