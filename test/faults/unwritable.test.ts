import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { simulatedFile } from '../../src/controllers/simulated/simulated.js';
import { openDatabase } from '../../src/database/database.js';
import { openSqliteFile } from '../../src/database/sqlite.js';
import { withApi } from '../support/api.js';
import { makeClock } from '../support/clock.js';
import { controllerOf } from '../support/serviceInternals.js';
import { until } from '../support/until.js';
import {
  expectNothingHalfWritten,
  expectSettled,
  expectWholeFiles,
  readDataSnapshot,
} from './dataSnapshot.js';

const minute = 60_000;
const clock = makeClock();
const api = withApi({ system: { now: clock.now } });

beforeAll(async () => {
  await api.get('/sites.php', { key: api.key });
});
afterEach(() => expectWholeFiles(api.dataDir));

const pragma = async (setting: string): Promise<void> => {
  await api.database.write.raw(`PRAGMA ${setting}`);
};
const whileReadOnly = async (body: () => Promise<void>): Promise<void> => {
  await pragma('query_only = ON');
  try {
    await body();
  } finally {
    await pragma('query_only = OFF');
  }
};
const order = (name: string) => api.createVoucher({ name });
const failure = (message: string) => ({ status: 500, body: { error: 'server_error', message } });
const readOnly = failure('SQLITE_READONLY: attempt to write a readonly database');

test('a read-only database gives 500 before a controller is asked, and 201 when it can be written again', async () => {
  await whileReadOnly(async () => {
    expect(await order('nur lesbar')).toMatchObject(readOnly);
    expect((await api.listVouchers()).status).toBe(200);
    expect((await readDataSnapshot(api.dataDir)).made).toEqual([]);
  });
  expect((await order('wieder schreibbar')).status).toBe(201);
  expectSettled(await readDataSnapshot(api.dataDir));
});

test('a database that becomes read-only while the controller works loses no voucher', async () => {
  // The controller can not create anything until it is let.
  const controller = openSqliteFile(
    simulatedFile(api.dataDir, await controllerOf(api, api.siteId)),
    1,
    'PRAGMA synchronous = NORMAL;',
  );
  await controller.raw('BEGIN IMMEDIATE');
  const answer = order('unterwegs');
  await until(
    'the intent is written',
    async () => (await readDataSnapshot(api.dataDir)).intents.length === 1,
  );
  await whileReadOnly(async () => {
    await controller.raw('ROLLBACK');
    await controller.destroy();
    expect(await answer).toMatchObject(readOnly);
    const books = await readDataSnapshot(api.dataDir);
    expectNothingHalfWritten(books);
    expect(books.made).toHaveLength(books.vouchers.length + 1);
  });
  expect((await order('danach')).status).toBe(201);
  clock.advance(minute);
  expect(await api.app.reconcile()).toBe(0);
  expectSettled(await readDataSnapshot(api.dataDir));
});

test('a database that another program locks gives 503, and 201 when the lock is gone', async () => {
  await pragma('busy_timeout = 50');
  const other = openDatabase(`sqlite:${join(api.dataDir, 'voucherd.sqlite')}`);
  try {
    await other.write.raw('BEGIN IMMEDIATE');
    expect(await order('gesperrt')).toMatchObject({ status: 503, body: { error: 'unavailable' } });
    expect((await api.listVouchers()).status).toBe(200);
    await other.write.raw('ROLLBACK');
    expect((await order('entsperrt')).status).toBe(201);
  } finally {
    await other.close();
    await pragma('busy_timeout = 10000');
  }
  expectSettled(await readDataSnapshot(api.dataDir));
});
