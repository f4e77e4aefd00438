import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabase, type Database } from '../../src/database/database.js';
import { makePostgresDatabase, type TestDatabase } from '../support/databases.js';
import { until } from '../support/until.js';

const unavailable = { name: 'DatabaseUnavailable' };

describe('a statement that waits too long for a lock', () => {
  let own: TestDatabase;
  let database: Database;
  let other: pg.Client;
  beforeEach(async () => {
    own = await makePostgresDatabase();
    database = openDatabase(own.url, { timeoutMs: 1000 });
    other = new pg.Client(own.url);
    await other.connect();
    await other.query('create table held (id int)');
    await other.query('begin; lock table held');
    // The second is for the statement: on a busy machine a connection may need longer.
    await until('a connection is open', () =>
      database.read.raw('select 1').then(
        () => !database.isUnavailable,
        () => false,
      ),
    );
  });
  afterEach(async () => {
    await other.end();
    await database.close();
    await own.drop();
  });

  test.each<[string, string, (db: Database) => Promise<unknown>]>([
    ['ended by its own time', '57014', ({ read }) => read('held').select()],
    [
      'ended by that of the lock',
      '55P03',
      ({ write }) =>
        write.transaction(async (transaction) => {
          await transaction.raw('set local lock_timeout = 10');
          await transaction('held').select();
        }),
    ],
  ])('%s says nothing against a database that answers others', async (_, code, ask) => {
    const error: unknown = await ask(database).catch((thrown: unknown) => thrown);
    // Seen before the database could be asked again, which would take the verdict back.
    expect(database.isUnavailable).toBe(false);
    expect(error).toMatchObject({ name: 'DatabaseTimeout', cause: { code } });
  });
});

describe('when no connection can be opened', () => {
  let database: Database;
  beforeEach(async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    // Nobody would wait for the end of this.
    const timeoutMs = 3_600_000;
    database = openDatabase(`postgres://nobody@127.0.0.1:${port}/none`, { poolMax: 2, timeoutMs });
  });
  afterEach(() => database.close());

  test('everybody who waits for one is told at once', async () => {
    const asked = Array.from({ length: 20 }, () => database.read.raw('select 1'));
    for (const { status, ...rest } of await Promise.allSettled(asked))
      expect([status, rest]).toMatchObject(['rejected', { reason: unavailable }]);
    expect(database.isUnavailable).toBe(true);
  });
});
