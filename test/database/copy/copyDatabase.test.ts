import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  compareDatabases,
  copyDatabase,
  type CopyListener,
  type CopyResult,
  type CopySide,
} from '../../../src/database/copy/copyDatabase.js';
import { openDatabase, type Database } from '../../../src/database/database.js';
import { migrations } from '../../../src/database/migrations/index.js';
import { migrate, pendingMigrations, runMigrations } from '../../../src/database/migrator.js';
import { acquireServiceLock } from '../../../src/database/serviceLock.js';
import {
  makeEmptyPostgresDatabase,
  makeEmptySqliteDatabase,
  makePostgresDatabase,
  makeSqliteDatabase,
  type MakeDatabase,
} from '../../support/databases.js';
import { fillEveryTable, tablesOf } from '../../support/sampleRows.js';

const ended: (() => Promise<unknown>)[] = [];
const endAll = async (ends: (() => Promise<unknown>)[]): Promise<void> => {
  for (const end of ends.splice(0).reverse()) await end();
};
afterEach(() => endAll(ended));

/** A database of a test's own, as `database copy` opens it. */
const open = async (make: MakeDatabase, ends = ended): Promise<CopySide & { readonly url: string }> => {
  const { url, drop } = await make();
  const database = openDatabase(url, { poolMax: 1, timeoutMs: 120_000 });
  ends.push(drop, database.close);
  return { url, database, label: url.split('@').at(-1) ?? '', explain: (error) => error };
};

const silent: CopyListener = { onResume: () => undefined, onProgress: () => undefined };

const copy = (source: CopySide, target: CopySide, isRestart = false): Promise<CopyResult> =>
  copyDatabase(source, target, silent, { isRestart });

/** Stops a copy just after a page was copied, as a killed process does. */
const interruptAt = (page: number): CopyListener => {
  let pages = 0;
  return {
    ...silent,
    onProgress: ({ phase }) => {
      if (phase === 'copying' && (pages += 1) === page) throw new Error('interrupted');
    },
  };
};

const insertVoucher = async ({ write }: Database, code: string): Promise<number> => {
  const [row] = await write('vouchers')
    .insert({
      ...{ code, name: code, site_id: 1, controller_id: 1, max_uses: 1, expire_minutes: 60 },
      ...{ status: 'valid', used_count: 0, created_at: 0, words: JSON.stringify([code]) },
    })
    .returning<{ id: number }[]>('id');
  return row?.id ?? 0;
};

const directions: [string, MakeDatabase, MakeDatabase][] = [
  ['SQLite to PostgreSQL', makeSqliteDatabase, makePostgresDatabase],
  ['PostgreSQL to SQLite', makePostgresDatabase, makeSqliteDatabase],
];

describe.each(directions)('a copy from %s', (_, makeSource, makeTarget) => {
  describe('of what a service has recorded', () => {
    type Side = Awaited<ReturnType<typeof open>>;
    let [source, target]: [Side, Side] = [undefined!, undefined!];
    let result: CopyResult;
    let removed: number;
    const endPair: (() => Promise<unknown>)[] = [];
    const large = { name: '', value: Number.MAX_SAFE_INTEGER };
    beforeAll(async () => {
      [source, target] = [await open(makeSource, endPair), await open(makeTarget, endPair)];
      const { write } = source.database;
      await fillEveryTable(source.database, 3);
      if (source.database.dialect === 'postgres') await write.raw("select setval('vouchers_id_seq', 3)");
      removed = await insertVoucher(source.database, '1111122222');
      await write('vouchers').where({ id: removed }).delete();
      await write('voucher_words').where({ voucher_id: removed }).delete();
      await write('revisions').insert([large, { name: 'x'.repeat(2000), value: -1 }]);
      await write('settings').insert({ name: 'long', value: 'ä\u2028"\\\t'.repeat(13_000) });
      await write('write_probes').insert({ id: 4, filler: Buffer.alloc(0) });
      await write('audit_log').insert({
        ...{ id: 4, at: 0, actor_kind: 'system', action: 'x', detail: '{}', count: 1 },
      });
      result = await copy(source, target);
    });
    afterAll(() => endAll(endPair));

    test('has every row of every table that the migrations create', async () => {
      expect(result).toMatchObject({ equal: true, resumed: false, foreign: [] });
      const names = (await tablesOf(source.database)).map(({ name }) => name);
      expect(result.tables.map(({ table }) => table)).toEqual(names);
      expect(names).toEqual(
        expect.arrayContaining(['vouchers', 'voucher_words', 'sessions', 'write_probes']),
      );
      const more: Record<string, number> = { revisions: 5, settings: 4, write_probes: 4, audit_log: 4 };
      for (const { table, source: inSource } of result.tables)
        expect([table, inSource.rows]).toEqual([table, table === 'voucher_words' ? 9 : (more[table] ?? 3)]);
      // Not by the checksums alone.
      for (const table of ['emails', 'site_logos', 'voucher_words', 'users'])
        expect(normalize(await target.database.read(table).select())).toEqual(
          normalize(await source.database.read(table).select()),
        );
      expect(await migrate(target.database)).toEqual([]);
    });

    test('keeps large numbers, long and empty texts, empty and null values', async () => {
      const { read } = target.database;
      expect(await read('revisions').where({ name: '' }).first()).toEqual(large);
      expect(await read('write_probes').where({ id: 4 }).pluck('filler')).toEqual([Buffer.alloc(0)]);
      expect(await read('audit_log').where({ id: 4 }).pluck('actor_name')).toEqual([null]);
    });

    test('is compared row by row: a change of one value on either side is found', async () => {
      await target.database.write('sites').where({ id: 2 }).update({ active: false });
      await source.database.write('printers').where({ id: 1 }).update({ name_key: 'x' });
      const { equal, tables } = await compareDatabases(source, target, silent);
      const different = tables.filter((table) => !table.equal).map(({ table }) => table);
      expect([equal, different]).toEqual([false, ['printers', 'sites']]);
    });

    test('continues ids behind those that were given out, and indexes the words of new vouchers', async () => {
      const id = await insertVoucher(target.database, '3333344444');
      expect(id).toBe(removed + 1);
      expect(await target.database.read('voucher_words').where({ voucher_id: id }).pluck('word')).toEqual([
        '3333344444',
      ]);
      const [user] = await target.database.read('users').select('*');
      const { id: _id, ...columns } = user as Record<string, unknown>;
      const another = { ...columns, name_key: 'zwei', email_key: 'zwei', subject: 'zwei' };
      expect(await target.database.write('users').insert(another).returning('id')).toEqual([{ id: 4 }]);
    });
  });

  test('goes on where it was interrupted, however often', async () => {
    const [source, target] = [await open(makeSource), await open(makeTarget)];
    await fillEveryTable(source.database, 21);
    const resumedAt: number[] = [];
    const run = (page: number): Promise<CopyResult> =>
      copyDatabase(source, target, { ...interruptAt(page), onResume: (rows) => void resumedAt.push(rows) });
    await expect(run(2)).rejects.toThrow('interrupted');
    await expect(run(20)).rejects.toThrow('interrupted');
    // Pictures are copied 20 at a time, so this is in the middle of a table.
    await expect(run(6)).rejects.toThrow('interrupted');
    expect(await run(Number.POSITIVE_INFINITY)).toMatchObject({ equal: true, resumed: true });
    expect(resumedAt).toEqual([...resumedAt].sort((one, other) => one - other));
    expect(new Set(resumedAt).size).toBe(3);
  });

  test('that differs at the end, because the source was changed, stays unfinished until it begins again', async () => {
    const [source, target] = [await open(makeSource), await open(makeTarget)];
    await fillEveryTable(source.database, 2);
    await expect(copyDatabase(source, target, interruptAt(12))).rejects.toThrow('interrupted');
    await source.database.write('api_keys').where({ id: 1 }).update({ name: 'geändert' });
    expect(await copy(source, target)).toMatchObject({ equal: false, resumed: true });
    await expect(migrate(target.database)).rejects.toThrow('the database is an unfinished copy of ');
    expect(await copy(source, target, true)).toMatchObject({ equal: true, resumed: false });
    expect(await pendingMigrations(target.database)).toEqual([]);
  });
});

/** Booleans of SQLite are numbers. */
const normalize = (rows: readonly object[]): string[] =>
  rows
    .map((row) =>
      JSON.stringify(row, (_, value: unknown) => (typeof value === 'boolean' ? Number(value) : value)),
    )
    .sort();

describe('a target that is not what it should be is refused, and is not changed', () => {
  test.each([
    ['PostgreSQL', makePostgresDatabase],
    ['SQLite', makeSqliteDatabase],
  ])('records of its own (%s)', async (_, makeTarget) => {
    const [source, target] = [await open(makeSqliteDatabase), await open(makeTarget)];
    await fillEveryTable(source.database, 1);
    await target.database.write('settings').insert({ name: 'eigen', value: '1' });
    await target.database.write('leases').insert({ name: 'x', owner: 'y', until: 1 });
    const refused = 'the target is not empty, it has rows in settings';
    await expect(copy(source, target)).rejects.toThrow(refused);
    await expect(copy(source, target, true)).rejects.toThrow(refused);
    expect(await target.database.read('leases').pluck('name')).toEqual(['x']);
    expect(await target.database.read('sites').pluck('id')).toEqual([]);
  });

  test.each([
    ['PostgreSQL', makeEmptyPostgresDatabase],
    ['SQLite', makeEmptySqliteDatabase],
  ])('tables of another program (%s)', async (_, makeTarget) => {
    const [source, target] = [await open(makeSqliteDatabase), await open(makeTarget)];
    await target.database.write.schema.createTable('posts', (table) => void table.float('price'));
    await expect(copy(source, target)).rejects.toThrow('tables of another program (posts)');
    expect(await target.database.read.schema.hasTable('vouchers')).toBe(false);
  });

  test('an unfinished copy of another database', async () => {
    const [source, other, target] = [
      await open(makeSqliteDatabase),
      await open(makeEmptySqliteDatabase),
      await open(makeEmptySqliteDatabase),
    ];
    await migrate(other.database);
    for (const { database } of [source, other]) await fillEveryTable(database, 1);
    await expect(copyDatabase(source, target, interruptAt(3))).rejects.toThrow('interrupted');
    await expect(copy(other, target)).rejects.toThrow(
      `the target is an unfinished copy of another database, ${source.label}`,
    );
    expect(await copy(other, target, true)).toMatchObject({ equal: true });
  });

  test('the source itself', async () => {
    const source = await open(makePostgresDatabase);
    const same = openDatabase(source.url, { poolMax: 1, timeoutMs: 120_000 });
    ended.push(same.close);
    await expect(copy(source, { ...source, database: same })).rejects.toThrow(/are the same database|uses /);
  });
});

test.each([
  ['PostgreSQL', makeEmptyPostgresDatabase],
  ['SQLite', makeEmptySqliteDatabase],
])('a target without tables gets them (%s)', async (_, makeTarget) => {
  const [source, target] = [await open(makeSqliteDatabase), await open(makeTarget)];
  await fillEveryTable(source.database, 1);
  expect(await copy(source, target)).toMatchObject({ equal: true });
  expect(await pendingMigrations(target.database)).toEqual([]);
});

test('a target on which a service was started once is accepted: it has no records', async () => {
  const [source, target] = [await open(makeSqliteDatabase), await open(makePostgresDatabase)];
  await fillEveryTable(source.database, 1);
  const { write } = target.database;
  await write('setup_tokens').insert({ hash: 'x', expires_at: 1 });
  await write('revisions').insert({ name: 'keys', value: 1 });
  await write('leases').insert({ name: 'sync', owner: 'x', until: 1 });
  await write('write_probes').insert({ filler: Buffer.alloc(1) });
  expect(await copy(source, target)).toMatchObject({ equal: true });
});

describe('a source of another version is refused', () => {
  test('an earlier one, with what it lacks', async () => {
    const [source, target] = [await open(makeEmptySqliteDatabase), await open(makeEmptyPostgresDatabase)];
    await runMigrations(source.database, migrations.slice(0, -1));
    await expect(copy(source, target)).rejects.toThrow(
      new RegExp(
        `is of an earlier version and lacks ${migrations.at(-1)!.name}: back it up, and run .* migrate`,
      ),
    );
    expect(await target.database.read.schema.hasTable('migrations')).toBe(false);
  });

  test('a later one', async () => {
    const [source, target] = [await open(makeSqliteDatabase), await open(makeEmptyPostgresDatabase)];
    await source.database.write('migrations').insert({ name: '9999_newer', done_at: 0 });
    await expect(copy(source, target)).rejects.toThrow('newer than this program');
  });
});

describe('while a service uses one of the databases', () => {
  test('of SQLite, by its lock', async () => {
    const [source, target] = [await open(makeSqliteDatabase), await open(makeEmptySqliteDatabase)];
    for (const side of [source, target]) {
      const release = await acquireServiceLock(side.url);
      await expect(copy(source, target)).rejects.toThrow(`a service or a command uses ${side.label}: `);
      await release();
    }
    expect(await copy(source, target)).toMatchObject({ equal: true });
    // Both locks are free again.
    for (const { url } of [source, target]) await (await acquireServiceLock(url))();
  });

  test('of PostgreSQL, by its sessions; others do not matter', async () => {
    const [source, target] = [await open(makePostgresDatabase), await open(makeEmptyPostgresDatabase)];
    await source.database.write.raw('select 1');
    const service = openDatabase(target.url, { timeoutMs: 120_000 });
    await service.read.raw('select 1');
    await expect(copy(source, target)).rejects.toThrow(`a service or a command uses ${target.label}: `);
    await service.read.raw("set application_name = 'psql'");
    expect(await copy(source, target)).toMatchObject({ equal: true });
    await service.close();
  });
});

test('what the other database can not store is refused with its place', async () => {
  const [source, target] = [await open(makeSqliteDatabase), await open(makeEmptyPostgresDatabase)];
  await source.database.write('settings').insert({ name: 'null', value: 'a\0b' });
  await expect(copy(source, target)).rejects.toThrow('settings.value of the row null holds a NUL character');
});
