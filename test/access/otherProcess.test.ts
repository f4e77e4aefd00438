import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { generateApiKey } from '../../src/access/apiKeys.js';
import { nodeSystem } from '../../src/lib/system.js';
import { openDatabase } from '../../src/storage/database.js';
import { makeStorage, type Storage } from '../../src/storage/storage.js';
import { someKey } from '../support/records.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;

beforeEach(async () => {
  // Only the timers stand still; sockets and the database do not notice.
  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
    ],
  });
  service = await startService();
});
afterEach(async () => {
  jest.useRealTimers();
  await service.stop();
});

/** What another process on the same database does. */
const elsewhere = async (work: (storage: Storage) => Promise<unknown>): Promise<void> => {
  const database = openDatabase(`sqlite:${service.dataDir}/voucherd.sqlite`);
  try {
    await work(makeStorage(database));
  } finally {
    await database.close();
  }
};
const statusOf = async (key: string): Promise<number> => (await service.get('/sites.php', { key })).status;

test('a key that another process revokes is refused within one second', async () => {
  const key = await service.addKey();
  expect(await statusOf(key)).toBe(200);
  await elsewhere(({ apiKeys }) => apiKeys.revoke(key.slice(4, 12), Date.now()));
  jest.advanceTimersByTime(1000);
  // Each request takes more turns than the reading of the keys that the timer has begun.
  const statuses: number[] = [];
  while (statuses.at(-1) !== 401 && statuses.length < 100) statuses.push(await statusOf(key));
  expect(statuses.at(-1)).toBe(401);
});

test('a key that another process creates is accepted at once', async () => {
  const { key, prefix, hash } = generateApiKey(nodeSystem);
  expect(await statusOf(key)).toBe(401);
  await elsewhere(({ apiKeys }) => apiKeys.add(someKey({ prefix, hash, rateLimit: 0 })));
  expect(await statusOf(key)).toBe(200);
});
