import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '../../../src/database/database.js';
import { migrations } from '../../../src/database/migrations/index.js';
import { expectOneLine, run, startProgram } from '../../support/cli.js';
import { makeFolder, type TestFolder } from '../../support/folder.js';

let folder: TestFolder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());
const names = migrations.map(({ name }) => name);
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

test('a database that does not answer gives one clear line without its password', async () => {
  const { ended } = startProgram(['migrate'], { DATABASE_URL: 'postgres://uv:geheim@127.0.0.1:1/voucherd' });
  const failed = await ended;
  expectOneLine(failed, 'PostgreSQL at 127.0.0.1:1 refuses connections');
  expect(failed.err).not.toContain('geheim');
});

test('a folder that can not be made gives one clear line', async () => {
  expectOneLine(await run(['migrate'], { DATA_DIR: '/dev/null/data' }), '/dev/null/data');
});
