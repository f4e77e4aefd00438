import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Database } from '../../src/database/database.js';
import { openDatabaseClock } from '../../src/database/databaseClock.js';
import { makeClock } from '../support/clock.js';
import { holdDatabaseClock, type TestDatabaseClock } from '../support/databaseClock.js';
import {
  makePostgresDatabase,
  makeSqliteDatabase,
  openPatiently,
  type TestDatabase,
} from '../support/databases.js';

const hourMs = 3_600_000;

describe('with PostgreSQL', () => {
  let own: TestDatabase;
  let server: TestDatabaseClock;
  let database: Database;
  let begun: number;
  beforeAll(async () => {
    own = await makePostgresDatabase();
    server = await holdDatabaseClock(own.url);
    database = openPatiently(own.url);
  });
  beforeEach(() => {
    begun = performance.now();
  });
  afterAll(async () => {
    await database.close();
    await own.drop();
  });
  /** The server's clock stands still meanwhile, so ours may be ahead by as long as the test lasts. */
  const expectServerTime = (now: number): void => {
    const lasted = Math.ceil(performance.now() - begun);
    expect(now).toBeGreaterThanOrEqual(server.now() - lasted);
    expect(now).toBeLessThanOrEqual(server.now() + lasted);
  };

  test.each([-hourMs, 0, hourMs])(
    'the time is the server’s, with a clock of our own that is %i ms ahead',
    async (ahead) => {
      const clock = await openDatabaseClock(database, { now: () => server.now() + ahead });
      expectServerTime(clock.now());
    },
  );

  test('between two measurements the time goes on, whatever our own clock does', async () => {
    const own = makeClock();
    const clock = await openDatabaseClock(database, own);
    const [before, from] = [clock.now(), performance.now()];
    own.advance(-hourMs);
    while (performance.now() - from < 5);
    expect(clock.now()).toBeGreaterThanOrEqual(before + 5);
    expectServerTime(clock.now());
  });

  test.each([-hourMs, hourMs])(
    'a clock of the server that is set by %i ms is followed with the next measurement',
    async (ms) => {
      const clock = await openDatabaseClock(database, makeClock());
      await server.advance(ms);
      await clock.measure();
      expectServerTime(clock.now());
    },
  );
});

test('with SQLite the time is that of our own clock', async () => {
  const own = await makeSqliteDatabase();
  const database = openPatiently(own.url);
  const ours = makeClock();
  const clock = await openDatabaseClock(database, ours);
  ours.advance(-hourMs);
  await clock.measure();
  expect(clock.now()).toBe(ours.now());
  await database.close();
  await own.drop();
});
