import { describe, expect, test } from '@jest/globals';
import { interruptedBy } from '../../src/database/interruption.js';
import { openDatabase } from '../../src/database/database.js';
import { makePostgresDatabase, makeSqliteDatabase, openPatiently } from '../support/databases.js';
import { forAllTests } from '../support/fixture.js';
import { until } from '../support/until.js';

const endless = {
  sqlite: 'with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n',
  postgres: 'select pg_sleep(3600)',
};
/** With PostgreSQL a connection is opened within it, too. */
const hastyMs = { sqlite: 500, postgres: 2500 };
/** For what is short: with PostgreSQL, three of ten are for scans. */
const connections = { sqlite: 2, postgres: 7 };

describe.each([
  ['SQLite', makeSqliteDatabase],
  ['PostgreSQL', makePostgresDatabase],
] as const)('%s', (_name, make) => {
  const own = forAllTests(make, 'drop');
  const database = forAllTests(() => openPatiently(own.url), 'close');
  const runEndless = (signal: AbortSignal): Promise<unknown> =>
    database.read
      .raw(endless[database.dialect])
      .queryContext(interruptedBy(signal))
      .then(
        () => 'it ended',
        (error: unknown) => error,
      );
  const answers = (): Promise<unknown> => Promise.resolve(database.read('sites').select('id'));

  test('a read has a time limit', async () => {
    const hasty = openDatabase(own.url, { timeoutMs: hastyMs[database.dialect] });
    try {
      // The time is for the statement: on a busy machine a connection may need longer.
      await until('a connection is open', () =>
        hasty.read.raw('select 1').then(
          () => !hasty.isUnavailable,
          () => false,
        ),
      );
      await expect(Promise.resolve(hasty.read.raw(endless[hasty.dialect]))).rejects.toMatchObject({
        name: 'DatabaseTimeout',
      });
      expect(hasty.isUnavailable).toBe(false);
    } finally {
      await hasty.close();
    }
  });

  test('long work may take longer than that', async () => {
    const hasty = openDatabase(own.url, { timeoutMs: 2 * hastyMs[database.dialect] });
    try {
      const ended = AbortSignal.timeout(3 * hastyMs[hasty.dialect]);
      const work = hasty.withoutTimeouts((db) =>
        db.raw(endless[hasty.dialect]).queryContext(interruptedBy(ended)),
      );
      await expect(work).rejects.toMatchObject({ name: 'TimeoutError' });
    } finally {
      await hasty.close();
    }
  });

  test('reads that nobody waits for are interrupted, and all connections go on', async () => {
    const gone = new AbortController();
    const reason = new Error('nobody waits');
    // As many as there are connections, and some that wait for one.
    const reads = Array.from({ length: connections[database.dialect] + 3 }, () => runEndless(gone.signal));
    if (database.dialect === 'postgres')
      await until('the statements run', async () => {
        const { rows } = await openedActivity();
        return rows.length === connections.postgres;
      });
    gone.abort(reason);
    expect(new Set(await Promise.all(reads))).toEqual(new Set([reason]));
    for (let index = 0; index < 20; index += 1) await answers();
    await Promise.all(Array.from({ length: 20 }, answers));
    if (database.dialect === 'postgres')
      await until('no statement runs any more', async () => (await openedActivity()).rows.length === 0);
  });

  /** What still runs on the server, asked over a connection of its own. */
  const openedActivity = async (): Promise<{ rows: unknown[] }> => {
    const other = openPatiently(own.url);
    try {
      return await other.read.raw(
        `select pid from pg_stat_activity where datname = current_database() and state = 'active'
         and query like 'select pg_sleep%'`,
      );
    } finally {
      await other.close();
    }
  };

  test('a read that is no longer wanted does not begin', async () => {
    const reason = new Error('gone before');
    expect(await runEndless(AbortSignal.abort(reason))).toBe(reason);
  });

  test('an interrupted read leaves the writer alone', async () => {
    const gone = new AbortController();
    const reading = runEndless(gone.signal);
    const numbers =
      database.dialect === 'sqlite'
        ? 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 4000) select i from n'
        : 'select i from generate_series(1, 4000) as n (i)';
    const writing = database.write.transaction(async (transaction) => {
      for (let round = 0; round < 5; round += 1)
        await transaction.raw(
          `insert into settings (name, value) select 'x' || i || 'r' || ${String(round)}, '1' from (${numbers}) as numbers`,
        );
    });
    gone.abort();
    await Promise.all([reading, writing]);
    expect(await database.read('settings').where('name', 'like', 'x%').pluck('name')).toHaveLength(20_000);
  });
});
