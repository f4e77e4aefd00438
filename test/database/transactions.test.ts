import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { DatabaseUnavailable } from '../../src/database/unavailable.js';
import { openDatabase, type Database } from '../../src/database/database.js';
import { inRepeatableTransaction } from '../../src/database/transactions.js';
import { makeSqliteDatabase, type TestDatabase } from '../support/databases.js';

let own: TestDatabase;
let database: Database;
let elapsedMs: number;
beforeEach(async () => {
  own = await makeSqliteDatabase();
  database = openDatabase(own.url);
  elapsedMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => elapsedMs);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await database.close();
  await own.drop();
});

/** Each try ends at its time, without an answer of the database; one more than there are times gets an answer. */
const tryUntil = async (endsMs: readonly number[]): Promise<{ tries: number; isDone: boolean }> => {
  let tries = 0;
  const work = async (): Promise<true> => {
    const endMs = endsMs[tries++];
    if (endMs === undefined) return true;
    elapsedMs = endMs;
    throw new DatabaseUnavailable('unreachable', 'the database does not answer');
  };
  try {
    return { isDone: await inRepeatableTransaction(database.write, work), tries };
  } catch (error) {
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    return { isDone: false, tries };
  }
};

test.each([
  ['again and again for three seconds', [0, 1000, 2000, 3000], { tries: 5, isDone: true }],
  ['not after three seconds', [0, 1000, 2000, 3001], { tries: 4, isDone: false }],
  ['once at least, however long the first try took', [20_000], { tries: 2, isDone: true }],
])('a transaction that gets no answer is repeated %s', async (_, endsMs, outcome) => {
  expect(await tryUntil(endsMs)).toEqual(outcome);
});

test('a transaction that fails otherwise is not repeated', async () => {
  let tries = 0;
  const work = (): Promise<void> => {
    tries += 1;
    return Promise.reject(new Error('Platte voll'));
  };
  await expect(inRepeatableTransaction(database.write, work)).rejects.toThrow('Platte voll');
  expect(tries).toBe(1);
});
