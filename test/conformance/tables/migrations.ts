import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../../src/database/database.js';
import { migrations, type Migration } from '../../../src/database/migrations/index.js';
import { migrate, pendingMigrations, runMigrations } from '../../../src/database/migrator.js';
import { makeTables } from '../../../src/app/tables.js';
import { openPatiently, type MakeDatabase, type TestDatabase } from '../../support/databases.js';
import { raceRounds } from '../../support/races.js';

const names = migrations.map(({ name }) => name);

/** Connects before it migrates, so that several really meet. */
const startOn = async (database: Database): Promise<string[]> => {
  await database.write.raw('select 1');
  return migrate(database);
};

export const migrationConformance = (make: MakeDatabase): void => {
  let own: TestDatabase;
  let opened: Database[];
  const open = (): Database => {
    const database = openPatiently(own.url);
    opened.push(database);
    return database;
  };
  beforeEach(async () => {
    own = await make();
    opened = [];
  });
  afterEach(async () => {
    for (const database of opened) await database.close();
    await own.drop();
  });

  test('a fresh database is brought up to date', async () => {
    const database = open();
    expect(await pendingMigrations(database)).toEqual(names);
    expect(await migrate(database)).toEqual(names);
    expect(await pendingMigrations(database)).toEqual([]);
    expect(await makeTables(database).sites.all()).toEqual([]);
  });

  test('a database that is up to date is left as it is', async () => {
    const database = open();
    await migrate(database);
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
    const database = open();
    const listener = { onBegin: (name: string) => void told.push(name), onBlocked: () => undefined };
    await runMigrations(database, migrations, listener);
    expect(told).toEqual([]);
    await runMigrations(database, [...migrations, more], listener);
    expect([told, seen]).toEqual([['9999_more'], [['9999_more']]]);
  });

  test('processes that start at the same time on a fresh database run each migration once', async () => {
    for (let round = 1; round <= Math.ceil(raceRounds / 4); round++) {
      const fresh = await make();
      const databases = Array.from({ length: 3 }, () => openPatiently(fresh.url));
      try {
        const done = await Promise.allSettled(databases.map(startOn));
        const refused = done.flatMap((start) =>
          start.status === 'rejected' ? [start.reason as unknown] : [],
        );
        expect(refused).toEqual([]);
        // Each may have run some of them.
        const ran = done.flatMap((start) => (start.status === 'fulfilled' ? start.value : []));
        expect(ran.sort()).toEqual(names);
      } finally {
        for (const database of databases) await database.close();
        await fresh.drop();
      }
    }
  });

  test('a migration that ends in the middle leaves nothing behind, and the next start runs it', async () => {
    const database = open();
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

  test('a database that has one voucher recorded for two orders is brought up to date, and gets no third', async () => {
    const database = open();
    await runMigrations(
      database,
      migrations.filter(({ name }) => name < '0006'),
    );
    const [controller_id, site_id] = [1, 1];
    const at = { created_at: 1 };
    await database.write('controllers').insert({ id: 1, name: 'a', kind: 'unifi', settings: '{}', ...at });
    await database.write('sites').insert({ id: 1, name: 'a', active: true, controller_id, ...at });
    const limits = { max_uses: 1, expire_minutes: 1, status: 'valid', used_count: 0 };
    const voucher = { site_id, controller_id, code: '0123456789', name: 'x', ...limits, ...at };
    await database.write('vouchers').insert([
      { ...voucher, controller_voucher_id: 'a' },
      { ...voucher, controller_voucher_id: 'b' },
      { ...voucher, controller_voucher_id: 'c', code: '9876543210' },
    ]);
    expect(await migrate(database)).toContain('0006_outcomes');
    expect(await database.read('vouchers').orderBy('id').pluck('code')).toEqual([
      '0123456789',
      '0123456789',
      '9876543210',
    ]);
    const third = { ...voucher, controller_voucher_id: 'd' };
    await expect(database.write('vouchers').insert(third)).rejects.toThrow(/unique/i);
    await database.write('vouchers').insert({ ...third, name: 'y' });
  });

  test('vouchers of earlier versions are found, and what was not recorded then is not known', async () => {
    const database = open();
    await runMigrations(
      database,
      migrations.filter(({ name }) => name < '0012'),
    );
    const at = { created_at: 1 };
    await database.write('controllers').insert({ id: 1, name: 'a', kind: 'unifi', settings: '{}', ...at });
    await database.write('sites').insert({ id: 1, name: 'a', active: true, controller_id: 1, ...at });
    await database.write('vouchers').insert({
      id: 1,
      site_id: 1,
      controller_id: 1,
      controller_voucher_id: 'a',
      code: '0123456789',
      name: '2025-01-31_Familie Größl',
      max_uses: 1,
      expire_minutes: 60,
      status: 'valid',
      used_count: 0,
      ...at,
    });
    await migrate(database);
    const [voucher] = await makeTables(database).vouchers.byIds([1]);
    const unknown = {
      ...{ source: null, actorKind: null, actorName: null, profileId: null },
      ...{ down: null, up: null, quotaMb: null },
    };
    expect(voucher).toMatchObject({ code: '0123456789', expireMinutes: 60, ...unknown });
    expect((await database.read('voucher_words').pluck('word')).sort()).toEqual([
      '0123456789',
      '56789',
      'familie',
      'grossl',
    ]);
  });

  test('a database that is newer than the program is refused with a clear line', async () => {
    const database = open();
    await runMigrations(database, [...migrations, { name: '9999_newer', up: () => Promise.resolve() }]);
    await expect(migrate(database)).rejects.toThrow(
      /^the database is newer than this program \(it has "9999_newer"\): [^\n]+$/,
    );
  });
};
