import { utimesSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import { generateApiKey } from '../../src/apiKeys/apiKeys.js';
import { nodeSystem } from '../../src/lib/system.js';
import { openDatabase } from '../../src/database/database.js';
import { makeTables, type Tables } from '../../src/app/tables.js';
import { withApi } from '../support/api.js';
import { statementsOf } from '../support/queryLog.js';
import { someKey } from '../support/records.js';

const api = withApi({
  perTest: 'service',
  beforeStart: () => {
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
    return {};
  },
  beforeStop: () => void jest.useRealTimers(),
});

/** What another process on the same database does. */
const elsewhere = async (work: (tables: Tables) => Promise<unknown>): Promise<void> => {
  const database = openDatabase(`sqlite:${api.dataDir}/voucherd.sqlite`);
  try {
    await work(makeTables(database));
  } finally {
    await database.close();
  }
};
const statusOf = async (key: string): Promise<number> => (await api.get('/sites.php', { key })).status;

test('a key that another process revokes is refused within one second', async () => {
  const { key } = api;
  expect(await statusOf(key)).toBe(200);
  await elsewhere(({ apiKeys }) => apiKeys.revoke(key.slice(4, 12), Date.now()));
  jest.advanceTimersByTime(1000);
  // Each request takes more turns than the reading of the keys that the timer has begun.
  const statuses: number[] = [];
  while (statuses.at(-1) !== 401 && statuses.length < 100) statuses.push(await statusOf(key));
  expect(statuses.at(-1)).toBe(401);
});

/** As when the end of another's transaction came after the last look at the file. */
const hideWrites = (): void => utimesSync(`${api.dataDir}/voucherd.sqlite-wal`, 1, 1);

test('a key that another process creates is accepted at once, even if the file does not show a change', async () => {
  const { key, prefix, hash } = generateApiKey(nodeSystem);
  hideWrites();
  for (let count = 0; count < 3; count++) expect(await statusOf(key)).toBe(401);
  await elsewhere(({ apiKeys }) => apiKeys.add(someKey({ prefix, hash, rateLimit: 0 })));
  hideWrites();
  expect(await statusOf(key)).toBe(200);
});

test('however many unknown keys come after a change, the keys are read once', async () => {
  await elsewhere(({ apiKeys }) => apiKeys.add(someKey(generateApiKey(nodeSystem))));
  const statements = await statementsOf(api.database, async () => {
    const unknown = Array.from({ length: 50 }, () => statusOf(generateApiKey(nodeSystem).key));
    expect(new Set(await Promise.all(unknown))).toEqual(new Set([401]));
  });
  expect(statements.filter((sql) => sql.includes('api_keys'))).toHaveLength(1);
});

test('a site that another process adds or activates receives vouchers at once', async () => {
  const known = api.siteId;
  const order = async (site_id: number) => (await api.createVoucher({ site_id })).status;
  const { controllerId } = (await api.tables.sites.all())[0]!;
  const site = { name: 'Anbau', active: false, controllerId, controllerSite: 'b' };
  expect(await order(known)).toBe(201);
  hideWrites();
  expect(await order(known + 1)).toBe(404);
  await elsewhere(async ({ sites }) => {
    const id = await sites.add(site, Date.now());
    await sites.change(id, { active: true });
  });
  hideWrites();
  expect(await order(known + 1)).toBe(201);
});
