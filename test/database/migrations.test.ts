import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { migrations } from '../../src/database/migrations/index.js';
import { migrate } from '../../src/database/migrator.js';
import { makeSqliteDatabase, openPatiently } from '../support/databases.js';
import { statementsOf } from '../support/queryLog.js';

const folder = join(import.meta.dirname, '../../src/database/migrations');

/** The SHA-256 of each migration, of all its files. A new migration adds its line; a released one never changes. */
const released = {
  '0001_schema': 'c76d608ae3c7df0326fc7f7f8d85d45504f26f19031c4093f554a75400bfb6c5',
};

interface MigrationSource {
  readonly name: string;
  /** What each of its files has. */
  readonly sources: readonly string[];
}

/** A migration is a file, or a folder of files. */
const readMigrations = async (): Promise<MigrationSource[]> => {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => /^\d{4}_/.test(name));
  const found = entries.map(async (entry): Promise<MigrationSource> => {
    const path = join(folder, entry.name);
    const files = entry.isDirectory() ? (await readdir(path)).sort().map((file) => join(path, file)) : [path];
    const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    return { name: entry.name.replace('.ts', ''), sources };
  });
  return (await Promise.all(found)).sort((a, b) => (a.name < b.name ? -1 : 1));
};

test('a migration does next year what it did when it was released: its files never change', async () => {
  const hashes = (await readMigrations()).map(({ name, sources }) => [
    name,
    createHash('sha256').update(sources.join('\n')).digest('hex'),
  ]);
  expect(Object.fromEntries(hashes)).toEqual(released);
});

test('a migration imports nothing of the program, which changes', async () => {
  for (const { name, sources } of await readMigrations())
    for (const source of sources)
      for (const [statement, from = ''] of source.matchAll(/\b(?:import|require)\b[^;]*?['"]([^'"]+)['"]/g))
        if (!/^\.\/\w+\.js$/.test(from))
          expect({ name, from, statement: statement.replaceAll(/\s+/g, ' ') }).toEqual({
            name,
            from: 'knex',
            statement: expect.stringMatching(/^import type /),
          });
});

test('each of them runs, in the order of their numbers', async () => {
  expect(migrations.map(({ name }) => name)).toEqual((await readMigrations()).map(({ name }) => name));
});

test('of a database that is up to date a start reads the names of the migrations once, and writes nothing', async () => {
  const own = await makeSqliteDatabase();
  const database = openPatiently(own.url);
  const statements = await statementsOf(database, () => migrate(database));
  expect(statements.filter((sql) => /^select .*from .migrations/i.test(sql))).toHaveLength(1);
  expect(statements.filter((sql) => /^(?:insert|update|delete|alter)/i.test(sql))).toEqual([]);
  await database.close();
  await own.drop();
});
