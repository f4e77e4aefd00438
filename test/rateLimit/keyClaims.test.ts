import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import { makeKeyClaims } from '../../src/rateLimit/keyClaims.js';
import { makeClock } from '../support/clock.js';
import {
  makePostgresDatabase,
  makeSqliteDatabase,
  openPatiently,
  type TestDatabase,
} from '../support/databases.js';

describe.each([
  ['SQLite', makeSqliteDatabase],
  ['PostgreSQL', makePostgresDatabase],
] as const)('a claim on %s', (_name, makeDatabase) => {
  const clock = makeClock();
  let [given, database]: [TestDatabase | undefined, Database | undefined] = [undefined, undefined];
  beforeAll(async () => {
    given = await makeDatabase();
    database = openPatiently(given.url);
  });
  afterAll(async () => {
    await database?.close();
    await given?.drop();
  });

  test('is for its first owner, however often and at once others try, until its time is over', async () => {
    const { claim } = makeKeyClaims(database!, clock, 3_600_000);
    const owners = Array.from({ length: 20 }, (_, index) => `order ${String(index)}`);
    const tryAll = () => Promise.all(owners.map((owner) => claim('one', owner)));
    const first = await tryAll();
    expect(first.filter(Boolean)).toHaveLength(1);
    expect(await tryAll()).toEqual(first);
    expect(await claim('two', 'order 0')).toBe(true);
    // As if it had been claimed long ago.
    const ended = makeKeyClaims(database!, clock, 0);
    expect([await ended.claim('three', 'order 0'), await ended.claim('three', 'order 1')]).toEqual([
      true,
      true,
    ]);
  });
});
