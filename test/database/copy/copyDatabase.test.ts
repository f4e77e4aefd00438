import { describe, expect, test } from '@jest/globals';
import { copyDatabase, type CopiedRows } from '../../../src/database/copy/copyDatabase.js';
import { openDatabase, type Database } from '../../../src/database/database.js';
import { migrations } from '../../../src/database/migrations/index.js';
import { migrate, pendingMigrations, runMigrations } from '../../../src/database/migrator.js';
import { acquireServiceLock } from '../../../src/database/serviceLock.js';
import {
  makeEmptyPostgresDatabase,
  makeEmptySqliteDatabase,
  makePostgresDatabase,
  makeSqliteDatabase,
  openPatiently,
  type MakeDatabase,
} from '../../support/databases.js';
import { endsAfterEach } from '../../support/fixture.js';
import { fillEveryTable, tablesOf } from '../../support/sampleRows.js';

const ended = endsAfterEach();

/** A database of a test's own. */
const make = async (makeDatabase: MakeDatabase): Promise<string> => {
  const { url, drop } = await makeDatabase();
  ended.push(drop);
  return url;
};

/** Works with a database, and leaves no session. */
const using = async <T>(url: string, work: (database: Database) => Promise<T>): Promise<T> => {
  const database = openPatiently(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};

const copy = (
  source: string,
  target: string,
  signal = new AbortController().signal,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<CopiedRows[]> => copyDatabase(source, target, { timeoutMs: 120_000, signal, onProgress });

const insertVoucher = async ({ write }: Database, code: string): Promise<number> => {
  const [row] = await write('vouchers')
    .insert({
      ...{ code, name: code, site_id: 1, controller_id: 1, max_uses: 1, expire_minutes: 60 },
      ...{ status: 'valid', used_count: 0, created_at: 0, words: JSON.stringify([code]) },
    })
    .returning<{ id: number }[]>('id');
  return row?.id ?? 0;
};

/** All rows of all tables, in a form that both databases share. The search words are inserted by a trigger. */
const contentOf = async (database: Database): Promise<Record<string, string[]>> => {
  const content: Record<string, string[]> = {};
  for (const { name } of await tablesOf(database))
    if (name !== 'voucher_words')
      content[name] = (await database.read(name).select())
        .map((row) => JSON.stringify(Object.entries(row as object).sort(byName), toShared))
        .sort();
  return content;
};

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/** Booleans of SQLite are numbers. */
const toShared = (_: string, value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

const directions: [string, MakeDatabase, MakeDatabase][] = [
  ['SQLite to PostgreSQL', makeSqliteDatabase, makeEmptyPostgresDatabase],
  ['PostgreSQL to SQLite', makePostgresDatabase, makeEmptySqliteDatabase],
];

describe.each(directions)('a copy from %s', (_, makeSource, makeTarget) => {
  test('has every row of every table, and ids and search go on', async () => {
    const [source, target] = [await make(makeSource), await make(makeTarget)];
    let removed = 0;
    const expected = await using(source, async (database) => {
      await fillEveryTable(database, 3);
      const { write } = database;
      removed = await insertVoucher(database, '1111122222');
      await write('vouchers').where({ id: removed }).delete();
      await write('revisions').insert([
        { name: '', value: Number.MAX_SAFE_INTEGER },
        { name: 'x'.repeat(2000), value: -1 },
      ]);
      await write('settings').insert({ name: 'long', value: 'ä\u2028"\\\t'.repeat(13_000) });
      await write('write_probes').insert({ id: 4, filler: Buffer.alloc(0) });
      await write('audit_log').insert({
        ...{ id: 4, at: 0, actor_kind: 'system', action: 'x', detail: '{}', count: 1 },
      });
      return contentOf(database);
    });
    const progress: number[] = [];
    const copied = await copy(source, target, undefined, (done) => void progress.push(done));
    await using(target, async (database) => {
      expect(await contentOf(database)).toEqual(expected);
      expect(Object.fromEntries(copied.map(({ table, rows }) => [table, rows]))).toEqual(
        Object.fromEntries(Object.entries(expected).map(([table, rows]) => [table, rows.length])),
      );
      expect(progress.at(-1)).toBe(copied.reduce((sum, { rows }) => sum + rows, 0));
      expect(await migrate(database)).toEqual([]);
      const words = await database
        .read('voucher_words')
        .where({ voucher_id: 2 })
        .orderBy('word')
        .pluck('word');
      expect(words).toEqual(['gast2', 'zimmer']);
      const id = await insertVoucher(database, '3333344444');
      expect(id).toBe(removed + 1);
      expect(await database.read('voucher_words').where({ voucher_id: id }).pluck('word')).toEqual([
        '3333344444',
      ]);
      const [user] = await database.read('users').select('*');
      const { id: _id, ...columns } = user as Record<string, unknown>;
      const another = { ...columns, name_key: 'zwei', email_key: 'zwei', subject: 'zwei' };
      expect(await database.write('users').insert(another).returning('id')).toEqual([{ id: 4 }]);
    });
  });

  test('that ends early leaves a target that is refused, without records, and can be started again', async () => {
    const [source, target] = [await make(makeSource), await make(makeTarget)];
    const expected = await using(source, async (database) => {
      await fillEveryTable(database, 3);
      return contentOf(database);
    });
    const stop = new AbortController();
    const stopHalfway = (done: number, total: number): void => {
      if (2 * done > total) stop.abort(new Error('interrupted'));
    };
    await expect(copy(source, target, stop.signal, stopHalfway)).rejects.toThrow('interrupted');
    await using(target, async (database) => {
      await expect(migrate(database)).rejects.toThrow('the database is an unfinished copy: run ');
      expect(await database.read('sites').select()).toEqual([]);
    });
    await copy(source, target);
    await using(target, async (database) => {
      expect(await contentOf(database)).toEqual(expected);
      expect(await pendingMigrations(database)).toEqual([]);
    });
  });
});

test('nobody can write to a SQLite source while it is copied, and everybody can afterwards', async () => {
  const [source, target] = [await make(makeSqliteDatabase), await make(makeEmptyPostgresDatabase)];
  await using(source, (database) => fillEveryTable(database, 1));
  const other = openDatabase(source);
  ended.push(other.close);
  await other.write.raw('pragma busy_timeout = 0');
  const attempts: Promise<unknown>[] = [];
  const write = () => other.write('settings').insert({ name: 'eigen', value: '1' });
  await copy(source, target, undefined, () => {
    if (attempts.length === 0) attempts.push(write().then(String, String));
  });
  expect(await Promise.all(attempts)).toEqual([expect.stringContaining('SQLITE_BUSY')]);
  await write();
});

describe('a target that has tables is refused, and is not changed', () => {
  test.each([
    ['PostgreSQL', makeSqliteDatabase, makePostgresDatabase],
    ['SQLite', makePostgresDatabase, makeSqliteDatabase],
  ])('those of a service (%s)', async (_, makeSource, makeTarget) => {
    const [source, target] = [await make(makeSource), await make(makeTarget)];
    await using(source, (database) => fillEveryTable(database, 1));
    await expect(copy(source, target)).rejects.toThrow('the target is not empty, it has tables (');
    await using(target, async (database) => {
      expect(await database.read('sites').select()).toEqual([]);
      expect(await pendingMigrations(database)).toEqual([]);
    });
  });

  test('those of another program', async () => {
    const [source, target] = [await make(makeSqliteDatabase), await make(makeEmptyPostgresDatabase)];
    await using(target, (database) =>
      database.write.schema.createTable('posts', (table) => void table.float('price')),
    );
    await expect(copy(source, target)).rejects.toThrow('it has tables (posts)');
    await using(target, async ({ read }) => expect(await read.schema.hasTable('migrations')).toBe(false));
  });
});

describe('a source of another version is refused', () => {
  test('an earlier one, with what it lacks', async () => {
    const [source, target] = [await make(makeEmptySqliteDatabase), await make(makeEmptyPostgresDatabase)];
    await using(source, (database) => runMigrations(database, migrations.slice(0, -1)));
    await expect(copy(source, target)).rejects.toThrow(
      new RegExp(
        `is of an earlier version and lacks ${migrations.at(-1)!.name}: back it up, and run .* migrate`,
      ),
    );
    await using(target, async ({ read }) => expect(await read.schema.hasTable('migrations')).toBe(false));
  });

  test('a later one', async () => {
    const [source, target] = [await make(makeSqliteDatabase), await make(makeEmptyPostgresDatabase)];
    await using(source, ({ write }) => write('migrations').insert({ name: '9999_newer', done_at: 0 }));
    await expect(copy(source, target)).rejects.toThrow('newer than this program');
  });
});

describe('while a service uses the source', () => {
  test('of SQLite, by its lock', async () => {
    const [source, target] = [await make(makeSqliteDatabase), await make(makeEmptyPostgresDatabase)];
    const release = await acquireServiceLock(source);
    await expect(copy(source, target)).rejects.toThrow('another service runs on ');
    await release();
    expect(await copy(source, target)).not.toEqual([]);
    // The lock is free again.
    await (
      await acquireServiceLock(source)
    )();
  });

  test('of PostgreSQL, by its sessions; others do not matter', async () => {
    const [source, target] = [await make(makePostgresDatabase), await make(makeEmptySqliteDatabase)];
    const service = openDatabase(source, { poolMax: 1, timeoutMs: 120_000 });
    ended.push(service.close);
    await service.read.raw('select 1');
    await expect(copy(source, target)).rejects.toThrow(
      'a service or a command uses the source: stop it first',
    );
    await service.read.raw("set application_name = 'psql'");
    expect(await copy(source, target)).not.toEqual([]);
  });
});

test('a service that starts while a PostgreSQL is copied fails the copy', async () => {
  const [source, target] = [await make(makePostgresDatabase), await make(makeEmptySqliteDatabase)];
  await using(source, (database) => fillEveryTable(database, 1));
  const service = openDatabase(source, { poolMax: 1, timeoutMs: 120_000 });
  ended.push(service.close);
  const writes: Promise<unknown>[] = [];
  const write = () => service.write('settings').insert({ name: 'eigen', value: '1' });
  const copied = copy(source, target, undefined, () => {
    if (writes.length === 0) writes.push(write().then(String, String));
  });
  await expect(copied).rejects.toThrow('a service or a command uses the source: stop it first');
  await Promise.all(writes);
  await using(target, async ({ read }) => expect(await read('sites').select()).toEqual([]));
});

test('what PostgreSQL can not store is refused with its table, and nothing is copied', async () => {
  const [source, target] = [await make(makeSqliteDatabase), await make(makeEmptyPostgresDatabase)];
  await using(source, ({ write }) => write('settings').insert({ name: 'null', value: 'geheim\0' }));
  await expect(copy(source, target)).rejects.toThrow(
    'settings has a value that PostgreSQL can not store (22021): ',
  );
  await using(target, async ({ read }) => expect(await read('settings').select()).toEqual([]));
});
