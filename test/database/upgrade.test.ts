import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { migrations } from '../../src/database/migrations/index.js';
import { runMigrations } from '../../src/database/migrator.js';
import {
  makeEmptyPostgresDatabase,
  makeEmptySqliteDatabase,
  openPatiently,
  type MakeDatabase,
} from '../support/databases.js';
import { makeNextMigration } from '../support/nextMigration.js';
import { sampleRow, tablesOf } from '../support/sampleRows.js';

const dialects: [string, MakeDatabase][] = [
  ['SQLite', makeEmptySqliteDatabase],
  ['PostgreSQL', makeEmptyPostgresDatabase],
];

test.each(dialects)('on %s each migration keeps the records of all versions before it', async (_, make) => {
  const own = await make();
  const database = openPatiently(own.url);
  const upgrades = [...migrations, makeNextMigration(database.dialect)];
  const written: { readonly place: string; readonly table: string; readonly row: object }[] = [];
  for (const [index, { name }] of upgrades.entries()) {
    // A row in every table, as the version without this migration writes it.
    for (const table of await tablesOf(database)) {
      const columns = table.columns.map((column) => column.name);
      const rows = await database.write(table.name).insert(sampleRow(table, index)).returning(columns);
      written.push({ place: `${table.name} before ${name}`, table: table.name, row: rows[0] as object });
    }
    expect(await runMigrations(database, upgrades.slice(0, index + 1))).toEqual([name]);
  }
  const stored = new Map<string, object[]>();
  for (const { name } of await tablesOf(database)) stored.set(name, await database.read(name).select());
  expect(stored.size).toBeGreaterThanOrEqual(30);
  expect(written.length).toBeGreaterThanOrEqual(30);
  const changed = written.filter(
    ({ table, row }) =>
      !stored.get(table)?.some((now) => isDeepStrictEqual(pick(now, Object.keys(row)), row)),
  );
  expect(changed.map(({ place }) => place)).toEqual([]);
  await database.close();
  await own.drop();
});

const pick = (row: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
