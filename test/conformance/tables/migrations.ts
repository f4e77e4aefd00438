import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../src/database/database.js';
import { migrations, type Migration } from '../../../src/database/migrations/index.js';
import { migrate, pendingMigrations, runMigrations } from '../../../src/database/migrator.js';
import { makeTables } from '../../../src/app/tables.js';
import { openPatiently, type MakeDatabase, type TestDatabase } from '../../support/databases.js';
import { raceRounds } from '../../support/races.js';

const names = migrations.map(({ name }) => name);

/** Connects before it migrates, so that several really meet. Returns what it ran, and of what it was told before. */
const startOn = async (database: Database): Promise<{ ran: string[]; told: string[] }> => {
  await database.write.raw('select 1');
  const told: string[] = [];
  const onBegin = (name: string) => void told.push(name);
  return { ran: await migrate(database, { onBegin, onBlocked: () => undefined }), told };
};

export const migrationConformance = (makeEmpty: MakeDatabase, makeMigrated: MakeDatabase): void => {
  let own: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    own = await makeMigrated();
    database = openPatiently(own.url);
  });
  afterEach(async () => {
    await database.write('migrations').where('name', '>', '9999').delete();
  });
  afterAll(async () => {
    await database.close();
    await own.drop();
  });

  test('processes that start at the same time on a fresh database run each migration once', async () => {
    for (let round = 1; round <= Math.ceil(raceRounds / 4); round++) {
      const fresh = await makeEmpty();
      const databases = Array.from({ length: 3 }, () => openPatiently(fresh.url));
      try {
        expect(await pendingMigrations(databases[0]!)).toEqual(names);
        const done = await Promise.all(databases.map(startOn));
        // Each may have run some of them.
        expect(done.flatMap(({ ran }) => ran).sort()).toEqual(names);
        expect(await pendingMigrations(databases[0]!)).toEqual([]);
        expect(await makeTables(databases[0]!).sites.all()).toEqual([]);
        // Only of migrations of what is stored already.
        expect(done.some(({ told }) => told.length === 0)).toBe(true);
      } finally {
        for (const one of databases) await one.close();
        await fresh.drop();
      }
    }
  });

  test('a database that is up to date is left as it is', async () => {
    const done = await database.read('migrations').select();
    expect(await migrate(database)).toEqual([]);
    expect(await database.read('migrations').select()).toEqual(done);
  });

  test('of each migration of what is stored already it is told before it runs', async () => {
    const told: string[] = [];
    const seen: string[][] = [];
    const more: Migration = {
      name: '9999_more',
      up: async () => {
        seen.push([...told]);
      },
    };
    const listener = { onBegin: (name: string) => void told.push(name), onBlocked: () => undefined };
    await runMigrations(database, [...migrations, more], listener);
    expect([told, seen]).toEqual([['9999_more'], [['9999_more']]]);
  });

  test('a migration that ends in the middle leaves nothing behind, and the next start runs it', async () => {
    let ends = true;
    const broken: Migration = {
      name: '9999_broken',
      up: async (db) => {
        await db.schema.createTable('half', (table) => table.integer('id'));
        await db('half').insert({ id: 1 });
        if (ends) throw new Error('ended in the middle');
      },
    };
    await expect(runMigrations(database, [...migrations, broken])).rejects.toThrow('ended in the middle');
    expect(await database.read.schema.hasTable('half')).toBe(false);
    expect(await database.read('migrations').pluck('name')).toEqual(names);

    ends = false;
    expect(await runMigrations(database, [...migrations, broken])).toEqual(['9999_broken']);
    expect(await database.read('half').pluck('id')).toEqual([1]);
  });

  test('a database of a version before the first release is refused, and left as it is', async () => {
    await database.write('migrations').update({ name: '0044_keyFailures' });
    try {
      const refused =
        /^the database is of a version before 1\.0\.0, [^\n]+ config export [^\n]+ config import/;
      await expect(migrate(database)).rejects.toThrow(refused);
      await expect(pendingMigrations(database)).rejects.toThrow(refused);
      expect(await database.read('migrations').pluck('name')).toEqual(['0044_keyFailures']);
    } finally {
      await database.write('migrations').update({ name: names[0] });
    }
  });

  test('a database that is newer than the program is refused with a clear line', async () => {
    await runMigrations(database, [...migrations, { name: '9999_newer', up: () => Promise.resolve() }]);
    await expect(migrate(database)).rejects.toThrow(
      /^the database is newer than this program \(it has "9999_newer"\): [^\n]+$/,
    );
  });
};
