import { utimesSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../src/database/database.js';
import {
  makeRevisions,
  raiseRevisions,
  rememberRevisions,
  type RememberedRevisions,
} from '../../src/database/revisions.js';
import { inTransaction } from '../../src/database/transactions.js';
import { putSqliteDatabase } from '../support/databases.js';
import { makeFolder, type TestFolder } from '../support/folder.js';

let folder: TestFolder;
let own: Database;
/** As a command has it, which is another process. */
let other: Database;
let remembered: RememberedRevisions;
let queries: number;

beforeEach(async () => {
  folder = await makeFolder();
  await putSqliteDatabase(folder.path);
  const url = `sqlite:${folder.path}/voucherd.sqlite`;
  own = openDatabase(url);
  // The log of the file begins with its first write.
  await own.write('settings').insert({ name: 'x', value: '1' });
  other = openDatabase(url);
  remembered = rememberRevisions(own, makeRevisions(own));
  queries = 0;
  own.read.on('query', () => (queries += 1));
});
afterEach(async () => {
  await other.close();
  await own.close();
  await folder.remove();
});

const raise = (database: Database): Promise<void> =>
  inTransaction(database.write, (transaction) => raiseRevisions(transaction, ['sites']));

/** The next turn of the event loop. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('a revision is read once while nothing changes', async () => {
  await raise(own);
  for (let call = 0; call < 5; call += 1) {
    expect(await remembered.current('sites')).toBe(1);
    await nextTurn();
  }
  expect(queries).toBe(1);
});

test('what this process changes counts from the end of the transaction on', async () => {
  expect(await remembered.current('sites')).toBe(0);
  await raise(own);
  expect(await remembered.current('sites')).toBe(1);
});

test('what was read while a transaction ended is not remembered', async () => {
  const reading = remembered.current('sites');
  await raise(own);
  await reading;
  expect(await remembered.current('sites')).toBe(1);
});

test('what another process changes is seen in the next turn', async () => {
  expect(await remembered.current('sites')).toBe(0);
  await raise(other);
  await nextTurn();
  expect(await remembered.current('sites')).toBe(1);
});

test('what the log of the file does not show is found by looking', async () => {
  const hideTime = (): void => utimesSync(`${folder.path}/voucherd.sqlite-wal`, 1, 1);
  await remembered.check();
  hideTime();
  expect(await remembered.current('sites')).toBe(0);
  await raise(other);
  hideTime();
  await nextTurn();
  expect(await remembered.current('sites')).toBe(0);
  await remembered.check();
  expect(await remembered.current('sites')).toBe(1);
});

test('the latest revision is asked for, and remembered', async () => {
  const hideTime = (): void => utimesSync(`${folder.path}/voucherd.sqlite-wal`, 1, 1);
  hideTime();
  expect(await remembered.current('sites')).toBe(0);
  await raise(other);
  hideTime();
  await nextTurn();
  expect(await remembered.latest('sites')).toBe(1);
  expect(await remembered.current('sites')).toBe(1);
});
