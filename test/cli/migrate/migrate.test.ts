import { mkdir } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../../src/database/database.js';
import { migrations } from '../../../src/database/migrations/index.js';
import { runMigrations } from '../../../src/database/migrator.js';
import { expectOneLine, run, startProgram } from '../../support/cli.js';
import { forAllTests } from '../../support/fixture.js';
import { makeFolder } from '../../support/folder.js';

const folder = forAllTests(makeFolder, 'remove');
const names = migrations.map(({ name }) => name);

/** A database of a version before 1.0.0, which had other migrations. */
const makeUnreleased = async ({ DATA_DIR: dataDir }: { DATA_DIR: string }): Promise<void> => {
  await mkdir(dataDir, { recursive: true });
  const database = openDatabase(`sqlite:${dataDir}/voucherd.sqlite`);
  await runMigrations(database, []);
  await database.write('migrations').insert({ name: '0044_keyFailures', done_at: 0 });
  await database.close();
};

const env = (name: string) => ({ DATA_DIR: `${folder.path}/${name}` });

test('migrate makes the folder and the database, and says what it did', async () => {
  expect(await run(['migrate'], env('new'))).toEqual({
    status: 0,
    out: `migrated: ${names.join(', ')}\n`,
    err: expect.stringContaining(`making a new database in ${folder.path}/new\n`),
  });
  expect(await run(['migrate'], env('new'))).toEqual({
    status: 0,
    out: 'the database is up to date\n',
    err: '',
  });
});

test('migrate --json tells the same', async () => {
  expect(JSON.parse((await run(['migrate', '--json'], env('json'))).out)).toEqual({ migrated: names });
  expect(JSON.parse((await run(['migrate', '--json'], env('json'))).out)).toEqual({ migrated: [] });
});

test.each(['migrate', 'serve', 'key list', 'site list', 'controller list'])(
  'a database that is newer than the program stops "%s" with a clear line',
  async (command) => {
    await run(['migrate'], env('newer'));
    const database = openDatabase(`sqlite:${folder.path}/newer/voucherd.sqlite`);
    await database.write('migrations').insert({ name: '9999_newer', done_at: 0 }).onConflict().ignore();
    await database.close();
    expectOneLine(
      await run(command.split(' '), { ...env('newer'), PORT: '0', LOG_LEVEL: 'silent' }),
      /^voucherd: the database is newer than this program \(it has "9999_newer"\): /,
    );
  },
);

test.each(['migrate', 'serve', 'site list'])(
  'a database of a version before 1.0.0 stops "%s" with a line that says how to carry its configuration over',
  async (command) => {
    const values = env(`before ${command}`);
    await makeUnreleased(values);
    const ended = await run(command.split(' '), { ...values, PORT: '0', LOG_LEVEL: 'silent' });
    expectOneLine(ended, /^voucherd: the database is of a version before 1\.0\.0, /);
    expect(ended.err).toMatch(
      / config export FILE\), and .* into a new database \(.* config import FILE\)$/m,
    );
    expect(ended.status).toBe(5);
  },
);

test('a database that does not answer gives one clear line without its password', async () => {
  const { ended } = startProgram(['migrate'], { DATABASE_URL: 'postgres://uv:geheim@127.0.0.1:1/voucherd' });
  const failed = await ended;
  expectOneLine(failed, 'PostgreSQL at 127.0.0.1:1 refuses connections');
  expect(failed.err).not.toContain('geheim');
});

test('a folder that can not be made gives one clear line', async () => {
  expectOneLine(await run(['migrate'], { DATA_DIR: '/dev/null/data' }), '/dev/null/data');
});
